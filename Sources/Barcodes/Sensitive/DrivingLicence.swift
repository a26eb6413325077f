/// The PDF417 symbols of North American driving licences and identity cards.
///
/// Rule: AAMVA DL/ID Card Design Standard, annex D.
enum DrivingLicence {
    /// Whether the bytes hold the header of a licence, or a line with a date of birth.
    ///
    /// Scanners that type drop control characters and may end a scan at each of its lines.
    static func isDocument(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "A"), UInt8(ascii: "a"):
                if isHeader(bytes, at: index) { return true }
            case UInt8(ascii: "D"), UInt8(ascii: "d"):
                if isBirthday(bytes, at: index) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a text that broke off is a part of a header.
    static func isFragment(_ text: String) -> Bool {
        let text = text.uppercased()
        return text.contains("ANSI ") || text.contains("AAMVA")
    }

    /// `ANSI`, or `AAMVA` in the oldest ones, perhaps a space, and the issuer's six digits.
    private static func isHeader(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        let word = min(bytes.count, start + 5)
        let name = bytes.string(start..<word).uppercased()
        var digits = start + 4
        if name == "AAMVA" {
            digits += 1
        } else if !name.hasPrefix("ANSI") {
            return false
        }
        while digits < bytes.count, bytes[digits] == 0x20 { digits += 1 }
        return digits + 6 <= bytes.count && bytes.extracting(digits..<digits + 6).number != nil
    }

    /// `DBB` and a date of birth, as a line of its own or behind a line's end.
    private static func isBirthday(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start + 11 <= bytes.count, start == 0 || bytes[start - 1] < 0x20,
            bytes.string(start..<start + 3).uppercased() == "DBB",
            let date = bytes.extracting(start + 3..<start + 11).number,
            start + 11 == bytes.count || bytes[start + 11] < 0x20
        else { return false }
        let american = (date / 1_000_000, date / 10_000 % 100, date % 10_000)
        let canadian = (date / 100 % 100, date % 100, date / 10_000)
        return [american, canadian].contains { month, day, year in
            (1...12).contains(month) && (1...31).contains(day) && (1900...2099).contains(year)
        }
    }

    /// Whether a line starts like an element of a licence: `DAA` to `DDL`, or `Z` and two letters.
    static func isElement(_ text: String) -> Bool {
        let start = Array(text.uppercased().utf8.prefix(3))
        guard start.count == 3, start.allSatisfy(\.isUpper) else { return false }
        if start[0] == UInt8(ascii: "Z") { return true }
        return start[0] == UInt8(ascii: "D")
            && (UInt8(ascii: "A")...UInt8(ascii: "D")).contains(start[1])
    }
}
