package import WireText

/// An article that a shop sells; missing values are nil, and no text is empty.
package struct Product: Hashable, Sendable {
    package var id: String
    /// The codes as written, the main one first: GTINs, SKUs, PLUs or free text.
    package var codes: [String]
    package var name: String?
    package var price: Price?
    /// Prices with a period of validity; at any time, the first valid one replaces ``price``.
    package var datedPrices: [DatedPrice] = []
    /// The unit to which the price applies, such as `pcs`, `kg` or `100 g`.
    package var unit: String?
    package var attributes: [String: String]

    package init(
        id: String, codes: [String] = [], name: String? = nil, price: Price? = nil,
        unit: String? = nil, attributes: [String: String] = [:]
    ) {
        (self.id, self.codes, self.name, self.price) = (id, codes, name, price)
        (self.unit, self.attributes) = (unit, attributes)
    }

    /// The attributes, sorted by their names' Unicode scalars so that the order is the same on every machine.
    package var sortedAttributes: [(name: String, value: String)] {
        attributes.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
            .map { (name: $0.key, value: $0.value) }
    }

    /// Returns the product with the price that is valid at `time`, in microseconds since 1970.
    package func priced(at time: Int64) -> Product {
        guard let dated = datedPrices.first(where: { $0.holds(at: time) }) else { return self }
        var product = self
        product.price = dated.price
        return product
    }
}

extension Product {
    package var jsonValue: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "codes": .array(codes.map(JSONValue.string)),
        ]
        if let name { object.append("name", .string(name)) }
        if let unit { object.append("unit", .string(unit)) }
        if let price {
            object.append("price", .string(price.amount))
            object.append("currency", .string(price.currency.code))
        }
        if !datedPrices.isEmpty { object.append("prices", .array(datedPrices.map(\.json))) }
        object.append("attributes", .object(jsonAttributes))
        return .object(object)
    }

    var jsonAttributes: JSONObject {
        var object = JSONObject(capacity: attributes.count)
        for (name, value) in sortedAttributes { object.append(name, .string(value)) }
        return object
    }

    package init?(json: JSONValue) {
        guard let object = json.object, let id = object["id"]?.string else { return nil }
        self.init(
            id: id, codes: object["codes"]?.array?.compactMap(\.string) ?? [],
            name: object["name"]?.string, unit: object["unit"]?.string)
        price = Price(json: object)
        datedPrices = (object["prices"]?.array ?? []).compactMap { DatedPrice(json: $0) }
        for member in object["attributes"]?.object?.members ?? [] {
            attributes[member.key] = member.value.string
        }
    }
}
