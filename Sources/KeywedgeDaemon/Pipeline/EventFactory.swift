internal import Crypto
package import Events
import Glibc
import Synchronization
package import WireText

/// Gives all events of a run their numbers and ids, whichever scanner they come from.
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

    /// Numbers events by `nextSequence`, or from `lastSequence` on if that is nil.
    package init(
        register: String, identifiers: Identifiers, lastSequence: UInt64 = 0,
        nextSequence: (@Sendable () -> UInt64)? = nil
    ) {
        self.register = register
        self.identifiers = identifiers
        sequence = lastSequence
        self.nextSequence = nextSequence
    }

    /// Gives an event its number and its `id`.
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

/// An event that has no number yet.
package struct EventDraft: Sendable {
    package var type: EventType
    /// The scanner it is about; nil for the daemon itself.
    package var scanner: String?
    /// When it happened.
    package var time: EventTime
    /// Distinguishes it from others of the same time, in an `id` derived from the content; empty if
    /// the content is private.
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

/// Random identifiers (RFC 9562, version 4); the kernel is asked for 16 of them at a time.
///
/// A class, so that copies of its owner never give the same identifier.
final class RandomIdentifiers: Sendable {
    private struct Pool {
        var bytes = [UInt8](repeating: 0, count: RandomIdentifiers.poolSize)
        var used = RandomIdentifiers.poolSize
    }

    /// The most that getentropy(3) gives at once.
    private static let poolSize = 256
    private static let identifierSize = 16

    private let pool = Mutex(Pool())

    /// The next identifier.
    func next() -> String {
        pool.withLock { pool in
            if pool.used == Self.poolSize {
                Self.fill(&pool.bytes)
                pool.used = 0
            }
            defer { pool.used += Self.identifierSize }
            return pool.bytes[pool.used..<pool.used + Self.identifierSize]
                .withUnsafeBytes(UUIDText.version4)
        }
    }

    private static func fill(_ bytes: inout [UInt8]) {
        guard getentropy(&bytes, poolSize) != 0 else { return }
        // Kernels before 3.17 lack the call; Swift's own source knows what to do there.
        var generator = SystemRandomNumberGenerator()
        for index in bytes.indices { bytes[index] = generator.next() }
    }
}

/// Universally unique identifiers as text (RFC 9562).
enum UUIDText {
    /// An identifier made of 16 random bytes, version 4.
    static func version4(_ random: UnsafeRawBufferPointer) -> String {
        text(random, version: 4)
    }

    /// An identifier made of the first 16 bytes of a digest, version 8.
    static func version8(_ digest: UnsafeRawBufferPointer) -> String {
        text(digest, version: 8)
    }

    private static func text(_ source: UnsafeRawBufferPointer, version: UInt8) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var end = 0
            for index in 0..<16 {
                var byte = source[index]
                switch index {
                case 6: byte = byte & 0x0F | version << 4
                case 8: byte = byte & 0x3F | 0x80
                default: break
                }
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[end] = UInt8(ascii: "-")
                    end += 1
                }
                buffer[end] = hexDigit(byte >> 4)
                buffer[end + 1] = hexDigit(byte & 0xF)
                end += 2
            }
            return end
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
