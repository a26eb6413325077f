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
