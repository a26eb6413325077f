import Barcodes

/// What a spreadsheet makes of a code that it takes for a number.
///
/// | written by a spreadsheet | of the code | |
/// |---|---|---|
/// | `'4006381333931` | `4006381333931` | the mark of a cell that is a text |
/// | `="4006381333931"` | `4006381333931` | a formula that keeps it a text |
/// | `4006381333931.0`, `4006381333931,0` | `4006381333931` | a number with decimals |
/// | `42100005264.0` | `042100005264`? | zeros ahead may be gone: see ``LostZeros`` |
/// | `4.00638E+12` | | digits are gone: not to be mended |
enum SpreadsheetNumber: Equatable {
    /// A code as it should be.
    case none
    /// A code of which nothing is lost: the code that was meant.
    case mended(String)
    /// A number with decimals, which may have lost zeros: its digits.
    case withDecimals(String)
    /// A number of which digits are lost.
    case rounded

    /// Looks at a code.
    init(_ code: String) {
        let text = Self.withoutMarks(code)
        if Self.isRounded(text) {
            self = .rounded
        } else if let number = Self.withoutDecimals(text) {
            self = Self.isWhole(number) ? .mended(number) : .withDecimals(number)
        } else {
            self = text.utf8.count < code.utf8.count && Self.isDigits(text) ? .mended(text) : .none
        }
    }

    /// The text inside `="…"` or after `'`.
    private static func withoutMarks(_ code: String) -> String {
        if code.hasPrefix("=\""), code.hasSuffix("\""), code.utf8.count > 3 {
            return String(code.dropFirst(2).dropLast())
        }
        return code.hasPrefix("'") ? String(code.dropFirst()) : code
    }

    /// The digits ahead of a point or a comma and zeros; nil for any other text.
    private static func withoutDecimals(_ text: String) -> String? {
        guard let mark = text.utf8.firstIndex(where: { $0 == 0x2E || $0 == 0x2C }) else {
            return nil
        }
        let zeros = text.utf8[mark...].dropFirst()
        guard !zeros.isEmpty, zeros.allSatisfy({ $0 == 0x30 }) else { return nil }
        let number = String(text[..<mark])
        return isDigits(number) ? number : nil
    }

    /// Whether no zeros ahead of a number can be lost: it is a GTIN as it stands, or too short for
    /// one.
    private static func isWhole(_ number: String) -> Bool {
        number.utf8.count < 8 || (try? GTIN(number)) != nil
    }

    /// Whether a text is `4.00638E+12`, `4,00638e+12` or `4E+12`, or has decimals and no plus.
    private static func isRounded(_ text: String) -> Bool {
        guard let mark = text.utf8.firstIndex(where: { $0 == 0x45 || $0 == 0x65 }) else {
            return false
        }
        let mantissa = text.utf8[..<mark]
        let hasDecimals = mantissa.contains { $0 == 0x2E || $0 == 0x2C }
        var power = text.utf8[mark...].dropFirst()
        if power.first == UInt8(ascii: "+") {
            power = power.dropFirst()
        } else if !hasDecimals {
            // As 12E5, a code that no spreadsheet has seen may be.
            return false
        }
        return mantissa.first.map(isDigit) == true && !power.isEmpty && power.allSatisfy(isDigit)
            && mantissa.allSatisfy { isDigit($0) || $0 == 0x2E || $0 == 0x2C }
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
