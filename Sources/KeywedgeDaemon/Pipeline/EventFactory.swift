internal import Crypto
package import Events
import FoundationEssentials
package import WireText

/// A factory that turns drafts into events by adding numbers and ids.
package struct EventFactory: Sendable {
    /// How to generate an event's `id`, a UUID (RFC 9562).
    package enum Identifiers: Sendable {
        /// A UUID (version 8) from a digest of the event's source, type, time, content and number, so that replays
        /// always produce the same ids.
        case derivedFromContent
        /// A random UUID (version 4), so that two runs never produce the same id.
        case random
    }

    private let register: String
    private let identifiers: Identifiers
    private let nextSequence: (@Sendable () -> UInt64)?
    private(set) var sequence: UInt64

    /// Creates a factory; without `nextSequence`, events are numbered from `lastSequence` + 1.
    package init(
        register: String, identifiers: Identifiers, lastSequence: UInt64 = 0,
        nextSequence: (@Sendable () -> UInt64)? = nil
    ) {
        self.register = register
        self.identifiers = identifiers
        sequence = lastSequence
        self.nextSequence = nextSequence
    }

    package mutating func event(_ draft: EventDraft) -> Event {
        sequence = nextSequence?() ?? sequence + 1
        var source = "/keywedge/" + register
        if let scanner = draft.scanner { source += "/scanners/" + scanner }
        var random = SystemRandomNumberGenerator()
        let id =
            switch identifiers {
            case .derivedFromContent:
                derivedID([source, draft.type.rawValue, draft.time.description, draft.content])
            // Do not use `UUID()`, which opens /dev/urandom each time.
            case .random: UUID.random(using: &random)
            }
        return Event(
            id: id.uuidString.lowercased(), source: source, type: draft.type, time: draft.time,
            sequence: sequence, data: draft.data)
    }

    private func derivedID(_ parts: [String]) -> UUID {
        var bytes: [UInt8] = []
        for part in parts { bytes += Array(part.utf8) + [0xFF] }
        withUnsafeBytes(of: sequence.littleEndian) { bytes += $0 }
        var digest = Array(SHA256.hash(data: bytes))
        digest[6] = digest[6] & 0x0F | 0x80
        digest[8] = digest[8] & 0x3F | 0x80
        return digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// An event that has no number and no id yet.
package struct EventDraft: Sendable {
    package var type: EventType
    /// The scanner that the event is about; nil for an event about the daemon itself.
    package var scanner: String?
    package var time: EventTime
    /// The text that a derived id depends on, such as the text of a scan; may be empty.
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
