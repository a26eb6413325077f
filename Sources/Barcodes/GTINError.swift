/// Why a text is no GTIN.
public enum GTINError: Error, Equatable, Sendable {
    /// The text has another length than those allowed; `found` is its length in characters.
    case wrongLength(text: String, found: Int)
    /// The character at the 0-based offset `at` is no ASCII digit.
    case notADigit(text: String, at: Int)
    /// The last digit is not the one the others call for.
    case wrongCheckDigit(text: String, expected: Int, found: Int)
    /// A UPC-E starts with a number system other than 0 or 1.
    case wrongNumberSystem(text: String, found: Int)
}

extension GTINError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongLength(let text, let found):
            "\"\(text)\" is no GTIN: expected 8, 12, 13 or 14 digits, got \(found) characters."
        case .notADigit(let text, let at):
            "\"\(text)\" is no GTIN: expected a digit at offset \(at), got another character."
        case .wrongCheckDigit(let text, let expected, let found):
            "\"\(text)\" is no GTIN: expected the check digit \(expected), got \(found)."
        case .wrongNumberSystem(let text, let found):
            "\"\(text)\" is no UPC-E: expected the number system 0 or 1, got \(found)."
        }
    }
}
