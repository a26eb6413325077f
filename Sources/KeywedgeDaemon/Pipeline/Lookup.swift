public import Catalog
public import WireText

extension LookupResult {
    /// Appends the fields `lookup` and, where there is one, `product`.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - took: How long the lookup took; nil where time is not the machine's own.
    public func append(to data: inout JSONObject, took: Duration?) {
        var lookup = JSONObject(capacity: 6)
        lookup.append("status", .string(status.rawValue))
        if let origin { append(origin, to: &lookup) }
        if let match, match.isAmbiguous {
            let ids = match.candidates.map { JSONValue.string($0.id) }
            lookup.append("candidates", .array(ids))
        }
        if let failure {
            lookup.append("catalog", .string(failure.catalog))
            lookup.append("code", .string(failure.failure.code.rawValue))
            lookup.append("reason", .string(failure.failure.reason))
        }
        if failures.count > (failure == nil ? 0 : 1) {
            lookup.append("failures", .array(failures.map { .object($0.data) }))
        }
        if attempts > 0 { lookup.append("attempts", .integer(Int64(attempts))) }
        if let milliseconds = took?.milliseconds { lookup.append("took_ms", milliseconds) }
        data.append("lookup", .object(lookup))
        guard let match else { return }
        data.append("product", match.product.data(isStale: isStale))
    }

    private func append(_ origin: LookupOrigin, to lookup: inout JSONObject) {
        lookup.append("origin", .string(origin.name))
        guard origin != .embedded else { return }
        if let catalog { lookup.append("catalog", .string(catalog)) }
        if let age = origin.age { lookup.append("age_s", .integer(age.components.seconds)) }
    }

    /// Whether what was found may not hold any more.
    private var isStale: Bool {
        if case .stale = origin { true } else { false }
    }
}

extension LookupResult.Failure {
    /// The failure as an entry of `lookup.failures`.
    var data: JSONObject {
        [
            "catalog": .string(catalog), "code": .string(failure.code.rawValue),
            "reason": .string(failure.reason),
        ]
    }
}

extension Duration {
    /// The duration in milliseconds, exact to the microsecond.
    var milliseconds: JSONValue? {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0, seconds < 1_000_000_000 else { return nil }
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let fraction = String(microseconds % 1_000)
        let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
        return JSONNumber("\(microseconds / 1_000).\(padded)").map(JSONValue.number)
    }
}

extension Product {
    /// The product as the `product` field of an event.
    ///
    /// - Parameter isStale: Whether it is what a catalog said earlier and may not hold any more;
    ///   then a price is marked.
    /// - Returns: The field's value.
    public func data(isStale: Bool = false) -> JSONValue {
        var data = JSONObject(capacity: 8)
        data.append("id", .string(id))
        if let name { data.append("name", .string(name)) }
        if let price {
            data.append("price", .string(price.amount))
            data.append("currency", .string(price.currency.description))
            if isStale { data.append("price_stale", true) }
        }
        if let unit { data.append("unit", .string(unit)) }
        if !codes.isEmpty { data.append("codes", .array(codes.map(JSONValue.string))) }
        if !attributes.isEmpty {
            var object = JSONObject(capacity: attributes.count)
            for (name, value) in sortedAttributes { object.append(name, .string(value)) }
            data.append("attributes", .object(object))
        }
        return .object(data)
    }
}
