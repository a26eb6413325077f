/// Readers of ISBNs and ISSNs that are not encoded as EAN-13.
extension BarcodeDecoder {
    /// Reads an ISBN-13 with hyphens or spaces, or an ISBN-10.
    func isbn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let count = scanned.text.utf8.count
        guard (10...17).contains(count), scanned.digits?.count != 13 else { return nil }
        let bytes = scanned.text.utf8.filter { $0 != "-" && $0 != " " }
        guard let gtin = bytes.count == 10 ? GTIN(isbn10: bytes) : GTIN(isbn13: bytes) else {
            return nil
        }
        var reading = Reading(.isbn, gtin: gtin, checkDigit: .valid)
        reading.isDoubtful = bytes.count == 10 && count != 13
        return reading
    }

    /// Reads an ISSN with its hyphen; the reading is doubtful, because other numbers look the same.
    func issn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        var bytes = Array(scanned.text.utf8)
        guard bytes.count == 9, bytes.remove(at: 4) == "-",
            let gtin = GTIN(issn: bytes)
        else { return nil }
        var reading = Reading(.issn, gtin: gtin, checkDigit: .valid)
        reading.isDoubtful = true
        return reading
    }
}

extension GTIN {
    /// Whether the prefix is a book's: 978 or 979, but not 979-0, which is for printed music.
    var isISBN: Bool {
        let prefix = number / 1_000_000_000
        return prefix / 10 == 978 || prefix / 10 == 979 && prefix != 9790
    }

    fileprivate init?(isbn13 bytes: [UInt8]) {
        guard bytes.count == 13, let digits = Digits(bytes.span), digits.isValid else { return nil }
        self.init(unchecked: digits.number)
        guard isISBN else { return nil }
    }

    /// Converts an ISBN-10 (9 digits and a check character) to a GTIN.
    ///
    /// Rule: ISO 2108.
    fileprivate init?(isbn10 bytes: [UInt8]) { self.init(prefix: 978_000_000_000, bytes, scale: 1) }

    /// Converts an ISSN (7 digits and a check character) to a GTIN: 977, the 7 digits, 00 and a GTIN check digit.
    ///
    /// Rule: ISO 3297.
    fileprivate init?(issn bytes: [UInt8]) { self.init(prefix: 977_000_000_000, bytes, scale: 100) }

    private init?(prefix: UInt64, _ bytes: [UInt8], scale: UInt64) {
        guard let body = Self.checked(bytes) else { return nil }
        let number = prefix + body * scale
        self.init(unchecked: number * 10 + CheckDigit.gs1(forNumber: number))
    }

    /// Returns the number before the check character; nil if that character is wrong or any other is not a digit.
    ///
    /// The sum of all characters must be a multiple of 11. The weights are 1, 2, 3 … from the right; X counts as 10.
    private static func checked(_ bytes: [UInt8]) -> UInt64? {
        let ahead = Array(bytes.dropLast())
        guard let last = bytes.last, let body = Digits(ahead.span) else { return nil }
        let isX = last | 0x20 == "x"
        guard isX || last.isDigit else { return nil }
        let values = ahead.map(\.digitValue) + [isX ? 10 : last.digitValue]
        let sum = values.reversed().enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        return sum % 11 == 0 ? body.number : nil
    }
}
