package import WireText

/// Where to find a product's fields in an answer.
///
/// Each field is read from the first of its places that contains text or a number, but ``codes`` are read from all of
/// their places. A price of another type, such as an object, is an error.
package struct ProductMapping: Equatable, Sendable {
    /// The JSON pointer to the list of products; nil if the answer is itself a single product.
    package var items: JSONPointer?
    /// Where to find the product's id; an answer without an id is an error.
    package var id: [Place] = []
    package var codes: [Place] = []
    package var name: [Place] = []
    package var price: PriceRule?
    package var unit: [Place] = []
    package var attributes: [Named<[Place]>] = []
    /// How to verify that a product has the requested code; nil to trust the catalog.
    package var verify: VerifyRule?

    package init() {}
}

package struct PriceRule: Equatable, Sendable {
    package enum Notation: Equatable, Sendable {
        /// A decimal number, or a string that contains one.
        case decimal
        /// A whole number in the currency's minor units: 349 is 3.49 EUR or 349 JPY.
        case minorUnits
        /// An integer to divide by 10^`decimals`, whatever the currency: if `decimals` is 3, 3490 means 3.490.
        case scaled(decimals: Int)
    }

    /// Where to find the amount; the first place with a value counts.
    package var amount: [Place]
    package var notation: Notation
    package var currency: [Place]

    package init(amount: [Place], notation: Notation = .decimal, currency: [Place] = []) {
        (self.amount, self.notation, self.currency) = (amount, notation, currency)
    }
}

package struct VerifyRule: Equatable, Sendable {
    /// The meaning of an answer without the requested code.
    package enum Otherwise: String, CaseIterable, Sendable {
        /// The lookup fails, which suits catalogs that should never return a product with another code.
        case failed
        /// The product counts as not found, which suits catalogs that also return similar codes.
        case notFound = "not-found"
    }

    /// Where to find a product's codes: strings, numbers, or lists of them.
    package var codes: [Place]
    package var otherwise: Otherwise
    /// Whether every place in ``codes`` that has a value must contain the requested code.
    package var needsEveryPlace: Bool

    package init(codes: [Place], otherwise: Otherwise = .failed, needsEveryPlace: Bool = false) {
        (self.codes, self.otherwise) = (codes, otherwise)
        self.needsEveryPlace = needsEveryPlace
    }
}

/// A second request, for data that the first answer only refers to.
package struct FollowUp: Equatable, Sendable {
    /// A placeholder of the follow-up request, with a value taken from the first answer.
    package struct Captured: Equatable, Sendable {
        package var name: String
        /// Where the first answer may contain the placeholder's value; the first place with a value is used.
        ///
        /// If none has a value, the lookup fails, or finds no product if a list has no element with the requested code.
        package var places: [Place]
        /// Places in the follow-up answer; the first value there must equal the placeholder's; empty for no check.
        package var repeated: [Place]

        package init(_ name: String, _ places: [Place], repeated: [Place] = []) {
            (self.name, self.places, self.repeated) = (name, places, repeated)
        }
    }

    package var captured: [Captured]
    package var request: RequestDeclaration
    package var rules: AnswerRules

    package init(
        captured: [Captured] = [], request: RequestDeclaration, rules: AnswerRules = AnswerRules()
    ) {
        (self.captured, self.request, self.rules) = (captured, request, rules)
    }
}
