import Barcodes
import WireText

/// Reads the products of an answer, as the mapping of a declaration says.
struct ProductReader {
    let mapping: ProductMapping
    let documents: Documents

    /// The items of the answer: itself, or the elements of its list.
    func items() throws(MappingError) -> [JSONValue] {
        guard let pointer = mapping.items else { return [documents.answer] }
        switch documents.answer[pointer] {
        case .array(let elements): return elements
        case nil: throw .noList(place: pointer.description, found: "nothing")
        case let other?: throw .noList(place: pointer.description, found: other.kind)
        }
    }

    /// Whether an item has one of the codes that would do; true where nothing is to be verified.
    func isVerified(_ item: JSONValue, against codes: CodeComparison) -> Bool {
        guard let verify = mapping.verify else { return true }
        let documents = at(item)
        return verify.codes.contains { place in
            documents.codes(at: place).contains(where: codes.matches)
        }
    }

    /// The codes an item says it has, for a message.
    func codes(of item: JSONValue) -> [String] {
        let documents = at(item)
        return (mapping.verify?.codes ?? []).flatMap(documents.codes)
    }

    /// The product an item is.
    func product(_ item: JSONValue) throws(MappingError) -> MappedProduct {
        let documents = at(item)
        guard let id = documents.text(mapping.id) else {
            throw .noID(places: mapping.id.map(\.text))
        }
        var mapped = MappedProduct(product: Product(id: id.text), origins: [])
        mapped.note("id", id.source)
        if let name = documents.text(mapping.name) {
            mapped.product.name = name.text
            mapped.note("name", name.source)
        }
        if let rule = mapping.price,
            let found = try PriceReader(rule: rule, documents: documents).price()
        {
            mapped.product.price = found.price
            mapped.note("price", .place(found.place))
        }
        if let unit = documents.text(mapping.unit) {
            mapped.product.unit = unit.text
            mapped.note("unit", unit.source)
        }
        readCodes(of: documents, into: &mapped)
        for attribute in mapping.attributes {
            guard let value = documents.text(attribute.sources) else { continue }
            mapped.product.attributes[attribute.name] = value.text
            mapped.note("attributes." + attribute.name, value.source)
        }
        return mapped
    }

    private func readCodes(of documents: Documents, into mapped: inout MappedProduct) {
        for place in mapping.codes {
            let texts = documents.codes(at: place)
            guard !texts.isEmpty else { continue }
            for text in texts where !mapped.product.codes.contains(text) {
                mapped.product.codes.append(text)
            }
            mapped.origins.append(MappedProduct.Origin(field: "code", place: place.text))
        }
    }

    private func at(_ item: JSONValue) -> Documents {
        var documents = documents
        documents.item = item
        return documents
    }
}

extension MappedProduct {
    fileprivate mutating func note(_ field: String, _ source: FieldSource) {
        switch source {
        case .place(let place): origins.append(Origin(field: field, place: place.text))
        case .constant(let text): origins.append(Origin(field: field, place: text.quoted))
        }
    }
}
