import WireText

/// A code that was to name one product, and several have it.
public struct SharedCodeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The code, without its AIM identifier.
    public let code: String

    /// The ids of the products, in the order of their import; at most `Match.candidateLimit`.
    public let ids: [String]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The code, without its AIM identifier.
    ///   - ids: The ids of the products.
    public init(code: String, ids: [String]) {
        self.code = code
        self.ids = ids
    }

    /// The error as one sentence.
    public var description: String {
        let ids = ids.map { $0.quoted() }.joined(separator: ", ")
        return "\(code.quoted()) is a code of several products; expected one of the ids \(ids)."
    }
}
