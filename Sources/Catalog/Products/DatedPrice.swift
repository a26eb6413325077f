package import WireText

/// A price with a period of validity: a promotion, or a new price from a certain day on.
package struct DatedPrice: Hashable, Sendable {
    package let price: Price
    /// The start of the period of validity, in microseconds since 1970; nil for no limit.
    package let from: Int64?
    /// The end of the period, exclusive; nil for no limit.
    package let until: Int64?

    /// The allowed times, in microseconds since 1970: the years 0001 to 9999.
    static let years: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Creates a dated price; nil if the period is empty, unlimited, or outside ``years``.
    package init?(_ price: Price, from: Int64?, until: Int64?) {
        guard from != nil || until != nil, (from ?? .min) < (until ?? .max),
            [from, until].compactMap(\.self).allSatisfy(Self.years.contains)
        else { return nil }
        (self.price, self.from, self.until) = (price, from, until)
    }

    /// Parses a line such as `3.49 EUR - 1764547200000000` from the database; nil for other text.
    init?(line: Substring) {
        let parts = line.split(separator: " ").map(String.init)
        guard parts.count == 4, let price = Price(canonical: parts[0], parts[1]) else { return nil }
        self.init(price, from: Int64(parts[2]), until: Int64(parts[3]))
    }

    package func holds(at time: Int64) -> Bool {
        (from ?? .min) <= time && (until.map { time < $0 } ?? true)
    }

    /// The sort key for precedence: later starts come first, then earlier ends, then lower prices.
    fileprivate var rank: (Int64, Int64, Int, String) {
        (-(from ?? -.max), until ?? .max, price.amount.utf8.count, price.amount)
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "price": .string(price.amount), "currency": .string(price.currency.code),
        ]
        if let from { object.append("valid_from", .string(RFC3339.text(from))) }
        if let until { object.append("valid_until", .string(RFC3339.text(until))) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let object = json.object, let price = Price(json: object) else { return nil }
        let times = ["valid_from", "valid_until"].map { object[$0]?.string }
        let read = times.map { $0.flatMap(RFC3339.microseconds) }
        // An unreadable time must not make a price valid for ever.
        guard times.map({ $0 == nil }) == read.map({ $0 == nil }) else { return nil }
        self.init(price, from: read[0], until: read[1])
    }
}

extension [DatedPrice] {
    /// The prices without duplicates, highest precedence first.
    var inOrder: [DatedPrice] { Set(self).sorted { $0.rank < $1.rank } }

    /// The prices without overlapping periods: where periods overlap, the price earlier in the list remains.
    var apart: [DatedPrice] {
        let ends = Set(flatMap { [$0.from ?? .min, $0.until ?? .max] }).sorted()
        var parts: [(price: Price, from: Int64, until: Int64)] = []
        for (from, until) in zip(ends, ends.dropFirst()) {
            guard let price = first(where: { $0.holds(at: from) })?.price else { continue }
            // Periods that together cover all time are not joined: a price without limits is not a dated price.
            if let last = parts.last, last.until == from, last.price == price,
                last.from != .min || until != .max
            {
                parts[parts.count - 1].until = until
            } else {
                parts.append((price, from, until))
            }
        }
        return parts.compactMap { part in
            DatedPrice(
                part.price, from: part.from == .min ? nil : part.from,
                until: part.until == .max ? nil : part.until)
        }.inOrder
    }
}
