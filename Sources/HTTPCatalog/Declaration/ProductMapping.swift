package import WireText

/// The places of a product's fields in an answer.
///
/// Each field lists places, of which the first with a value is used; `null` and blank strings count as missing.
package struct ProductMapping: Equatable, Sendable {
    /// The list of products in the answer; nil if the answer is a single product.
    package var items: JSONPointer?
    /// The id; an answer without one is not a product.
    package var id: [Place] = []
    /// The codes, from all places that exist and all elements of lists.
    package var codes: [Place] = []
    package var name: [Place] = []
    package var price: PriceRule?
    /// The unit that the price is for.
    package var unit: [Place] = []
    package var attributes: [Named<[Place]>] = []
    /// How to verify that the answer is about the code asked for; nil to trust the catalog.
    package var verify: VerifyRule?

    package init() {}
}

/// The place of a product's price, and its notation.
package struct PriceRule: Equatable, Sendable {
    package enum Notation: Equatable, Sendable {
        /// A decimal number, or a string that contains one.
        case decimal
        /// A whole number of the currency's minor unit: 349 is 3.49 EUR, or 349 JPY.
        case minorUnits
        /// A whole number with this many decimals omitted, whatever the currency.
        case scaled(decimals: Int)
    }

    /// The places of the amount; the first that exists counts.
    package var amount: [Place]
    package var notation: Notation
    /// The places of the currency; the first that exists counts.
    package var currency: [Place]

    package init(amount: [Place], notation: Notation = .decimal, currency: [Place] = []) {
        (self.amount, self.notation, self.currency) = (amount, notation, currency)
    }
}

/// The places of a product's own codes, for verifying that the answer is about the code asked for.
package struct VerifyRule: Equatable, Sendable {
    /// The meaning of an answer in which no product has the code.
    package enum Otherwise: String, CaseIterable, Sendable {
        /// The catalog is wrong: it returned other products.
        case failed
        /// The catalog searches loosely and has no such product.
        case notFound = "not-found"
    }

    /// The places of the codes: strings, numbers, or lists of them.
    package var codes: [Place]
    package var otherwise: Otherwise
    /// Whether every place that exists must contain the code, and not just one of them: otherwise a place that only
    /// repeats the request would be enough.
    package var needsEveryPlace: Bool

    package init(codes: [Place], otherwise: Otherwise = .failed, needsEveryPlace: Bool = false) {
        (self.codes, self.otherwise) = (codes, otherwise)
        self.needsEveryPlace = needsEveryPlace
    }
}

/// A second request, for data that the first answer only refers to.
package struct FollowUp: Equatable, Sendable {
    /// A placeholder of the second request, and the places of its value in the first answer.
    package struct Captured: Equatable, Sendable {
        package var name: String
        /// The places of the value; the first that exists counts.
        ///
        /// If no element of a list has the requested code, the catalog has no such product.
        package var places: [Place]
        /// The places where the second answer repeats the value, to verify that it answers the second request.
        ///
        /// The first that exists counts; without places, nothing is verified.
        package var repeated: [Place]

        package init(_ name: String, _ places: [Place], repeated: [Place] = []) {
            (self.name, self.places, self.repeated) = (name, places, repeated)
        }
    }

    package var captured: [Captured]
    package var request: RequestDeclaration
    /// The meaning of the answers to the second request.
    package var rules: AnswerRules

    package init(
        captured: [Captured] = [], request: RequestDeclaration, rules: AnswerRules = AnswerRules()
    ) {
        (self.captured, self.request, self.rules) = (captured, request, rules)
    }
}
