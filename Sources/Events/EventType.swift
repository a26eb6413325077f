/// What an event tells; the `type` of CloudEvents.
public struct EventType: RawRepresentable, Equatable, Hashable, Sendable {
    /// The name in the event.
    public let rawValue: String

    /// Makes a type of its name.
    ///
    /// - Parameter rawValue: For example `keywedge.scan`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A scan was read.
    public static let scan = EventType(rawValue: "keywedge.scan")

    /// Keys came that are no scan.
    public static let scanRejected = EventType(rawValue: "keywedge.scan.rejected")

    /// A payment card or an identity document was read; its content is left out.
    public static let scanRedacted = EventType(rawValue: "keywedge.scan.redacted")

    /// A scanner was attached.
    public static let scannerConnected = EventType(rawValue: "keywedge.scanner.connected")

    /// A scanner went away.
    public static let scannerDisconnected = EventType(rawValue: "keywedge.scanner.disconnected")

    /// Events were given up, since the journal has no room.
    public static let journalFull = EventType(rawValue: "keywedge.journal.full")

    /// A damaged journal was put aside.
    public static let journalReplaced = EventType(rawValue: "keywedge.journal.replaced")

    /// The daemon started.
    public static let started = EventType(rawValue: "keywedge.started")

    /// The daemon is about to end.
    public static let stopping = EventType(rawValue: "keywedge.stopping")

    /// Events that a reader asked for are no longer there; it is told to that reader alone.
    public static let gap = EventType(rawValue: "keywedge.gap")

    /// All types that keywedge gives.
    package static let all: [EventType] = [
        .scan, .scanRejected, .scanRedacted, .scannerConnected, .scannerDisconnected,
        .journalFull, .journalReplaced, .started, .stopping,
    ]
}
