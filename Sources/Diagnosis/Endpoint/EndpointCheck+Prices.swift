import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

extension EndpointCheck {
    /// What is wrong with the price that was read; nil where nothing is known to be.
    func wrongPrice(_ asked: KnownTrial) -> String? {
        guard let product = asked.trial.match?.product else { return nil }
        guard let price = product.price else {
            if let expected = asked.known.price { return "has no price, expected \(expected)" }
            return misplacedPrice(asked.trial)
        }
        return asked.hasRightPrice ? nil : "costs \(price), expected \(asked.known.price ?? "")"
    }

    /// Says that the places of the price are not in the answer; nil where one of them is.
    ///
    /// One that is empty may be a product without a price. Where none is there, the places are wrong.
    private func misplacedPrice(_ trial: EndpointTrial) -> String? {
        guard catalog.declaration.product.price != nil else { return nil }
        let tried = trial.places.filter { $0.field == "price" }
        guard !tried.isEmpty, tried.allSatisfy(\.isMissing) else { return nil }
        let places = tried.compactMap(\.place).map { $0.quoted() }
        return "has no price at \(places.joined(separator: " or "))"
    }

    /// The settings with which the price that was named may be read, the likeliest first.
    func candidates(forPriceOf asked: KnownTrial) -> [Candidate] {
        guard let expected = asked.known.price else { return [] }
        let advice = "The price stands elsewhere in the answer, or otherwise than declared."
        let rules = notations + places(ofPrice: expected, asked.trial)
        return rules.map { rule in
            Candidate(
                advice: advice, catalog: changed { $0.declaration.product.price = rule },
                path: ["product", "price"])
        }
    }

    /// The rule with another notation.
    private var notations: [PriceRule] {
        guard let rule = catalog.declaration.product.price else { return [] }
        return [PriceRule.Notation.minorUnits, .decimal].filter { $0 != rule.notation }.map {
            PriceRule(amount: rule.amount, notation: $0, currency: rule.currency)
        }
    }

    /// Rules with the places of an answer at which an amount stands, as a decimal or in minor units.
    private func places(ofPrice text: String, _ trial: EndpointTrial) -> [PriceRule] {
        guard let item = item(of: trial), let euro = Currency("EUR"),
            let expected = EndpointCodes.Known.price(text, in: euro)
        else { return [] }
        let currencies =
            catalog.declaration.product.price?.currency ?? [
                .constant(expected.currency.code)
            ]
        let minor = expected.amount.filter { $0 != "." }.drop { $0 == "0" }
        return [PriceRule.Notation.decimal, .minorUnits].flatMap { notation in
            JSONPlaces.all(in: item) { value in
                guard let amount = Self.amount(value) else { return false }
                return notation == .minorUnits
                    ? amount == minor
                    : EndpointCodes.Known.price(amount, in: expected.currency)?.amount
                        == expected.amount
            }.prefix(4).map { pointer in
                PriceRule(
                    amount: [.at(.item, pointer)], notation: notation,
                    currency: currencies)
            }
        }
    }

    /// Says at which other places of all answers the prices stand that were named: which of them is
    /// the price is for a person to say.
    func otherPlaces(
        ofPriceIn known: [KnownTrial], besides catalog: HTTPCatalogConfiguration
    ) -> String {
        guard let rule = catalog.declaration.product.price else { return "" }
        let places = known.compactMap { asked -> [Place]? in
            guard let price = asked.known.price, asked.trial.match != nil else { return nil }
            return self.places(ofPrice: price, asked.trial).filter { $0.notation == rule.notation }
                .flatMap(\.amount)
        }
        guard let first = places.first else { return "" }
        let others = first.filter { place in
            !rule.amount.contains(place) && places.allSatisfy { $0.contains(place) }
        }
        guard !others.isEmpty else { return "" }
        return
            " It stands at \(others.map { $0.text.quoted() }.joined(separator: " and ")) as well: "
            + "which of them is the price you sell at, the service's documentation says."
    }

    private static func amount(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): number.literal
        default: nil
        }
    }

    /// What to do where no setting that was tried gives the right price.
    func hint(forPriceOf asked: KnownTrial) -> Remedy {
        let more = asked.known.price == nil ? " With --known CODE=PRICE its place is searched." : ""
        let paths = catalog.declaration.product.price == nil ? ["product"] : ["product", "price"]
        return remedy(
            "Compare the places with what the catalog answers (keywedge lookup --explain).\(more)",
            catalog, paths)
    }
}

extension KnownTrial {
    /// Whether the product was found, with the price that was named where one was.
    var isRight: Bool { trial.match != nil && hasRightPrice }

    /// Whether the price is the one that was named, if one was.
    fileprivate var hasRightPrice: Bool {
        guard let expected = known.price else { return true }
        guard let price = trial.match?.product.price else { return false }
        return EndpointCodes.Known.price(expected, in: price.currency) == price
    }
}
