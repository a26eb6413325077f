/// An error in a code, or a warning about it.
///
/// keywedge still reports the code; the consumer decides what to do with it.
public struct Problem: Hashable, Sendable {
    /// How serious a problem is: an error, or only a warning.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The content breaks a rule.
        case error
        /// The content is doubtful, or a required part is missing but may be in another symbol.
        case warning
    }

    /// The kind of problem, as a stable name that programs can compare.
    public let code: Code
    /// Whether the problem is an error or a warning.
    public let severity: Severity
    /// A sentence that explains the problem to people.
    public let message: String
    /// The offsets of the affected Unicode scalars; nil if the problem concerns the whole text.
    public internal(set) var span: Range<Int>?

    /// The offset of the first affected character, 0-based; nil if the problem concerns the whole text.
    public var at: Int? { span?.lowerBound }

    /// Creates a problem; by default, it concerns the whole text.
    public init(code: Code, severity: Severity, message: String, span: Range<Int>? = nil) {
        self.code = code
        self.severity = severity
        self.message = message
        self.span = span
    }
}

extension Problem {
    /// The kind of problem; `docs/problems.md` explains each.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // Any code.
        case wrongCheckDigit = "wrong-check-digit"
        case wrongCheckCharacter = "wrong-check-character"
        case wrongLength = "wrong-length"
        case wrongCharacter = "wrong-character"
        case ambiguous
        case invalidAIMIdentifier = "invalid-aim-identifier"

        // Retail.
        case demonstrationNumber = "demonstration-number"
        case reservedPrefix = "reserved-prefix"
        case wrongPriceCheckDigit = "wrong-price-check-digit"

        // GS1 element strings.
        case unknownAI = "unknown-ai"
        case requisiteMissing = "requisite-missing"
        case missingSerial = "missing-serial"
        case exclusivePair = "exclusive-pair"
        case repeatedAIDiffers = "repeated-ai-differs"
        case misplacedFNC1 = "misplaced-fnc1"
        case fnc1MissingSuspect = "fnc1-missing-suspect"
        case gs1Suspect = "gs1-suspect"
        case invalidValue = "invalid-value"

        // Digital Links.
        case invalidDigitalLink = "invalid-digital-link"
        case compressedDigitalLink = "compressed-digital-link"
    }
}
