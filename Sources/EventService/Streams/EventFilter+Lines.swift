package import Events
import WireText

extension EventFilter {
    /// The kinds of codes there are, as events name them.
    package static let allKinds = [
        "gtin", "gs1", "isbn", "book-details", "issn", "in-store", "coupon", "hibc",
        "pzn", "mh10", "library", "url", "text",
    ]

    /// Whether every event is wanted.
    var isEmpty: Bool { types.isEmpty && scanners.isEmpty && kinds.isEmpty }

    /// Whether the event of a line is wanted; the line is read only where a kind is asked for.
    func takes(_ event: StreamedEvent) -> Bool {
        takes(type: event.type, source: event.source) {
            let object = try? JSONReader.read(event.line).object
            return object?["data"]?.object?["kind"]?.string
        }
    }
}
