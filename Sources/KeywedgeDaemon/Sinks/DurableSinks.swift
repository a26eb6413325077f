import ServiceLifecycle
import Sinks
import Synchronization

/// The durable sinks of a daemon, each at its own pace; a reload replaces those whose settings changed.
///
/// What they have not sent by the end waits in the journal for the next start.
final class DurableSinks: Service, CustomStringConvertible {
    private let current: Mutex<[DurableSink]>
    private let starts: AsyncStream<DurableSink>
    private let start: AsyncStream<DurableSink>.Continuation

    /// See ``ScannerService/description``.
    var description: String { "sinks" }

    /// Makes sinks that do nothing yet.
    init(_ sinks: [DurableSink]) {
        current = Mutex(sinks)
        (starts, start) = AsyncStream.makeStream()
        for sink in sinks { start.yield(sink) }
    }

    /// Those that run, or are about to.
    var all: [DurableSink] { current.withLock { $0 } }

    /// Runs them until the daemon is to end.
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

    /// Goes on with other sinks: ends those that are not among them, and starts those that do not run.
    ///
    /// - Parameter sinks: All that are to run from now on.
    func replace(with sinks: [DurableSink]) {
        let former = current.withLock { current in
            defer { current = sinks }
            return current
        }
        let leaving = former.filter { old in !sinks.contains { $0 === old } }
        for sink in leaving { sink.stop() }
        for sink in sinks where !former.contains(where: { $0 === sink }) {
            // Of one name, there is one cursor, one client of a broker.
            sink.begins(behind: leaving.first { $0.name == sink.name })
            start.yield(sink)
        }
    }
}
