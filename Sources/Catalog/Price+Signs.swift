extension Price {
    /// The currency a code or a sign stands for.
    ///
    /// - Parameters:
    ///   - sign: What stands beside the digits.
    ///   - text: The whole price, for the error.
    ///   - known: What the column or the default says, for signs that several currencies share.
    /// - Returns: The currency.
    /// - Throws: `PriceError.unknownCurrency` and `.ambiguousSign`.
    static func currency(
        _ sign: String, in text: String, known: Currency?
    ) throws(PriceError) -> Currency {
        if let code = signs[sign] ?? (sign.utf8.count == 3 ? sign : nil),
            let currency = Currency(code)
        {
            return currency
        }
        guard let sharing = sharedSigns[sign] else {
            throw .unknownCurrency(text: text, found: sign)
        }
        guard let known, sharing.contains(known.code) else {
            throw .ambiguousSign(text: text, sign: sign)
        }
        return known
    }

    /// Signs that mean one currency.
    private static let signs = [
        "€": "EUR", "£": "GBP", "₹": "INR", "₺": "TRY", "₴": "UAH", "₽": "RUB", "₩": "KRW",
        "₪": "ILS", "₫": "VND", "₦": "NGN", "฿": "THB", "₱": "PHP", "₸": "KZT", "₾": "GEL",
        "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "Fr.": "CHF", "R$": "BRL", "US$": "USD",
        "C$": "CAD", "A$": "AUD",
    ]

    /// Signs that several currencies share.
    private static let sharedSigns: [String: Set<String>] = [
        "$": ["USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "TWD", "ARS", "CLP", "COP"],
        "¥": ["JPY", "CNY"],
        "kr": ["SEK", "NOK", "DKK", "ISK"],
    ]
}
