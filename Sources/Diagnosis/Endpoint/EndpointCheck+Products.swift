import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

/// The search for the product in an answer, and for the code in the product.
extension EndpointCheck {
    /// Returns the product that the trial found, or else the likeliest one; nil without a product.
    func item(of trial: EndpointTrial) -> JSONValue? {
        let elements = elements(of: trial)
        let read = trial.match?.product.id
        return elements.first { read != nil && id(of: $0)?.fieldText == read }
            ?? elements.first { !codePlaces(in: $0, trial).isEmpty } ?? elements.first
    }

    /// Returns the places where the code occurs in the first product that contains it; empty if no product does.
    func codePlaces(_ trial: EndpointTrial) -> [Place] {
        elements(of: trial).lazy.map { codePlaces(in: $0, trial) }.first { !$0.isEmpty } ?? []
    }

    private func elements(of trial: EndpointTrial) -> [JSONValue] {
        guard let items = catalog.declaration.product.items else {
            return [trial.document].compactMap(\.self)
        }
        return trial.document?[items]?.array ?? []
    }

    private func codePlaces(in item: JSONValue, _ trial: EndpointTrial) -> [Place] {
        let gtin = decoder.decode(trial.wanted.code, aim: nil).gtin
        let texts = Set(trial.asked + [trial.wanted.code])
        let isCode = { (value: JSONValue) in
            guard let text = value.fieldText else { return false }
            return texts.contains(text)
                || (gtin != nil && decoder.decode(text, aim: nil).gtin == gtin)
        }
        return JSONPlaces.all(in: item) { $0.array != nil || isCode($0) }.flatMap { pointer in
            let place = Place.at(.item, pointer)
            guard let elements = item[pointer]?.array else { return [place] }
            if elements.contains(where: isCode) { return [place] }
            let places = elements.lazy.map { JSONPlaces.all(in: $0, where: isCode) }
            return (places.first { !$0.isEmpty } ?? []).map { .each(of: place, take: $0) }
        }
    }

    /// Whether the product rejected by the `verify` rule has a different code at the rule's places.
    func hasOtherCode(_ trial: EndpointTrial) -> Bool {
        guard let item = item(of: trial), let answer = trial.document else { return false }
        let documents = Documents(answer: answer, item: item)
        let places = catalog.declaration.product.verify?.codes ?? []
        return !places.flatMap(documents.codes).isEmpty
    }
}

/// The search for the list of products in an answer.
extension EndpointCheck {
    /// A list in the answer that may contain the products, rated by its element with the code or else its first one.
    private struct List {
        var pointer: JSONPointer
        var hasCode: Bool
        var hasPrice: Bool
        var fields: Int

        var fit: (Int, Int, Int) { (hasPrice ? 1 : 0, fields, hasCode ? 1 : 0) }
    }

    /// Returns a remedy that declares a likelier list of products; nil if no list is likelier.
    func listed(_ trial: EndpointTrial, among known: [EndpointTrial]) -> Remedy? {
        let items = catalog.declaration.product.items
        guard let document = trial.document, items == nil || item(of: trial) == nil,
            let best = lists(in: document, trial).max(by: { $0.fit < $1.fit })
        else { return nil }
        let own = items == nil && document.array == nil ? fields(in: document) : 0
        let isLikelier =
            best.fields > own || own == 0 && (best.hasCode || idPlace(in: document) == nil)
        return isLikelier || best.hasPrice ? naming(best.pointer, known) : nil
    }

    private func lists(in document: JSONValue, _ trial: EndpointTrial) -> [List] {
        JSONPlaces.all(in: document) { $0.array?.first?.object != nil }.compactMap { pointer in
            let elements = document[pointer]?.array ?? []
            let own = elements.first { !codePlaces(in: $0, trial).isEmpty }
            return (own ?? elements.first).map {
                List(
                    pointer: pointer, hasCode: own != nil,
                    hasPrice: own.map { !rules(trial, in: $0).isEmpty } ?? false,
                    fields: fields(in: $0))
            }
        }
    }

    /// Counts how many of ID, name and price are at declared places in `value`, outside lists.
    private func fields(in value: JSONValue) -> Int {
        let product = catalog.declaration.product
        return [product.id, product.name, product.price?.amount ?? []].count { places in
            places.contains { place in
                guard case .at(.item, let pointer) = place else { return false }
                let isInList = pointer.tokens.indices.contains { end in
                    value[JSONPointer(Array(pointer.tokens[..<end]))]?.array != nil
                }
                return !isInList && value[pointer]?.fieldText != nil
            }
        }
    }

    private func naming(_ list: JSONPointer, _ known: [EndpointTrial]) -> Remedy {
        let advice =
            "The products are in a list of the answer: name it. The other places are then those in its "
            + "elements."
        var listing = self
        listing.catalog.declaration.product.items = list
        guard catalog.declaration.product.verify == nil,
            let rule = listing.verifying(nil, known)
        else { return remedy(advice, "product.items") { $0.declaration.product.items = list } }
        return remedy(advice, "product.items", "product.verify") {
            $0.declaration.product.items = list
            $0.declaration.product.verify = rule
        }
    }
}

/// The check of a product's price, and the remedy for a wrong price.
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

    /// Returns `has no price at …` if the answer has no value at any place declared for the price; otherwise nil.
    private func misplacedPrice(_ trial: EndpointTrial) -> String? {
        let tried = trial.places.filter { $0.field == "price" }
        guard !tried.isEmpty, tried.allSatisfy(\.isMissing) else { return nil }
        let places = tried.compactMap(\.place).map { $0.quoted() }
        return "has no price at \(places.joined(separator: " or "))"
    }

    /// Returns a remedy for a wrong price; if possible, it declares where the answer contains the expected price.
    func remedy(forPriceOf asked: EndpointTrial, among known: [EndpointTrial]) -> Remedy {
        let declared = catalog.declaration.product.price
        let rules = known.filter { $0.wanted.price != nil && $0.match != nil }.map { known in
            item(of: known).map { self.rules(known, in: $0) } ?? []
        }
        let common = (rules.first ?? []).filter { rule in rules.allSatisfy { $0.contains(rule) } }
        let isDeclared = { (rule: PriceRule) in declared?.amount.contains(rule.amount[0]) == true }
        guard let rule = common.first(where: isDeclared) ?? common.first else {
            if let listed = listed(asked, among: known) { return listed }
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

    /// Returns a rule for each place in `item` that contains the expected price.
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

enum JSONPlaces {
    /// The maximum numbers of values and of nesting levels to search; real products stay far below them.
    private static let (valueLimit, depthLimit) = (2000, 6)

    /// Returns pointers to the matching values, outermost first.
    ///
    /// Values in lists are skipped by default, because the next answer may have them at other indices.
    static func all(
        in value: JSONValue, inLists: Bool = false, where matches: (JSONValue) -> Bool
    ) -> [JSONPointer] {
        var values: [(pointer: JSONPointer, value: JSONValue)] = [(JSONPointer(), value)]
        var next = 0
        while next < min(values.count, valueLimit) {
            let (pointer, value) = values[next]
            next += 1
            guard pointer.tokens.count < depthLimit else { continue }
            switch value {
            case .object(let object):
                values += object.members.map { (pointer.appending($0.key), $0.value) }
            case .array(let elements) where inLists:
                values += elements.prefix(3).enumerated().map {
                    (pointer.appending(String($0)), $1)
                }
            default: break
            }
        }
        return values.prefix(valueLimit).filter { matches($0.value) }.map(\.pointer)
    }
}
