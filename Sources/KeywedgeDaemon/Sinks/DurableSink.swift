import KeywedgeConfiguration
import Sinks
import Synchronization

/// One durable sink for as long as it is configured.
final class DurableSink: Sendable {
    /// What it was made of: another that is made of the same does the same.
    struct Settings: Equatable {
        private let sink: SinkConfiguration
        /// Whose presence it tells of.
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
    private let runner: SinkRunner
    private let predecessor = Mutex<DurableSink?>(nil)
    private let stopping = OneTimeSignal()
    private let ended = OneTimeSignal()

    init(name: String, settings: Settings, runner: SinkRunner) {
        self.name = name
        self.settings = settings
        self.runner = runner
    }

    /// Waits for the end of another before it begins; said before ``run()``.
    func begins(behind other: DurableSink?) { predecessor.withLock { $0 = other } }

    /// Ends it: ``run()`` returns once nothing of it is on its way any more.
    func stop() { stopping.give() }

    /// Brings events to the outlet until ``stop()``; called once.
    func run() async {
        defer { ended.give() }
        await predecessor.withLock { $0.take() }?.ended.wait()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [runner] in await runner.run() }
            group.addTask { [stopping] in await stopping.wait() }
            await group.next()
            group.cancelAll()
        }
        await runner.end()
    }
}

/// Something that happens once, and that one task waits for.
private final class OneTimeSignal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// It happens; after the first time that means nothing.
    func give() { continuation.finish() }

    /// Returns once it has happened, or the task is cancelled.
    func wait() async { for await _ in stream {} }
}
