import WireText

/// What was kept of an earlier answer when a code is asked for.
package enum KeptReading: Hashable, Sendable {
    /// For what an answer that was kept is good.
    package enum Use: Hashable, Sendable {
        /// It is the answer, and nothing is sent.
        case fresh
        /// It is the answer, and is asked for again behind the register's back.
        case whileRevalidating
        /// It is the answer where asking again fails.
        case onError
        /// The catalog can be asked whether it still holds, and that is all.
        case validation
    }

    /// Nothing.
    case nothing
    /// An answer: how old it is, whether it is a product, what it is good for, and whether the
    /// catalog can be asked if it still holds.
    case answer(age: Duration, isProduct: Bool, use: Use, hasTag: Bool)
}

extension KeptReading: CustomStringConvertible {
    /// What is kept and what a scan makes of it.
    package var description: String {
        guard case .answer(let age, let isProduct, let use, let hasTag) = self else {
            return "nothing kept"
        }
        let what = isProduct ? "a product" : "that there is no such product"
        let tag = hasTag ? "; it is asked for with its entity tag" : ""
        let meaning =
            switch use {
            case .fresh: "fresh: a scan is answered with it and nothing is sent; here it is asked"
            case .whileRevalidating:
                "stale: a scan is answered with it, and it is asked for again afterwards"
            case .onError: "stale: it stands in where asking fails"
            case .validation: "too old to be an answer"
            }
        return "kept \(age.text) ago: \(what), \(meaning)\(tag)"
    }
}
