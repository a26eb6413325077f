internal import Crypto
package import Events
package import WireText

/// Gives events their number, their name and their place in the sequence.
///
/// One factory numbers all events of a run, whichever scanner they come from.
package struct EventFactory: Sendable {
    /// Where an event's `id` comes from.
    package enum Identifiers: Sendable {
        /// A digest of the event's place and content: the same input gives the same ids.
        case derivedFromContent
        /// Random: two runs never give the same id.
        case random
    }

    /// The name of this register, the first part of every `source`.
    package let register: String
    private let identifiers: Identifiers
    private let randomIdentifiers = RandomIdentifiers()
    private let nextSequence: (@Sendable () -> UInt64)?
    /// The number of the last event.
    private(set) var sequence: UInt64

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - register: The name of this register.
    ///   - identifiers: Where an event's `id` comes from.
    ///   - lastSequence: The number that the first event follows.
    ///   - nextSequence: Gives the number of the next event; nil to count on.
    package init(
        register: String, identifiers: Identifiers, lastSequence: UInt64 = 0,
        nextSequence: (@Sendable () -> UInt64)? = nil
    ) {
        self.register = register
        self.identifiers = identifiers
        sequence = lastSequence
        self.nextSequence = nextSequence
    }

    /// Makes the next event.
    ///
    /// - Parameter draft: What it says.
    /// - Returns: The event.
    package mutating func event(_ draft: EventDraft) -> Event {
        sequence = nextSequence?() ?? sequence + 1
        var source = "/keywedge/" + register
        if let scanner = draft.scanner { source += "/scanners/" + scanner }
        let id =
            switch identifiers {
            case .derivedFromContent:
                derivedID([source, draft.type.rawValue, draft.time.description, draft.content])
            case .random: randomIdentifiers.next()
            }
        return Event(
            id: id, source: source, type: draft.type, time: draft.time, sequence: sequence,
            data: draft.data)
    }

    private func derivedID(_ parts: [String]) -> String {
        var hash = SHA256()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for part in parts {
            bytes.append(contentsOf: part.utf8)
            bytes.append(0xFF)
        }
        withUnsafeBytes(of: sequence.littleEndian) { bytes.append(contentsOf: $0) }
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { UUIDText.version8($0) }
    }
}

/// An event before it has its number: what it says, but not yet its place among the others.
package struct EventDraft: Sendable {
    package var type: EventType
    /// The scanner it is about; nil for the daemon itself.
    package var scanner: String?
    /// When it happened.
    package var time: EventTime
    /// What tells it from others of the same time; part of an `id` derived from the content, hence
    /// empty where the content is private.
    package var content: String
    package var data: JSONObject

    package init(
        _ type: EventType, scanner: String? = nil, time: EventTime, content: String = "",
        data: JSONObject = JSONObject()
    ) {
        self.type = type
        self.scanner = scanner
        self.time = time
        self.content = content
        self.data = data
    }
}
