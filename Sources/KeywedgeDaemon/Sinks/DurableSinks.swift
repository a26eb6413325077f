import EventService
import Journal
import KeywedgeConfiguration
import Logging
import ServiceLifecycle
import Sinks
import Synchronization
import WireText

/// The daemon's durable sinks, each running at its own pace; a reload replaces those whose settings have changed.
///
/// When the daemon ends, unsent events wait in the journal for the next start.
final class DurableSinks: Service {
    private let journal: EventJournal
    private let current: Mutex<[DurableSink]>
    /// A sink to start, its runner, and the sink, if any, that must end first.
    private typealias Start = (sink: DurableSink, runner: SinkRunner, former: DurableSink?)
    private let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    /// The names of the sinks that have not ended; a name may appear twice.
    private let running = Mutex<[String]>([])
    private let log: Logger

    /// Prepares the sinks; those that start at the journal's end receive only later events.
    init(_ sinks: [DurableSink], reading journal: EventJournal, log: Logger) {
        self.journal = journal
        self.log = log
        current = Mutex(sinks)
        (starts, start) = AsyncStream.makeStream()
        for sink in sinks { enqueue(sink) }
    }

    var all: [DurableSink] { current.withLock { $0 } }

    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.reportFormerSinks() }
                for await (sink, runner, former) in starts {
                    running.withLock { $0.append(sink.name) }
                    group.addTask {
                        await sink.run(runner, after: former)
                        self.running.withLock { running in
                            running.firstIndex(of: sink.name).map { _ = running.remove(at: $0) }
                        }
                    }
                }
            }
        } onGracefulShutdown: {
            self.start.finish()
            for sink in self.all { sink.stop() }
        }
    }

    /// Warns about events that remain unsent because their sinks are no longer configured.
    func reportFormerSinks() async {
        guard let survey = try? await journal.survey() else { return }
        for (name, lag) in survey.formerSinks(besides: Set(all.map(\.name))) {
            let events = Int(clamping: lag.events).counted("event waits", "events wait")
            log.warning(
                """
                \(events) for the sink \(name.quoted()), which is no longer configured. To send them \
                with another sink: keywedge journal replay --sink NAME --from \(lag.cursor). To drop \
                them: keywedge journal forget \(name.quoted())
                """)
        }
    }

    /// Stops the running sinks that are not in `sinks`, and starts those that are new.
    func replace(with sinks: [DurableSink]) {
        let former = current.withLock { current in
            defer { current = sinks }
            return current
        }
        let leaving = former.filter { old in !sinks.contains { $0 === old } }
        for sink in leaving { sink.stop() }
        for sink in sinks where !former.contains(where: { $0 === sink }) {
            // Two running sinks with the same name would share a cursor and an MQTT client identifier.
            enqueue(sink, after: leaving.first { $0.name == sink.name })
        }
    }

    private func enqueue(_ sink: DurableSink, after other: DurableSink? = nil) {
        start.yield((sink, sink.makeRunner(journal), other))
    }

    /// The sinks that the shutdown is waiting for, such as `the sinks "erp", "broker"`.
    var awaited: String {
        let names = running.withLock { $0 }.map { $0.quoted() }
        guard !names.isEmpty else { return "the sinks" }
        return (names.count == 1 ? "the sink " : "the sinks ") + names.joined(separator: ", ")
    }
}

package final class DurableSink: Sendable {
    /// How long a sink waits for its predecessor to end.
    private static let handoverLimit = Duration.seconds(3)

    var name: String { configuration.name }
    private let configuration: SinkConfiguration
    /// The scanners' names, for MQTT discovery.
    private let scanners: [String]
    let reporter: SinkStatusReporter
    fileprivate let makeRunner: @Sendable (EventJournal) -> SinkRunner
    private let stopping = OneTimeSignal()
    private let ended = OneTimeSignal()

    init(
        _ configuration: SinkConfiguration, scanners: [String], reporter: SinkStatusReporter,
        runner: @escaping @Sendable (EventJournal) -> SinkRunner
    ) {
        self.configuration = configuration
        self.scanners = scanners
        self.reporter = reporter
        makeRunner = runner
    }

    /// Returns whether a sink made from `other` and `scanners` would behave like this one.
    func isMade(from other: SinkConfiguration, scanners: [String]) -> Bool {
        configuration == other && (self.scanners == scanners || !other.settings.namesScanners)
    }

    /// Makes ``run(_:after:)`` return as soon as no event is being delivered.
    fileprivate func stop() { stopping.give() }

    /// Delivers events until ``stop()`` is called; must be called only once.
    ///
    /// The sink first waits for `former` to end, but no longer than ``handoverLimit``.
    fileprivate func run(_ runner: SinkRunner, after former: DurableSink?) async {
        defer { ended.give() }
        if let former { _ = try? await within(Self.handoverLimit) { await former.ended.wait() } }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask { [stopping] in await stopping.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}
