package import WireText

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
        var members = JSONObject(capacity: attributes.count)
        for (name, value) in sortedAttributes { members.append(name, .string(value)) }
        object.append("attributes", .object(members))
        return .object(object)
    }

    /// Reads a product that was written by ``jsonValue``; nil where it is none.
    ///
    /// - Parameter json: The object.
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
        for member in object["attributes"]?.object?.members ?? [] {
            attributes[member.key] = member.value.string
        }
    }
}
