import Catalog

extension Currency {
    /// Creates a currency from its three-digit ISO 4217 number, such as `978`; nil if unknown.
    init?(number: String) {
        let words = Self.numbers.split { $0.isWhitespace }
        guard let place = words.firstIndex(where: { $0 == number }), place % 2 == 0 else {
            return nil
        }
        self.init(String(words[place + 1]))
    }

    /// The numbers and codes of common currencies (ISO 4217:2015, list one), such as `978 EUR`.
    private static let numbers = """
        008 ALL 012 DZD 032 ARS 036 AUD 048 BHD 050 BDT 124 CAD 144 LKR 152 CLP 156 CNY 170 COP 188 CRC 203 CZK
        208 DKK 344 HKD 348 HUF 352 ISK 356 INR 360 IDR 376 ILS 392 JPY 398 KZT 400 JOD 404 KES 410 KRW 414 KWD
        458 MYR 484 MXN 498 MDL 504 MAD 512 OMR 554 NZD 566 NGN 578 NOK 586 PKR 604 PEN 608 PHP 634 QAR 643 RUB
        682 SAR 702 SGD 704 VND 710 ZAR 752 SEK 756 CHF 764 THB 784 AED 788 TND 807 MKD 818 EGP 826 GBP 840 USD
        858 UYU 901 TWD 941 RSD 946 RON 949 TRY 975 BGN 977 BAM 978 EUR 980 UAH 981 GEL 985 PLN 986 BRL
        """
}
