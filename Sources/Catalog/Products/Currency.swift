package struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// The ISO 4217 code in upper case, such as `EUR`.
    package let code: String
    /// The usual number of decimals in an amount: 2 for EUR, 0 for JPY, 3 for KWD.
    package let minorDigits: Int

    package var description: String { code }

    /// Looks up a code in list one of ISO 4217:2015, ignoring case; nil for other codes and for funds.
    package init?(_ code: String) {
        guard code.utf8.count == 3 else { return nil }
        let upper = Self.listed[code] == nil ? code.uppercased() : code
        guard let digits = Self.listed[upper] else { return nil }
        (self.code, minorDigits) = (upper, digits)
    }

    private static let listed = Dictionary(
        uniqueKeysWithValues: wordTable(list) { Int($0) }.flatMap { digits, codes in
            codes.map { ($0, digits) }
        })

    // BGN and ANG have left the list, but older catalogs still contain them.
    private static let list = """
        0 BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF 3 BHD IQD JOD KWD LYD OMR TND 2 AED AFN
        ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
        CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
        JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
        NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
        SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG
        """

    /// Returns the currency with this code or symbol; if several share the symbol, `known` must be one of them.
    static func named(
        _ sign: String, in text: String, known: Currency?
    ) throws(PriceError) -> Currency {
        let bare = sign.hasSuffix(".") ? String(sign.dropLast()) : sign
        let codes = signs[sign] ?? signs[bare] ?? [bare]
        let currency = codes.count == 1 ? Currency(codes[0]) : known
        guard let currency, codes.count == 1 || codes.contains(currency.code) else {
            throw codes.count == 1
                ? .unknownCurrency(text: text, found: sign) : .ambiguousSign(text: text, sign: sign)
        }
        return currency
    }

    /// The symbols, each with the codes of all currencies that use it.
    private static let signs = wordTable(signList) { listed[$0] == nil ? $0 : nil }

    private static let signList = """
        € EUR £ GBP ₹ INR ₺ TRY ₴ UAH ₽ RUB ₩ KRW ₪ ILS ₫ VND ₦ NGN ฿ THB ₱ PHP ₸ KZT ₾ GEL
        zł PLN Kč CZK Ft HUF Fr CHF SFr CHF Rp IDR RM MYR lei RON руб RUB грн UAH
        R$ BRL US$ USD C$ CAD A$ AUD NZ$ NZD S$ SGD HK$ HKD NT$ TWD 元 CNY 円 JPY 원 KRW
        $ USD CAD AUD NZD MXN SGD HKD TWD ARS CLP COP
        ¥ JPY CNY kr SEK NOK DKK ISK Rs INR PKR LKR NPR MUR SCR
        """
}
