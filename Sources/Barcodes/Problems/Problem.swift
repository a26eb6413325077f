/// Something wrong or doubtful about a code.
///
/// The code is still emitted: the consumer decides.
public struct Problem: Hashable, Sendable {
    /// How much a problem matters.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The content breaks a rule.
        case error
        /// The content is doubtful, or a part of it may stand on another symbol.
        case warning
    }

    /// What is wrong, as a name for programs.
    public let code: Code
    /// How much it matters.
    public let severity: Severity
    /// What is wrong, as a sentence for people.
    public let message: String
    /// The characters (Unicode scalars) of the text it concerns, 0-based; nil where it concerns
    /// the whole.
    public let span: Range<Int>?

    /// The first character it concerns, 0-based; nil where it concerns the whole.
    public var at: Int? { span?.lowerBound }

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - code: What is wrong, as a name for programs.
    ///   - severity: How much it matters.
    ///   - message: What is wrong, as a sentence for people.
    ///   - span: The characters it concerns, 0-based; nil for the whole.
    public init(code: Code, severity: Severity, message: String, span: Range<Int>? = nil) {
        self.code = code
        self.severity = severity
        self.message = message
        self.span = span
    }
}

extension Problem {
    /// The name of a kind of problem; `docs/problems.md` explains each.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // MARK: Any code

        /// A check digit is not the one the other digits call for.
        case wrongCheckDigit = "wrong-check-digit"
        /// A check character is not the one the other characters call for.
        case wrongCheckCharacter = "wrong-check-character"
        /// Too few or too many characters.
        case wrongLength = "wrong-length"
        /// A character that is not allowed where it stands.
        case wrongCharacter = "wrong-character"
        /// The text can be read in several ways, and the reading is only the likeliest.
        case ambiguous
        /// The AIM identifier is none.
        case invalidAIMIdentifier = "invalid-aim-identifier"

        // MARK: Retail

        /// The number is one that GS1 keeps for demonstrations.
        case demonstrationNumber = "demonstration-number"
        /// The number starts with a prefix that GS1 gives to nobody.
        case reservedPrefix = "reserved-prefix"
        /// The check digit of the price in an in-store code does not fit.
        case wrongPriceCheckDigit = "wrong-price-check-digit"

        // MARK: GS1 element strings as a whole

        /// Digits that are no application identifier stand where one must.
        case unknownAI = "unknown-ai"
        /// An application identifier needs another one beside it.
        case requisiteMissing = "requisite-missing"
        /// A digital signature needs the serial component of the key beside it.
        case missingSerial = "missing-serial"
        /// Two application identifiers must not stand together.
        case exclusivePair = "exclusive-pair"
        /// An application identifier comes twice, with different values.
        case repeatedAIDiffers = "repeated-ai-differs"
        /// A separator (FNC1, GS) stands where none may.
        case misplacedFNC1 = "misplaced-fnc1"
        /// A separator (FNC1, GS) seems to be missing.
        case fnc1MissingSuspect = "fnc1-missing-suspect"

        /// The text reads as GS1 element strings, but nothing says that it is.
        case gs1Suspect = "gs1-suspect"

        /// A value breaks its application identifier's rule.
        case invalidValue = "invalid-value"

        // MARK: Digital Links

        /// A Digital Link's path holds something that does not belong there.
        case invalidDigitalLink = "invalid-digital-link"
        /// A Digital Link is compressed, and its content hence unread.
        case compressedDigitalLink = "compressed-digital-link"
    }
}
