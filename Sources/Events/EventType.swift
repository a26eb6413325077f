import WireText

/// An event's `type` attribute in CloudEvents.
package struct EventType: RawRepresentable, Equatable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let scan = EventType(rawValue: "keywedge.scan")
    package static let scannerConnected = EventType(rawValue: "keywedge.scanner.connected")
    package static let scannerDisconnected = EventType(rawValue: "keywedge.scanner.disconnected")
    package static let started = EventType(rawValue: "keywedge.started")
    package static let reloaded = EventType(rawValue: "keywedge.reloaded")
    package static let stopping = EventType(rawValue: "keywedge.stopping")

    /// A scanner sent keys that do not form a valid scan.
    package static let scanRejected = EventType(rawValue: "keywedge.scan.rejected")

    /// Personal data was scanned, such as a payment card; the event omits the text.
    package static let scanRedacted = EventType(rawValue: "keywedge.scan.redacted")

    /// Events or dead letters were dropped because the journal, or its queue in memory, was full.
    package static let journalFull = EventType(rawValue: "keywedge.journal.full")

    /// A damaged journal was replaced, or the journal was restored from a copy.
    package static let journalReplaced = EventType(rawValue: "keywedge.journal.replaced")

    /// Events after a reader's cursor are missing, or the cursor is invalid.
    package static let gap = EventType(rawValue: "keywedge.gap")

    /// Another client took over this stream's consumer name; the stream then ends.
    package static let displaced = EventType(rawValue: "keywedge.displaced")

    /// `doctor` sent this event to test whether a sink accepts events; nothing was scanned.
    package static let test = EventType(rawValue: "keywedge.test")

    /// All types that the daemon publishes to every reader.
    package static let all: [EventType] = [
        .scan, .scanRejected, .scanRedacted, .scannerConnected, .scannerDisconnected,
        .journalFull, .journalReplaced, .started, .reloaded, .stopping,
    ]
}

/// A filter that selects events by type, scanner and kind of code; an empty set means no restriction.
package struct EventFilter: Hashable, Sendable {
    package var types: Set<EventType>
    /// The names of the selected scanners; if there are any, the daemon's own events are excluded.
    package var scanners: Set<String>
    /// The kinds of codes, as in `data.kind`; this set restricts only `keywedge.scan` events.
    package var kinds: Set<String>

    package init(types: Set<EventType> = [], scanners: Set<String> = [], kinds: Set<String> = []) {
        self.types = types
        self.scanners = scanners
        self.kinds = kinds
    }

    /// Whether the filter selects an event; `line` is the JSON, evaluated only if necessary.
    package func takes(
        type: EventType, source: String, line: @autoclosure () -> [UInt8]
    ) -> Bool {
        if !types.isEmpty, !types.contains(type) { return false }
        if !scanners.isEmpty {
            guard let name = EventPlace(source: source).scanner, scanners.contains(name) else {
                return false
            }
        }
        guard !kinds.isEmpty, type == .scan else { return true }
        let event = try? JSONReader.read(line()).object
        return event?["data"]?.object?["kind"]?.string.map(kinds.contains) ?? false
    }

    package func takes(_ event: Event) -> Bool {
        takes(type: event.type, source: event.source, line: event.line)
    }
}
