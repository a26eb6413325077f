import WireText

/// A code that was to name one product, and several have it.
package struct SharedCodeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The code, without its AIM identifier.
    package let code: String

    /// The ids of the products, in the order of their import; at most `Match.candidateLimit`.
    package let ids: [String]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The code, without its AIM identifier.
    ///   - ids: The ids of the products.
    package init(code: String, ids: [String]) {
        self.code = code
        self.ids = ids
    }

    /// The error as one sentence.
    package var description: String {
        let ids = ids.map { $0.quoted() }.joined(separator: ", ")
        return "\(code.quoted()) is a code of several products; expected one of the ids \(ids)."
    }
}
