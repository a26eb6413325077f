/// Why a text is no ISBN or ISSN.
public enum ISBNError: Error, Equatable, Sendable {
    /// Without hyphens and spaces the text has another length; `found` is it.
    case wrongLength(text: String, found: Int)
    /// A character is no digit, nor an X in the last place of the short form.
    case wrongCharacter(text: String)
    /// The number does not start with a prefix of books or serials.
    case wrongPrefix(text: String)
    /// The last character is not the one the others call for.
    case wrongCheckDigit(text: String, expected: String, found: String)
}

extension ISBNError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongLength(let text, let found):
            "\"\(text)\" is no ISBN or ISSN: expected 8, 10 or 13 digits, got \(found)."
        case .wrongCharacter(let text):
            "\"\(text)\" is no ISBN or ISSN: expected only digits, and X at the end, "
                + "got another character."
        case .wrongPrefix(let text):
            "\"\(text)\" is no ISBN or ISSN: expected the prefix 977, 978 or 979, got another."
        case .wrongCheckDigit(let text, let expected, let found):
            "\"\(text)\" is no ISBN or ISSN: expected the check digit \(expected), got \(found)."
        }
    }
}
