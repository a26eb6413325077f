package import WireText

/// Which parts of an answer are which fields of a product.
///
/// Each field is a list of places, of which the first that is there counts; `null`, an empty text
/// and a text of white space count as missing.
package struct ProductMapping: Equatable, Sendable {
    /// An attribute and where it comes from.
    package struct Attribute: Equatable, Sendable {
        package var name: String
        package var places: [Place]

        package init(_ name: String, _ places: [Place]) {
            self.name = name
            self.places = places
        }
    }

    /// The list of products in the answer; nil if the answer is one product.
    package var items: JSONPointer?
    /// The id; an answer without one is no product.
    package var id: [Place] = []
    /// The codes: all of these that are there, and of a list all elements.
    package var codes: [Place] = []
    package var name: [Place] = []
    package var price: PriceRule?
    /// What the price is for.
    package var unit: [Place] = []
    package var attributes: [Attribute] = []
    /// How the answer is known to be about the code asked for; nil if it is not.
    package var verify: VerifyRule?

    package init() {}
}

/// Where a product's price comes from, and how it is written there.
package struct PriceRule: Equatable, Sendable {
    /// How an amount is written.
    package enum Notation: Equatable, Sendable {
        /// As a decimal number, or as a text with one.
        case decimal
        /// As a whole number of the currency's minor unit: 349 is 3.49 EUR, and 349 JPY.
        case minorUnits
        /// As a whole number with so many decimals left off, whatever the currency.
        case scaled(decimals: Int)
    }

    /// The amount: the first of these that is there.
    package var amount: [Place]
    package var notation: Notation
    /// The currency: the first of these that is there.
    package var currency: [Place]

    package init(amount: [Place], notation: Notation = .decimal, currency: [Place] = []) {
        self.amount = amount
        self.notation = notation
        self.currency = currency
    }
}

/// Where a product's own codes are, so that the answer is known to be about the code asked for.
package struct VerifyRule: Equatable, Sendable {
    /// What it means that no product in an answer has the code.
    package enum Otherwise: String, CaseIterable, Sendable {
        /// The catalog is wrong: it answers with other products.
        case failed
        /// The catalog searches loosely, and has no such product.
        case notFound = "not-found"
    }

    /// Where the codes are: texts, numbers, or lists of them.
    package var codes: [Place]
    package var otherwise: Otherwise
    /// Whether the code has to be at each place that is there, instead of at any: a place that only
    /// repeats the question must not stand for the other.
    package var needsEveryPlace: Bool

    package init(
        codes: [Place], otherwise: Otherwise = .failed, needsEveryPlace: Bool = false
    ) {
        self.codes = codes
        self.otherwise = otherwise
        self.needsEveryPlace = needsEveryPlace
    }
}

/// A second request, for what the first answer only names.
package struct FollowUp: Equatable, Sendable {
    /// A placeholder of the second request, and where its value is in the first answer.
    package struct Captured: Equatable, Sendable {
        package var name: String
        /// Where its value is: the first of these that is there counts.
        ///
        /// A list in which no element has the code that was asked means that there is no such
        /// product.
        package var places: [Place]
        /// Where the second answer repeats the value, so that it is known to be about it: the first
        /// of these that is there counts; without places, nothing is verified.
        package var repeated: [Place]

        package init(_ name: String, _ places: [Place], repeated: [Place] = []) {
            self.name = name
            self.places = places
            self.repeated = repeated
        }
    }

    package var captured: [Captured]
    package var request: RequestDeclaration
    /// What the answers to the second request mean.
    package var rules: AnswerRules

    package init(
        captured: [Captured] = [], request: RequestDeclaration, rules: AnswerRules = AnswerRules()
    ) {
        self.captured = captured
        self.request = request
        self.rules = rules
    }
}
