import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WireText

/// Finds the product in an answer, and the code in the product.
extension EndpointCheck {
    /// The product in an answer.
    ///
    /// In a list, this is the product that the lookup found. If it found none, this is the first product with the
    /// code, or else the first product of all.
    func item(of trial: EndpointTrial) -> JSONValue? {
        let elements = elements(of: trial)
        let read = trial.match?.product.id
        return elements.first { read != nil && id(of: $0)?.fieldText == read }
            ?? elements.first { !codePlaces(in: $0, trial).isEmpty } ?? elements.first
    }

    /// The places of the requested code in the first product that contains it; empty if none does.
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

    /// Whether the product in an answer has any code at the pointers of the declared `verify` rule.
    ///
    /// If that rule rejected the answer, the code belongs to another product.
    func hasOtherCode(_ trial: EndpointTrial) -> Bool {
        guard let item = item(of: trial), let answer = trial.document else { return false }
        let documents = Documents(answer: answer, item: item)
        let places = catalog.declaration.product.verify?.codes ?? []
        return !places.flatMap(documents.codes).isEmpty
    }
}

/// Finds the list of products in an answer if the declaration does not name it.
///
/// A pointer to one element of the list does not help, because the next answer may have its product at another index.
extension EndpointCheck {
    /// The remedy that sets `items` to the likeliest list of products in the answer.
    ///
    /// Returns nil if there is no such list, if the declared list works, or if the answer itself looks like a product.
    func listed(_ trial: EndpointTrial, among known: [EndpointTrial]) -> Remedy? {
        let items = catalog.declaration.product.items
        guard let document = trial.document, items == nil || item(of: trial) == nil,
            let best = lists(in: document, trial).max(by: { $0.fit < $1.fit })
        else { return nil }
        let own = items == nil && document.array == nil ? fields(in: document) : 0
        guard best.fields > own || own == 0 && (best.hasCode || idPlace(in: document) == nil) else {
            return nil
        }
        return naming(best.pointer, known)
    }

    /// The remedy that declares the list in which an element has the requested code and its expected price; nil if no
    /// list has such an element, or if a list is already declared.
    func listed(withPriceOf asked: EndpointTrial, among known: [EndpointTrial]) -> Remedy? {
        guard catalog.declaration.product.items == nil, let document = asked.document
        else { return nil }
        let list = lists(in: document, asked).first { list in
            list.hasCode && !rules(asked, in: list.element).isEmpty
        }
        return list.map { naming($0.pointer, known) }
    }

    private struct List {
        var pointer: JSONPointer
        /// The element with the requested code; the first element if none contains it.
        var element: JSONValue
        var hasCode: Bool
        var fields: Int

        var fit: (Int, Int) { (fields, hasCode ? 1 : 0) }
    }

    private func lists(in document: JSONValue, _ trial: EndpointTrial) -> [List] {
        JSONPlaces.all(in: document) { $0.array?.first?.object != nil }.compactMap { pointer in
            let elements = document[pointer]?.array ?? []
            let own = elements.first { !codePlaces(in: $0, trial).isEmpty }
            return (own ?? elements.first).map {
                List(
                    pointer: pointer, element: $0, hasCode: own != nil, fields: fields(in: $0))
            }
        }
    }

    /// How many of the declared fields (ID, name and price) a value contains; values in lists do not count.
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

enum JSONPlaces {
    /// Limits on the search; real products are far below them.
    private static let (valueLimit, depthLimit) = (2000, 6)

    /// Returns pointers to the values that meet a condition, outermost first.
    ///
    /// Values in lists are skipped unless `inLists` is true, because other answers may have other values at that index.
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
