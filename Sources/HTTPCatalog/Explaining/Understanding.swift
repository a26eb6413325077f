package import Catalog

/// What an answer was taken for.
package enum Understanding: Hashable, Sendable {
    /// So many products with the code.
    case found(Int)
    /// The first of two answers.
    case captured
    /// The catalog has no such product.
    case notFound
    /// What was kept still holds.
    case unchanged
    /// The catalog could not answer.
    case failed(LookupFailure)
}

extension Understanding: CustomStringConvertible {
    /// The meaning in words.
    package var description: String {
        switch self {
        case .found(1): "a product"
        case .found(let count): "\(count) products, of which the first is taken"
        case .captured: "the second request can be sent"
        case .notFound: "no such product"
        case .unchanged: "what was kept still holds"
        case .failed(let failure): "failed (\(failure.code.rawValue)): \(failure.reason)"
        }
    }
}

extension Understanding {
    /// Why the catalog could not answer; nil where it could.
    var failure: LookupFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    init(_ meaning: AnswerMeaning) {
        self =
            switch meaning {
            case .found(let products): .found(products.count)
            case .captured: .captured
            case .notFound: .notFound
            case .unchanged: .unchanged
            case .failed(let failure): .failed(failure)
            }
    }
}
