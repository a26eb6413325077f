package import WireText

/// A price that holds for a time: a promotion, or a new price from a day on.
package struct DatedPrice: Hashable, Sendable {
    /// The price.
    package let price: Price
    /// From when on it holds, in microseconds since 1970-01-01T00:00:00Z; nil for ever before.
    package let from: Int64?
    /// When it does not hold any more; nil for ever on.
    package let until: Int64?

    /// The years that can be written: 0001 to 9999.
    static let years: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Makes a price for a time; nil if the time is none, or all time, or outside the years 0001 to 9999.
    package init?(_ price: Price, from: Int64?, until: Int64?) {
        guard from != nil || until != nil, (from ?? .min) < (until ?? .max),
            [from, until].compactMap(\.self).allSatisfy(Self.years.contains)
        else { return nil }
        (self.price, self.from, self.until) = (price, from, until)
    }

    /// Whether the price holds at a time.
    package func holds(at time: Int64) -> Bool {
        (from ?? .min) <= time && (until.map { time < $0 } ?? true)
    }

    /// Whether this one counts if both hold: the one that begins later, then the one that ends earlier,
    /// then the lower one.
    func precedes(_ other: DatedPrice) -> Bool {
        let mine = (-(from ?? -.max), until ?? .max, price.amount.utf8.count)
        let others = (-(other.from ?? -.max), other.until ?? .max, other.price.amount.utf8.count)
        return mine == others ? price.amount < other.price.amount : mine < others
    }
}

extension [DatedPrice] {
    /// Each once, in the order in which they count.
    var inOrder: [DatedPrice] { Set(self).sorted { $0.precedes($1) } }

    /// The same prices at any time, in parts of time that do not overlap, so that their order does not
    /// matter.
    var apart: [DatedPrice] {
        let ends = Set(flatMap { [$0.from ?? .min, $0.until ?? .max] }).sorted()
        var parts: [(price: Price, from: Int64, until: Int64)] = []
        for (from, until) in zip(ends, ends.dropFirst()) {
            guard let price = first(where: { $0.holds(at: from) })?.price else { continue }
            // A price that holds at all times is none for a time: its parts stay apart.
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

    /// Reads what ``json`` has written; nil if it is none.
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

/// Dated prices as a column keeps them: a line for each, in the order in which they count.
enum DatedPricesText {
    /// The prices in a text; a line that is none is left out.
    static func prices(_ text: String) -> [DatedPrice] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count == 4, let currency = Currency(String(parts[1])),
                let price = try? Price(amount: String(parts[0]), currency: currency)
            else { return nil }
            return DatedPrice(price, from: Int64(parts[2]), until: Int64(parts[3]))
        }
    }
}
