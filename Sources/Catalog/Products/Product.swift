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
        self.id = id
        self.codes = codes
        self.name = name
        self.price = price
        self.unit = unit
        self.attributes = attributes
    }

    /// The attributes in the order of their names (by Unicode scalars, on every machine the same).
    package var sortedAttributes: [(name: String, value: String)] {
        attributes.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
            .map { (name: $0.key, value: $0.value) }
    }
}

extension Product {
    /// The product as a JSON text.
    ///
    /// Answers are kept like this, and the embedded catalog remembers like this what was written back
    /// to it: other bytes would make every such product one that the shop has changed.
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

    /// Reads a product that was written by ``jsonValue``; nil where it is none.
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

extension DatedPrice {
    /// The price as a JSON object: `price`, `currency`, `valid_from`, `valid_until`.
    package var json: JSONValue {
        var object: JSONObject = [
            "price": .string(price.amount), "currency": .string(price.currency.code),
        ]
        if let from { object.append("valid_from", .string(RFC3339.text(from))) }
        if let until { object.append("valid_until", .string(RFC3339.text(until))) }
        return .object(object)
    }

    /// Reads what ``json`` has written; nil where it is none.
    package init?(json: JSONValue) {
        guard let object = json.object, let amount = object["price"]?.string,
            let currency = object["currency"]?.string.flatMap({ Currency($0) }),
            let price = try? Price(amount: amount, currency: currency)
        else { return nil }
        let times = ["valid_from", "valid_until"].map { object[$0]?.string }
        let read = times.map { $0.flatMap(RFC3339.microseconds) }
        // A time that cannot be read must not make a price hold for ever.
        guard zip(times, read).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return nil }
        self.init(price, from: read[0], until: read[1])
    }
}
