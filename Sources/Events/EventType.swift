/// What an event tells; the `type` of CloudEvents.
package struct EventType: RawRepresentable, Equatable, Hashable, Sendable {
    /// The name in the event.
    package let rawValue: String

    /// Makes a type of its name.
    ///
    /// - Parameter rawValue: For example `keywedge.scan`.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A scan was read.
    package static let scan = EventType(rawValue: "keywedge.scan")

    /// Keys came that are no scan.
    package static let scanRejected = EventType(rawValue: "keywedge.scan.rejected")

    /// A payment card or an identity document was read; its content is left out.
    package static let scanRedacted = EventType(rawValue: "keywedge.scan.redacted")

    /// A scanner was attached.
    package static let scannerConnected = EventType(rawValue: "keywedge.scanner.connected")

    /// A scanner went away.
    package static let scannerDisconnected = EventType(rawValue: "keywedge.scanner.disconnected")

    /// Events were given up, since the journal has no room.
    package static let journalFull = EventType(rawValue: "keywedge.journal.full")

    /// A damaged journal was put aside.
    package static let journalReplaced = EventType(rawValue: "keywedge.journal.replaced")

    /// The daemon started.
    package static let started = EventType(rawValue: "keywedge.started")

    /// The daemon has taken another configuration.
    package static let reloaded = EventType(rawValue: "keywedge.reloaded")

    /// The daemon is about to end.
    package static let stopping = EventType(rawValue: "keywedge.stopping")

    /// Events that a reader asked for are no longer there; it is told to that reader alone.
    package static let gap = EventType(rawValue: "keywedge.gap")

    /// Another stream reads as the reader's consumer; it is told to that reader alone.
    package static let displaced = EventType(rawValue: "keywedge.displaced")

    /// An event that `doctor` sends to see whether a sink takes events; nothing happened.
    package static let test = EventType(rawValue: "keywedge.test")

    /// All types that a daemon gives.
    package static let all: [EventType] = [
        .scan, .scanRejected, .scanRedacted, .scannerConnected, .scannerDisconnected,
        .journalFull, .journalReplaced, .started, .reloaded, .stopping,
    ]
}
