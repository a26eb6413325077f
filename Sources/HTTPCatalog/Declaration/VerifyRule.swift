/// Where a product's own codes are, so that the answer is known to be about the code asked for.
package struct VerifyRule: Hashable, Sendable {
    /// What it means that no product in an answer has the code.
    package enum Otherwise: String, CaseIterable, Hashable, Sendable {
        /// The catalog is wrong: it answers with other products.
        case failed
        /// The catalog searches loosely, and has no such product.
        case notFound = "not-found"
    }

    /// Where the codes are: texts, numbers, or lists of them.
    package var codes: [CodePlace]
    /// What it means that no product in an answer has the code.
    package var otherwise: Otherwise
    /// Whether the code has to be at each of the places that is there, instead of at any: where one
    /// of them only repeats the question, it must not stand for the other.
    package var needsEveryPlace: Bool

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - codes: Where the codes are.
    ///   - otherwise: What it means that no product in an answer has the code.
    ///   - needsEveryPlace: Whether the code has to be at each of the places that is there.
    package init(
        codes: [CodePlace], otherwise: Otherwise = .failed, needsEveryPlace: Bool = false
    ) {
        self.codes = codes
        self.otherwise = otherwise
        self.needsEveryPlace = needsEveryPlace
    }
}
