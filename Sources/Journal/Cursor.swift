import Synchronization

/// A reader's position in the journal, written as `EPOCH-SEQUENCE`, for example `k3v9q0c2m7xd-42`.
package struct Cursor: Hashable, Sendable, LosslessStringConvertible {
    package let epoch: Epoch
    /// The number of the last event that the reader has accepted; 0 if it has accepted none.
    package let sequence: UInt64

    package init(epoch: Epoch, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Parses a cursor such as `k3v9q0c2m7xd-42`; nil for other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(String(parts[0])),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let sequence = UInt64(parts[1])
        else { return nil }
        self.init(epoch: epoch, sequence: sequence)
    }

    package var description: String { "\(epoch)-\(sequence)" }
}

/// The identifier of a journal until it is replaced or restored: twelve characters from `a` to `z` and `0` to `9`.
///
/// A new epoch starts when a damaged journal is replaced, or when a journal is restored from a copy.
package struct Epoch: Hashable, Sendable, LosslessStringConvertible {
    private static let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    package let description: String

    package init?(_ text: String) {
        guard text.utf8.count == 12, text.utf8.allSatisfy(Self.characters.contains)
        else { return nil }
        description = text
    }

    private init() {
        let random = (0..<12).compactMap { _ in Self.characters.randomElement() }
        description = String(decoding: random, as: UTF8.self)
    }

    static func new() -> Epoch { Epoch() }
}

package enum JournalReader: Hashable, Sendable {
    /// A durable sink; the value is its name in the configuration.
    case sink(String)
    case consumer(String)

    package var name: String {
        switch self {
        case .sink(let name), .consumer(let name): name
        }
    }

    package var isSink: Bool { if case .sink = self { true } else { false } }
    package var kind: String { isSink ? "sink" : "consumer" }
}

/// Requests that ask running sinks to resume at another cursor.
///
/// A running sink must set its own cursor: if another task did, a delivery in progress could overwrite the new
/// cursor.
package final class CursorRequests: Sendable {
    package struct Request: Sendable {
        package let cursor: Cursor
        package let isDone: Completion
    }

    package typealias Completion = @Sendable (Result<Void, any Error>) -> Void

    private struct Sink {
        var requests: [Request] = []
        let wakeup: AsyncStream<Void>.Continuation
    }

    private let sinks = Mutex<[String: Sink]>([:])

    /// Registers a starting sink; the stream yields a value when ``take(from:)`` may return new requests.
    package func join(_ name: String) -> AsyncStream<Void> {
        let (rings, wakeup) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        sinks.withLock { $0[name] = Sink(wakeup: wakeup) }
        return rings
    }

    package func take(from name: String) -> [Request] {
        sinks.withLock { sinks in
            defer { sinks[name]?.requests = [] }
            return sinks[name]?.requests ?? []
        }
    }

    /// Unregisters a stopping sink; its pending requests fail with ``JournalError/closed``.
    package func leave(_ name: String) {
        let requests = sinks.withLock { $0.removeValue(forKey: name) }?.requests ?? []
        for request in requests { request.isDone(.failure(JournalError.closed)) }
    }

    /// Asks a sink to resume after a cursor; returns false, without calling `isDone`, if the sink is not running.
    ///
    /// `isDone` receives success when the cursor is on disk, or an error such as ``JournalError/closed``.
    package func move(_ name: String, to cursor: Cursor, isDone: @escaping Completion) -> Bool {
        sinks.withLock { sinks in
            sinks[name]?.requests.append(Request(cursor: cursor, isDone: isDone))
            sinks[name]?.wakeup.yield()
            return sinks[name] != nil
        }
    }
}
