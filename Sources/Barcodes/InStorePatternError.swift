/// Why a text is no pattern of in-store codes.
public enum InStorePatternError: Error, Equatable, Sendable {
    /// The character at the 0-based offset `at` has no meaning in a pattern.
    case wrongCharacter(pattern: String, at: Int)
    /// The pattern stands for a number of digits that no such code has.
    case wrongLength(pattern: String, found: Int)
    /// The pattern does not end in its only `K`.
    case misplacedCheckDigit(pattern: String)
    /// The pattern has not exactly one run of `P`, `W` or `N`.
    case notOneValue(pattern: String)
    /// The point is not in, ahead of or behind the price or weight, or is not the only one.
    case misplacedPoint(pattern: String)
    /// There are several `C`, or one for a value of other than four or five digits.
    case noPriceCheckDigit(pattern: String)
}

extension InStorePatternError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongCharacter(let pattern, let at):
            "\"\(pattern)\" is no pattern: expected a digit, I, P, W, N, C, K or a point "
                + "at offset \(at), got another character."
        case .wrongLength(let pattern, let found):
            "\"\(pattern)\" is no pattern: expected 8, 12, 13 or 14 digits, got \(found)."
        case .misplacedCheckDigit(let pattern):
            "\"\(pattern)\" is no pattern: expected one K, at the end, got another order."
        case .notOneValue(let pattern):
            "\"\(pattern)\" is no pattern: expected one run of P, W or N, got none or several."
        case .misplacedPoint(let pattern):
            "\"\(pattern)\" is no pattern: expected one point within P or W, got it elsewhere."
        case .noPriceCheckDigit(let pattern):
            "\"\(pattern)\" is no pattern: expected at most one C, for a value of 4 or 5 digits, "
                + "got another."
        }
    }
}
