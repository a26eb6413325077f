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

/// What an answer means, and how that was come to.
struct AnswerReading: Sendable {
    /// What it means.
    var meaning: AnswerMeaning
    /// What was looked at, in order.
    var steps: [LookupStep]
}

extension AnswerMeaning {
    /// The meaning as a step.
    var step: LookupStep {
        switch self {
        case .found(let products) where products.count == 1: .meaning("a product", nil)
        case .found(let products):
            .meaning("\(products.count) products, of which the first is taken", nil)
        case .captured: .meaning("the second request can be sent", nil)
        case .notFound: .meaning("no such product", nil)
        case .unchanged: .meaning("what was kept still holds", nil)
        case .failed(let failure):
            .meaning("failed (\(failure.code.rawValue)): \(failure.reason)", failure)
        }
    }
}
