import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

extension EndpointCheck {
    /// Describes an error in the product's price, such as `costs 2, expected 3`; nil if no error is known.
    func wrongPrice(_ asked: EndpointTrial) -> String? {
        guard let product = asked.match?.product else { return nil }
        guard let price = product.price else {
            return asked.wanted.price.map { "has no price, expected \($0)" }
                ?? misplacedPrice(asked)
        }
        guard let expected = asked.wanted.price,
            EndpointCodes.Known.price(expected, in: price.currency) != price
        else { return nil }
        return "costs \(price), expected \(expected)"
    }

    /// Returns `has no price at …` if the answer has no value at any pointer declared for the price; otherwise nil.
    ///
    /// A `null` may mean that the product has no price. But if every pointer leads nowhere, the pointers are wrong.
    private func misplacedPrice(_ trial: EndpointTrial) -> String? {
        let tried = trial.places.filter { $0.field == "price" }
        guard !tried.isEmpty, tried.allSatisfy(\.isMissing) else { return nil }
        let places = tried.compactMap(\.place).map { $0.quoted() }
        return "has no price at \(places.joined(separator: " or "))"
    }

    /// The remedy that declares the pointer to the price: the one that leads to the expected price in every answer.
    ///
    /// If several pointers fit, the advice also names the others, because a person must decide which one is right. If
    /// none fits, the remedy is to declare another list of products, or to compare the declaration with the answer.
    func remedy(forPriceOf asked: EndpointTrial, among known: [EndpointTrial]) -> Remedy {
        let declared = catalog.declaration.product.price
        let rules = known.filter { $0.wanted.price != nil && $0.match != nil }.map { known in
            item(of: known).map { self.rules(known, in: $0) } ?? []
        }
        let common = (rules.first ?? []).filter { rule in rules.allSatisfy { $0.contains(rule) } }
        let isDeclared = { (rule: PriceRule) in declared?.amount.contains(rule.amount[0]) == true }
        guard let rule = common.first(where: isDeclared) ?? common.first else {
            let listed =
                listed(withPriceOf: asked, among: known) ?? listed(asked, among: known)
            if let listed { return listed }
            let more =
                asked.wanted.price == nil ? " To search for the price, add --known CODE=PRICE." : ""
            return remedy(
                "Compare the places with the catalog's answer (keywedge lookup --explain).\(more)",
                declared == nil ? "product" : "product.price")
        }
        let others = common.filter { $0.notation == rule.notation && $0 != rule }.flatMap(\.amount)
        let also =
            others.isEmpty
            ? ""
            : " It is also at \(others.map { $0.text.quoted() }.joined(separator: " and ")): the "
                + "service's documentation says which of them is the price you sell at."
        return remedy(
            "The price is at another place in the answer, or in another form than declared." + also,
            "product.price"
        ) { $0.declaration.product.price = rule }
    }

    /// A rule for each pointer that leads to the expected price, as a decimal or in minor units.
    func rules(_ asked: EndpointTrial, in item: JSONValue) -> [PriceRule] {
        guard let euro = Currency("EUR"),
            let expected = asked.wanted.price.flatMap({ EndpointCodes.Known.price($0, in: euro) })
        else { return [] }
        let currency =
            catalog.declaration.product.price?.currency ?? [.constant(expected.currency.code)]
        let minor = expected.amount.filter { $0 != "." }.drop { $0 == "0" }
        return [PriceRule.Notation.decimal, .minorUnits].flatMap { notation in
            JSONPlaces.all(in: item) { value in
                guard let amount = value.fieldText else { return false }
                return notation == .minorUnits
                    ? amount == minor
                    : EndpointCodes.Known.price(amount, in: expected.currency)?.amount
                        == expected.amount
            }.map { PriceRule(amount: [.at(.item, $0)], notation: notation, currency: currency) }
        }
    }
}
