public import ArgumentParser
public import Barcodes
package import Catalog
package import Events
import KeywedgeConfiguration
import WireText

// Makes types from other modules usable as arguments.

extension EventFormat: ExpressibleByArgument {}
extension DecimalMark: ExpressibleByArgument {}
extension MovedCodes: ExpressibleByArgument {}
extension BarcodeDecoder.Settings.Content: ExpressibleByArgument {}
extension BarcodeDecoder.Settings.UPCE: ExpressibleByArgument {}

/// Makes a parser for an option's value.
///
/// If `read` returns nil, the parser throws an error whose message is `expected`, followed by `form`.
func parser<Value>(
    expecting form: String, _ read: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
    { text in
        guard let value = read(text) else { throw ValidationError("expected \(form)") }
        return value
    }
}

/// Makes a parser for a duration within a range, written as in the configuration: `500ms`.
func durations(_ range: ClosedRange<Duration>) -> @Sendable (String) throws -> Duration {
    let form = "a number with a unit, as 500ms, 30s, 5min, 2h or 1d"
    return parser(expecting: "\(form), from \(range.lowerBound.text) to \(range.upperBound.text)") {
        DurationText.duration($0).flatMap { range.contains($0) ? $0 : nil }
    }
}

func numbers(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    let form =
        "a whole number from \(range.lowerBound) to \(range.upperBound), as \(range.lowerBound)"
    return parser(expecting: form) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
}

extension EventTime {
    static let reading = parser(
        expecting: "a time with its offset, as 2026-12-01T08:00:00+01:00"
    ) { EventTime(rfc3339: $0) }
}

extension CatalogScope {
    static let reading = parser(expecting: rule) { CatalogScope($0) }
}

/// Replaces the backslash escapes in a string, such as `\x1d`; throws if an escape is invalid.
func unescaped(_ text: String) throws(Failure) -> String {
    if let meaning = Escaping.unescaped(text) { return meaning }
    throw Failure(
        "cannot read \(text.quoted(upTo: .max)): expected a backslash to begin one of "
            + Escaping.forms)
}
