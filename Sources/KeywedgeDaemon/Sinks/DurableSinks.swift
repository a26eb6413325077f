import Journal
import KeywedgeConfiguration
import ServiceLifecycle
import Sinks
import Synchronization

/// The durable sinks of a daemon, each at its own pace; a reload replaces those that changed.
///
/// Events that they have not sent by the end wait in the journal for the next start.
final class DurableSinks: Service, CustomStringConvertible {
    private let journal: EventJournal
    private let current: Mutex<[DurableSink]>
    private let starts: AsyncStream<DurableSink>
    private let start: AsyncStream<DurableSink>.Continuation

    /// See ``ScannerService/description``.
    var description: String { "sinks" }

    /// Prepares sinks: a new one gets the events that come from now on.
    init(_ sinks: [DurableSink], reading journal: EventJournal) {
        self.journal = journal
        current = Mutex(sinks)
        (starts, start) = AsyncStream.makeStream()
        for sink in sinks { enqueue(sink) }
    }

    /// The sinks that run, or are about to.
    var all: [DurableSink] { current.withLock { $0 } }

    /// Runs the sinks until the daemon ends.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await sink in starts { group.addTask { await sink.run() } }
            }
        } onGracefulShutdown: {
            self.start.finish()
            for sink in self.all { sink.stop() }
        }
    }

    /// Ends the sinks that are not in the list, and starts those that do not run.
    func replace(with sinks: [DurableSink]) {
        let former = current.withLock { current in
            defer { current = sinks }
            return current
        }
        let leaving = former.filter { old in !sinks.contains { $0 === old } }
        for sink in leaving { sink.stop() }
        for sink in sinks where !former.contains(where: { $0 === sink }) {
            // Two sinks with one name would share a cursor, and a broker's client.
            enqueue(sink, after: leaving.first { $0.name == sink.name })
        }
    }

    private func enqueue(_ sink: DurableSink, after other: DurableSink? = nil) {
        sink.prepare(reading: journal, after: other)
        start.yield(sink)
    }
}

/// One durable sink for as long as it is configured.
package final class DurableSink: Sendable {
    /// The settings it was made from; a sink with equal settings behaves the same.
    struct Settings: Equatable {
        private let sink: SinkConfiguration
        /// The scanners whose presence it reports.
        private let scanners: [String]

        init(_ sink: SinkConfiguration, scanners: [ScannerConfiguration]) {
            self.sink = sink
            if case .mqtt = sink {
                self.scanners = scanners.map(\.name)
            } else {
                self.scanners = []
            }
        }
    }

    let name: String
    let settings: Settings
    private let makeRunner: @Sendable (EventJournal) -> SinkRunner
    private let runner = Mutex<SinkRunner?>(nil)
    private let predecessor = Mutex<DurableSink?>(nil)
    private let stopping = OneTimeSignal()
    private let ended = OneTimeSignal()

    init(
        name: String, settings: Settings,
        runner: @escaping @Sendable (EventJournal) -> SinkRunner
    ) {
        self.name = name
        self.settings = settings
        makeRunner = runner
    }

    /// Makes the sink read a journal, and begin after `other` has ended; called before ``run()``.
    fileprivate func prepare(reading journal: EventJournal, after other: DurableSink?) {
        runner.withLock { $0 = makeRunner(journal) }
        predecessor.withLock { $0 = other }
    }

    /// Ends the sink; ``run()`` returns once no event is under way.
    fileprivate func stop() { stopping.give() }

    /// Makes the sink report no more trouble, since a sink of another configuration has its name.
    func retire() { runner.withLock { $0 }?.retire() }

    /// Delivers events to the outlet until ``stop()``; called once.
    fileprivate func run() async {
        defer { ended.give() }
        await predecessor.withLock { $0.take() }?.ended.wait()
        guard let runner = runner.withLock({ $0 }) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask { [stopping] in await stopping.wait() }
            await group.next()
            group.cancelAll()
        }
        await runner.end()
    }
}

/// A signal that is given once, and that one task waits for.
private final class OneTimeSignal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Gives the signal; giving it again changes nothing.
    func give() { continuation.finish() }

    /// Returns once it is given, or the task is cancelled.
    func wait() async { for await _ in stream {} }
}
