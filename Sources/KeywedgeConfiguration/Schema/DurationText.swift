/// Durations as they stand in a configuration file: `500ms`, `2s`, `1.5s`.
package enum DurationText {
    /// The units and their microseconds, the longest first.
    private static let units: [(name: String, microseconds: Int64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
        ("ms", 1000), ("us", 1),
    ]

    /// What a text looks like that names a duration, as a regular expression (ECMA-262).
    static let pattern =
        "^[0-9]{1,9}(\\.[0-9]{1,9})?(\(units.map(\.name).joined(separator: "|")))$"

    /// The duration a text names, exact to the microsecond.
    ///
    /// - Parameter text: Up to nine digits, a point and up to nine more if wanted, and `us`, `ms`,
    ///   `s`, `min`, `h` or `d`, without a space.
    /// - Returns: The duration; nil where the text is none, is finer than a microsecond, or is too
    ///   long to count in microseconds.
    package static func duration(_ text: String) -> Duration? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = units.first(where: { $0.name == text.dropFirst(number.count) }) else {
            return nil
        }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ (1...9).contains($0.count) }),
            let whole = Int64(parts[0])
        else { return nil }
        let digits = parts.count == 2 ? parts[1] : "0"
        guard let fraction = fraction(digits, of: unit.microseconds) else { return nil }
        let (microseconds, overflow) = whole.multipliedReportingOverflow(by: unit.microseconds)
        guard !overflow else { return nil }
        let sum = microseconds.addingReportingOverflow(fraction)
        return sum.overflow ? nil : .microseconds(sum.partialValue)
    }

    private static func fraction(_ digits: Substring, of unit: Int64) -> Int64? {
        let scale = (0..<digits.count).reduce(Int64(1)) { scale, _ in scale * 10 }
        guard let value = Int64(digits) else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: scale)
        return remainder == 0 ? quotient : nil
    }

    /// The shortest text that names a duration, cut to the microsecond.
    ///
    /// - Parameter duration: A duration of at least nothing.
    /// - Returns: The text, for instance `1500ms`.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let unit = units.first {
            microseconds % $0.microseconds == 0 && $0.microseconds <= 1_000_000
        }
        return "\(microseconds / (unit?.microseconds ?? 1))\(unit?.name ?? "us")"
    }
}
