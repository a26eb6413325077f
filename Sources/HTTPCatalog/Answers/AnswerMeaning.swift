import Catalog
import WireText

/// What an answer means.
enum AnswerMeaning: Equatable, Sendable {
    /// These products have the code; at least one.
    case found([Product])
    /// The first of two answers, and what it gives to the second request.
    case captured(values: [String: String], document: JSONValue)
    /// The catalog has no such product.
    case notFound
    /// What was asked before still holds: status 304.
    case unchanged
    /// The catalog could not answer.
    case failed(LookupFailure)
}
