package import WireText

/// Where a product's fields are in an answer.
///
/// Each field is a list of places. The first whose value is neither `null` nor blank is used; for ``codes``, all are.
package struct ProductMapping: Equatable, Sendable {
    /// The JSON pointer to the list of products; nil if the answer is itself a single product.
    package var items: JSONPointer?
    /// The places of the product's id; an answer without an id is an error.
    package var id: [Place] = []
    /// The places of the product's codes; the codes from all places are combined.
    package var codes: [Place] = []
    package var name: [Place] = []
    package var price: PriceRule?
    /// The places of the unit that the price applies to.
    package var unit: [Place] = []
    package var attributes: [Named<[Place]>] = []
    /// How to verify that a product has the requested code; nil to trust the catalog.
    package var verify: VerifyRule?

    package init() {}
}

/// Where a product's price is in an answer, and how it is written.
package struct PriceRule: Equatable, Sendable {
    package enum Notation: Equatable, Sendable {
        /// A decimal number, or a string that contains one.
        case decimal
        /// A whole number of the currency's minor unit: 349 is 3.49 EUR or 349 JPY.
        case minorUnits
        /// A whole number whose last `decimals` digits are decimals, whatever the currency: with 3, 3490 is 3.490.
        case scaled(decimals: Int)
    }

    /// The places of the amount; the first with a value is used.
    package var amount: [Place]
    package var notation: Notation
    /// The places of the currency; the first with a value is used.
    package var currency: [Place]

    package init(amount: [Place], notation: Notation = .decimal, currency: [Place] = []) {
        (self.amount, self.notation, self.currency) = (amount, notation, currency)
    }
}

/// How to verify that a product in an answer has the requested code.
package struct VerifyRule: Equatable, Sendable {
    /// The meaning of an answer in which no product has the requested code.
    package enum Otherwise: String, CaseIterable, Sendable {
        /// The lookup fails, because the catalog returned other products.
        case failed
        /// The catalog has no such product; its search also returns products with similar codes.
        case notFound = "not-found"
    }

    /// The places of a product's codes: strings, numbers, or lists of them.
    package var codes: [Place]
    package var otherwise: Otherwise
    /// Whether every place with a value must contain the code, because a single one might just repeat the request.
    package var needsEveryPlace: Bool

    package init(codes: [Place], otherwise: Otherwise = .failed, needsEveryPlace: Bool = false) {
        (self.codes, self.otherwise) = (codes, otherwise)
        self.needsEveryPlace = needsEveryPlace
    }
}

/// A second request, for data that the first answer only refers to.
package struct FollowUp: Equatable, Sendable {
    /// A placeholder of the second request, and where its value is in the first answer.
    package struct Captured: Equatable, Sendable {
        package var name: String
        /// The places of the value in the first answer; the first with a value is used.
        ///
        /// If a place asks for the list element with the requested code, and no element has it, there is no such
        /// product.
        package var places: [Place]
        /// The places where the second answer repeats the value, to verify that it answers the second request.
        ///
        /// The first place with a value is compared; if the list is empty, nothing is verified.
        package var repeated: [Place]

        package init(_ name: String, _ places: [Place], repeated: [Place] = []) {
            (self.name, self.places, self.repeated) = (name, places, repeated)
        }
    }

    package var captured: [Captured]
    package var request: RequestDeclaration
    /// Rules that say what answers to the second request mean.
    package var rules: AnswerRules

    package init(
        captured: [Captured] = [], request: RequestDeclaration, rules: AnswerRules = AnswerRules()
    ) {
        (self.captured, self.request, self.rules) = (captured, request, rules)
    }
}
