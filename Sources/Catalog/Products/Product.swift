package import WireText

/// What a shop sells under one or more codes.
///
/// What is absent is nil or left out; no text in it is empty.
package struct Product: Hashable, Sendable {
    /// What the shop calls it by; unique in a catalog.
    package var id: String
    /// Its codes as written: GTINs, SKUs, PLUs, free text; the main one first.
    package var codes: [String]
    /// Its name.
    package var name: String?
    /// Its price.
    package var price: Price?
    /// Prices for a time, which count ahead of `price` while they hold: the first that holds.
    package var datedPrices: [DatedPrice] = []
    /// What the price is for: `pcs`, `kg`, `100 g`.
    package var unit: String?
    /// Whatever else the catalog knows about it.
    package var attributes: [String: String]

    /// Makes a product.
    package init(
        id: String, codes: [String] = [], name: String? = nil, price: Price? = nil,
        unit: String? = nil, attributes: [String: String] = [:]
    ) {
        (self.id, self.codes, self.name, self.price) = (id, codes, name, price)
        (self.unit, self.attributes) = (unit, attributes)
    }

    /// The attributes in the order of their names (by Unicode scalars, on every machine the same).
    package var sortedAttributes: [(name: String, value: String)] {
        attributes.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
            .map { (name: $0.key, value: $0.value) }
    }

    /// The product with the price it has at a time.
    ///
    /// The time is that of the scan, passed in, so that the same scan gives the same price whenever it
    /// is looked up.
    package func priced(at time: Int64) -> Product {
        guard let dated = datedPrices.first(where: { $0.holds(at: time) }) else { return self }
        var product = self
        product.price = dated.price
        return product
    }
}

extension Product {
    /// The product as a JSON text, as answers are kept.
    var json: String { JSONWriter.text(of: jsonValue) }

    /// The product as a JSON object.
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

    /// The attributes as a JSON object, sorted by name.
    var jsonAttributes: JSONObject {
        var object = JSONObject(capacity: attributes.count)
        for (name, value) in sortedAttributes { object.append(name, .string(value)) }
        return object
    }

    /// Reads a product that was written by ``jsonValue``; nil if it is none.
    package init?(json: JSONValue) {
        guard let object = json.object, let id = object["id"]?.string else { return nil }
        self.init(
            id: id, codes: object["codes"]?.array?.compactMap(\.string) ?? [],
            name: object["name"]?.string, unit: object["unit"]?.string)
        if let amount = object["price"]?.string,
            let currency = object["currency"]?.string.flatMap({ Currency($0) })
        {
            price = Price(canonical: amount, currency: currency)
        }
        datedPrices = (object["prices"]?.array ?? []).compactMap { DatedPrice(json: $0) }
        for member in object["attributes"]?.object?.members ?? [] {
            attributes[member.key] = member.value.string
        }
    }
}
