import Events
import Journal
import ServiceLifecycle
import Synchronization

/// A sink that gets events once they are in the journal, on the disk.
///
/// Events that were given up for want of room it gets all the same: nobody else has them then.
final class JournaledSink: EventSink, Service, CustomStringConvertible {
    private let sink: any EventSink
    private let journal: EventJournal
    private let events: AsyncStream<Event>
    private let queue: AsyncStream<Event>.Continuation
    private let failure = Mutex<(any Error)?>(nil)

    /// See ``ScannerService/description``.
    var description: String { "journaled events" }

    init(_ sink: any EventSink, behind journal: EventJournal) {
        self.sink = sink
        self.journal = journal
        (events, queue) = AsyncStream.makeStream()
    }

    /// Puts an event into the queue, which holds no more than the journal lets wait.
    func sendAtOnce(_ event: Event) throws -> Sending {
        if let error = failure.withLock({ $0 }) { throw error }
        queue.yield(event)
        return .done
    }

    nonisolated(nonsending) func send(_ event: Event) async throws { _ = try sendAtOnce(event) }

    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {
        try sink.whenAbandoned(body)
    }

    /// Sends what the journal has, until ``finish()``.
    func sendAll() async throws {
        do {
            for await event in events {
                try await journal.committed(event.sequence)
                try await sink.send(event)
            }
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    /// Sends what the journal has, and ends when it is its turn: a service that ends by itself while
    /// others are ended would end the group with an error.
    func run() async throws {
        try await sendAll()
        try? await gracefulShutdown()
    }

    /// No more events come: ``sendAll()`` ends behind the last.
    func finish() { queue.finish() }
}
