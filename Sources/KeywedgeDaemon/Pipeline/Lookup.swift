package import Catalog
package import WireText

extension LookupResult {
    /// Appends the fields `lookup` and, where there is one, `product`.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - took: How long the lookup took; nil where time is not the machine's own.
    package func append(to data: inout JSONObject, took: Duration?) {
        var lookup = JSONObject(capacity: 6)
        lookup.appendNew("status", .string(status.rawValue))
        if let origin { append(origin, to: &lookup) }
        if let match, match.isAmbiguous {
            let ids = match.candidates.map { JSONValue.string($0.id) }
            lookup.appendNew("candidates", .array(ids))
        }
        if let failure {
            lookup.appendNew("catalog", .string(failure.catalog))
            lookup.appendNew("code", .string(failure.failure.code.rawValue))
            lookup.appendNew("reason", .string(failure.failure.reason.description))
        }
        if failures.count > (failure == nil ? 0 : 1) {
            lookup.appendNew("failures", .array(failures.map { .object($0.data) }))
        }
        if attempts > 0 { lookup.appendNew("attempts", .integer(Int64(attempts))) }
        if let milliseconds = took?.milliseconds { lookup.appendNew("took_ms", milliseconds) }
        data.appendNew("lookup", .object(lookup))
        guard let match else { return }
        data.appendNew("product", match.product.data(isStale: isStale))
    }

    private func append(_ origin: LookupOrigin, to lookup: inout JSONObject) {
        lookup.appendNew("origin", .string(origin.name))
        guard origin != .embedded else { return }
        if let catalog { lookup.appendNew("catalog", .string(catalog)) }
        if let age = origin.age { lookup.appendNew("age_s", .integer(age.components.seconds)) }
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
            "reason": .string(failure.reason.description),
        ]
    }
}

extension Duration {
    /// The duration in milliseconds, exact to the microsecond.
    var milliseconds: JSONValue? {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0, seconds < 1_000_000_000 else { return nil }
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return .number(JSONNumber(thousandths: UInt64(microseconds)))
    }
}

extension Product {
    /// The product as the `product` field of an event.
    ///
    /// - Parameter isStale: Whether it is what a catalog said earlier and may not hold any more;
    ///   then a price is marked.
    /// - Returns: The field's value.
    package func data(isStale: Bool = false) -> JSONValue {
        var data = JSONObject(capacity: 8)
        data.appendNew("id", .string(id))
        if let name { data.appendNew("name", .string(name)) }
        if let price {
            data.appendNew("price", .string(price.amount))
            data.appendNew("currency", .string(price.currency.description))
            if isStale { data.appendNew("price_stale", true) }
        }
        if let unit { data.appendNew("unit", .string(unit)) }
        if !codes.isEmpty { data.appendNew("codes", .array(codes.map(JSONValue.string))) }
        if !attributes.isEmpty {
            var object = JSONObject(capacity: attributes.count)
            for (name, value) in sortedAttributes { object.appendNew(name, .string(value)) }
            data.appendNew("attributes", .object(object))
        }
        return .object(data)
    }
}
