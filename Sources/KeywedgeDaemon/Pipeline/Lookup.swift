public import Barcodes
public import Catalog
public import WireText

/// What became of looking a scan up, as the event tells it.
public enum Lookup: Sendable {
    /// A source has the product.
    case found(Match, origin: String)
    /// Every source answered, and none has the product.
    case notFound
    /// No source has the product, and this one could not answer.
    case failed(reason: String, origin: String)
    /// There is no source to ask.
    case skipped
}

extension Lookup {
    /// Asks `sources` in order; the first that has the product wins.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - sources: Where to look.
    /// - Returns: What was found. A source that failed is told of only where none has the product:
    ///   that the product is unknown would be a guess then.
    public static func run(
        _ barcode: Barcode, in sources: [any ProductSource]
    ) async -> Lookup {
        var result = sources.isEmpty ? Lookup.skipped : .notFound
        for source in sources {
            switch await source.lookup(barcode) {
            case .found(let match): return .found(match, origin: source.name)
            case .notFound: break
            case .failed(let reason):
                if case .failed = result { break }
                result = .failed(reason: reason, origin: source.name)
            }
        }
        return result
    }

    /// Appends the fields `lookup` and, where there is one, `product`.
    ///
    /// - Parameters:
    ///   - data: Where the fields are appended.
    ///   - took: How long the lookup took; nil where time is not the machine's own.
    public func append(to data: inout JSONObject, took: Duration?) {
        var lookup = JSONObject(capacity: 4)
        lookup.append("status", .string(status))
        switch self {
        case .found(let match, let origin):
            lookup.append("origin", .string(origin))
            if match.isAmbiguous {
                let ids = match.candidates.map { JSONValue.string($0.id) }
                lookup.append("candidates", .array(ids))
            }
        case .failed(let reason, let origin):
            lookup.append("origin", .string(origin))
            lookup.append("reason", .string(reason))
        case .notFound, .skipped: break
        }
        if let milliseconds = took?.milliseconds { lookup.append("took_ms", milliseconds) }
        data.append("lookup", .object(lookup))
        if case .found(let match, _) = self { data.append("product", match.product.data) }
    }

    /// The value of `lookup.status`.
    public var status: String {
        switch self {
        case .found: "found"
        case .notFound: "not-found"
        case .failed: "failed"
        case .skipped: "skipped"
        }
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
    public var data: JSONValue {
        var data = JSONObject(capacity: 7)
        data.append("id", .string(id))
        if let name { data.append("name", .string(name)) }
        if let price {
            data.append("price", .string(price.amount))
            data.append("currency", .string(price.currency.description))
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
