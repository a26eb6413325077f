/// How far a reader of the journal got: everything up to this event.
///
/// As text `EPOCH-SEQUENCE`, for example `k3v9q0c2m7xd-42`.
package struct Cursor: Hashable, Sendable, LosslessStringConvertible {
    /// The life of the journal.
    package let epoch: Epoch
    /// The number of the last event that was accepted; 0 for none.
    package let sequence: UInt64

    package init(epoch: Epoch, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Reads a cursor.
    ///
    /// - Parameter text: `EPOCH-SEQUENCE`; the number may have leading zeros, as in the events. The
    ///   result is nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(String(parts[0])),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let sequence = UInt64(parts[1])
        else { return nil }
        self.init(epoch: epoch, sequence: sequence)
    }

    /// The text `EPOCH-SEQUENCE`.
    package var description: String { "\(epoch)-\(sequence)" }
}

/// One life of a journal.
///
/// It ends when keywedge puts a damaged journal aside and begins another.
///
/// Twelve characters `a`…`z` and `0`…`9`.
package struct Epoch: Hashable, Sendable, LosslessStringConvertible {
    private static let length = 12
    private static let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")

    /// The characters.
    package let description: String

    /// Reads an epoch; nil for a text that is not twelve characters `a`…`z` and `0`…`9`.
    package init?(_ text: String) {
        guard text.utf8.count == Self.length,
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        description = text
    }

    /// An epoch that no journal has had.
    static func new() -> Epoch {
        Epoch(random: (0..<length).map { _ in characters[Int.random(in: characters.indices)] })
    }

    private init(random characters: [Character]) {
        description = String(characters)
    }
}

/// Someone who has a cursor in the journal.
package enum JournalReader: Hashable, Sendable {
    /// A durable sink, by its name in the configuration.
    case sink(String)
    /// A consumer, by the name it gives itself.
    case consumer(String)

    /// The kind, as the journal's file has it.
    var kind: String { isSink ? "sink" : "consumer" }

    package var name: String {
        switch self {
        case .sink(let name), .consumer(let name): name
        }
    }

    package var isSink: Bool { if case .sink = self { true } else { false } }

    init?(kind: String, name: String) {
        switch kind {
        case "sink": self = .sink(name)
        case "consumer": self = .consumer(name)
        default: return nil
        }
    }
}
