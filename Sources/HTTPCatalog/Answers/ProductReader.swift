import Barcodes
import Catalog
import WireText

/// Reads the products of an answer, as the mapping of a declaration says.
struct ProductReader {
    let mapping: ProductMapping
    let documents: Documents

    /// The items of the answer: itself, or the elements of its list.
    func items(_ steps: inout [LookupStep]) throws(MappingError) -> [JSONValue] {
        guard let pointer = mapping.items else { return [documents.answer] }
        switch documents.answer[pointer] {
        case .array(let elements):
            steps.append(.items(elements.count))
            return elements
        case nil: throw .noList(place: pointer.description, found: "nothing")
        case let other?: throw .noList(place: pointer.description, found: other.kind)
        }
    }

    /// Whether an item has one of the codes that would do, at any place or at each that is there;
    /// true where nothing is to be verified.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - number: Which it is, from 0 on.
    ///   - codes: The code that was asked.
    ///   - steps: Gets what was held against what.
    /// - Returns: Whether it has one.
    func isVerified(
        _ item: JSONValue, number: Int, against codes: CodeComparison, _ steps: inout [LookupStep]
    ) -> Bool {
        guard let verify = mapping.verify else { return true }
        let documents = at(item)
        let places = verify.codes.map { documents.codes(at: $0) }.filter { !$0.isEmpty }
        let agreeing = places.filter { $0.contains(where: codes.matches) }
        let isVerified =
            !agreeing.isEmpty && (!verify.needsEveryPlace || agreeing.count == places.count)
        steps.append(
            .verified(
                item: number + 1, has: self.codes(of: item), asked: codes.asked, holds: isVerified))
        return isVerified
    }

    /// The codes an item says it has, for a message.
    func codes(of item: JSONValue) -> [String] {
        let documents = at(item)
        return (mapping.verify?.codes ?? []).flatMap { documents.codes(at: $0) }
    }

    /// The product an item is; the places that were tried for its fields go into the steps.
    func product(
        _ item: JSONValue, _ steps: inout [LookupStep]
    ) throws(MappingError) -> Product {
        let documents = at(item)
        guard let id = documents.text(mapping.id, of: "id", &steps) else {
            throw .noID(places: mapping.id.map(\.text))
        }
        var product = Product(id: id)
        product.name = documents.text(mapping.name, of: "name", &steps)
        if let rule = mapping.price {
            let reader = PriceReader(rule: rule, documents: documents)
            product.price = try reader.price(&steps)
        }
        product.unit = documents.text(mapping.unit, of: "unit", &steps)
        for place in mapping.codes {
            let codes = documents.codes(at: place)
            steps.append(
                .place(
                    TriedPlace(
                        field: "codes", place: place.text,
                        outcome: .init(codes, in: documents.value(at: place.place)))))
            for code in codes where !product.codes.contains(code) { product.codes.append(code) }
        }
        for attribute in mapping.attributes {
            product.attributes[attribute.name] = documents.text(
                attribute.sources, of: "attributes." + attribute.name, &steps)
        }
        return product
    }

    /// The answers, with a product at hand.
    func at(_ item: JSONValue) -> Documents {
        var documents = documents
        documents.item = item
        return documents
    }
}
