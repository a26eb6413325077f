extension Price {
    /// Reads a price as people write it: `3.49`, `3,49`, `1'299.00`, `3,49 €`, `USD 3.49`, `CHF 1.–`.
    ///
    /// What may mean thousands or thousandths is never guessed: `1.999` and `1,999` are errors, unless
    /// the point stands in a currency of three decimals, such as KWD. `0.999` and `1.9990` can be read
    /// in one way only.
    ///
    /// The currency is the one in the price, else the column's, else the default. A sign that
    /// several currencies share (`$`, `¥`, `kr`) takes the column's or the default if that has it.
    ///
    /// - Parameters:
    ///   - text: The price, with or without a code of ISO 4217 or a currency sign, which may be
    ///     in front or behind.
    ///   - column: The currency of the row, nil if it names none.
    ///   - fallback: The currency of prices that name none.
    /// - Throws: `PriceError`.
    package init(
        reading text: String, column: Currency? = nil, fallback: Currency? = nil
    ) throws(PriceError) {
        var notation = PriceNotation()
        switch try notation.read(text, column: column, fallback: fallback) {
        case .price(let price): self = price
        case .undecided(let undecided): self = try PriceNotation().price(of: undecided)
        }
    }

    /// The amount in digits that `init(reading:column:fallback:)` reads back as the same price.
    var importableAmount: String {
        // `1.999` could mean thousands; `1.9990` cannot.
        let bytes = amount.utf8
        return bytes.count > 4 && bytes.dropLast(3).last == UInt8(ascii: ".")
            ? amount + "0" : amount
    }
}

/// A number and its currency, as a cell has them.
struct WrittenPrice: Equatable {
    let number: WrittenNumber
    let currency: Currency

    init(
        _ text: String, column: Currency?, fallback: Currency?, decimalMark: DecimalMark?
    ) throws(PriceError) {
        let bytes = Self.plain(text)
        let (digits, sign) = try Self.parts(of: bytes, text)
        let number = try WrittenNumber(digits, decimalMark: decimalMark, text: text)
        let known = column ?? fallback
        guard !sign.isEmpty else {
            guard let known else { throw .noCurrency(text: text) }
            (self.number, currency) = (number, known)
            return
        }
        currency = try Price.currency(
            String(decoding: sign, as: UTF8.self), in: text, known: known)
        if let column, currency != column {
            throw .otherCurrency(text: text, found: currency, column: column)
        }
        // Somebody who writes the currency groups as is usual for it.
        if let mark = number.openMark, Self.groupMarks[currency.code] == mark {
            self.number = number.reading(openMarkAs: mark.other)
        } else {
            self.number = number
        }
    }

    /// Currencies without decimals in daily use, and what groups their thousands.
    private static let groupMarks: [String: DecimalMark] = [
        "IDR": .point, "VND": .point, "CLP": .point, "COP": .point, "PYG": .point, "ISK": .point,
        "JPY": .comma, "KRW": .comma,
    ]

    /// The text with plain blanks, apostrophes, hyphens and digits, and without what cannot be seen.
    private static func plain(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{2019}", "\u{2BC}", "\u{B4}": plain += "'"
            case "\u{2010}"..."\u{2015}", "\u{2212}": plain += "-"
            default:
                if let scalar = VisibleText.plain(scalar) { plain.unicodeScalars.append(scalar) }
            }
        }
        return Array(plain.utf8)
    }

    /// The digits with the signs between them, and the currency ahead of them or after them.
    private static func parts(
        of bytes: [UInt8], _ text: String
    ) throws(PriceError) -> (digits: ArraySlice<UInt8>, currency: ArraySlice<UInt8>) {
        guard var first = bytes.firstIndex(where: isDigit),
            let last = bytes.lastIndex(where: isDigit)
        else { throw .notANumber(text: text) }
        // `.5` and `$.5` begin with their decimal sign; the point of `Fr.1` belongs to the currency.
        if first > 0, isDecimal(bytes[first - 1]), first < 2 || !isOfCode(bytes[first - 2]) {
            first -= 1
        }
        var end = last + 1
        // `1.–` and `1,--` have dashes for decimals.
        if end + 1 < bytes.count, isDecimal(bytes[end]), bytes[end + 1] == hyphen {
            end += 1
            while end < bytes.count, bytes[end] == hyphen { end += 1 }
        }
        let (front, back) = (trimmed(bytes[..<first]), trimmed(bytes[end...]))
        guard !front.contains(hyphen), !back.contains(hyphen) else { throw .negative(text: text) }
        let currency = front.isEmpty ? back : front
        guard front.isEmpty || back.isEmpty,
            currency.isEmpty || currency.contains(where: isOfCurrency)
        else { throw .notANumber(text: text) }
        return (bytes[first...last], currency)
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
    }

    /// Whether a byte is an ASCII letter.
    private static func isOfCode(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
    }

    /// Whether a byte belongs to a letter or a currency sign.
    private static func isOfCurrency(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "$") || isOfCode(byte)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        return bytes
    }
}

extension Price {
    /// The currency a code or a sign stands for.
    static func currency(
        _ sign: String, in text: String, known: Currency?
    ) throws(PriceError) -> Currency {
        let bare = sign.hasSuffix(".") ? String(sign.dropLast()) : sign
        if let code = signs[sign] ?? signs[bare] ?? (bare.utf8.count == 3 ? bare : nil),
            let currency = Currency(code)
        {
            return currency
        }
        guard let sharing = sharedSigns[sign] ?? sharedSigns[bare] else {
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
        "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "Fr": "CHF", "SFr": "CHF", "R$": "BRL", "US$": "USD",
        "C$": "CAD", "A$": "AUD", "NZ$": "NZD", "S$": "SGD", "HK$": "HKD", "NT$": "TWD",
        "Rp": "IDR",
        "RM": "MYR", "lei": "RON", "руб": "RUB", "грн": "UAH", "元": "CNY", "円": "JPY", "원": "KRW",
    ]

    /// Signs that several currencies share.
    private static let sharedSigns: [String: Set<String>] = [
        "$": ["USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "TWD", "ARS", "CLP", "COP"],
        "¥": ["JPY", "CNY"],
        "kr": ["SEK", "NOK", "DKK", "ISK"],
        "Rs": ["INR", "PKR", "LKR", "NPR", "MUR", "SCR"],
    ]
}
