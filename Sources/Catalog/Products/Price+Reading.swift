extension Price {
    /// Reads a price as people write it into a table: `3.49`, `3,49`, `3,49 €`, `USD 3.49`.
    ///
    /// A point and a comma are both decimal signs. What could be a thousands separator is never
    /// guessed: `1.999` and `1,999` are errors, unless the point stands in a currency of three
    /// decimals, such as KWD. `0.999` and `1.9990` can be read in one way only.
    ///
    /// The currency is the one in the price, else the column's, else the default. A sign that
    /// several currencies share (`$`, `¥`, `kr`) takes the column's or the default if that has it.
    ///
    /// - Parameters:
    ///   - text: The price, with or without a code of ISO 4217 or a currency sign, which may be
    ///     in front or behind.
    ///   - column: The currency of the row, nil where it names none.
    ///   - fallback: The currency of prices that name none.
    /// - Throws: `PriceError`.
    package init(
        reading text: String, column: Currency? = nil, fallback: Currency? = nil
    ) throws(PriceError) {
        let parts = try Self.parts(of: text)
        let number = try DecimalText(parts.digits, within: text)
        let known = column ?? fallback
        var currency = known
        if !parts.sign.isEmpty {
            let found = try Self.currency(String(parts.sign), in: text, known: known)
            if let column, found != column {
                throw .otherCurrency(text: text, found: found, column: column)
            }
            currency = found
        }
        guard let currency else { throw .noCurrency(text: text) }
        let isPlainDecimal =
            number.separator == UInt8(ascii: ".") && currency.minorDigits == 3
        guard !number.mayGroupThousands || isPlainDecimal else { throw .ambiguous(text: text) }
        self.init(number, currency: currency)
    }

    /// The digits and what stands ahead of them or behind them.
    private static func parts(
        of text: String
    ) throws(PriceError) -> (digits: Substring, sign: Substring) {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: isNumeric),
            let last = scalars.lastIndex(where: isNumeric)
        else { throw .notANumber(text: text) }
        let digits = text[first...last]
        let front = trimmed(text[..<first])
        let back = trimmed(text[scalars.index(after: last)...])
        guard !hasMinus(front), !hasMinus(back) else { throw .negative(text: text) }
        guard front.isEmpty || back.isEmpty else { throw .notANumber(text: text) }
        return (digits, front.isEmpty ? back : front)
    }

    private static func isNumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || scalar == "." || scalar == ","
    }

    /// Whether a minus stands there, be it the keyboard's or a typographer's.
    private static func hasMinus(_ text: Substring) -> Bool {
        text.unicodeScalars.contains { $0 == "-" || $0 == "\u{2212}" || $0 == "\u{2013}" }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return text[first...last]
    }
}

extension Price {
    /// The amount in digits that `init(reading:column:fallback:)` reads back as the same price.
    var importableAmount: String {
        guard let number = try? DecimalText(amount), number.mayGroupThousands else { return amount }
        return amount + "0"
    }
}

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
