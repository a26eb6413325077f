import Logging
import ServiceLifecycle
import Sinks

/// A durable sink for as long as the daemon runs.
///
/// What it has not sent by the end waits in the journal for the next start.
struct SinkService: Service, CustomStringConvertible {
    let runner: SinkRunner

    /// See ``ScannerService/description``.
    let description: String

    func run() async throws {
        await cancelWhenGracefulShutdown { await runner.run() }
        await runner.end()
    }
}

extension SinkStatusReporter {
    /// A reporter that speaks in the log, and keeps what it said for whoever asks.
    ///
    /// - Parameters:
    ///   - name: The sink's name.
    ///   - conditions: What the sinks have said.
    ///   - log: The log.
    convenience init(_ name: String, _ conditions: SinkConditions, log: Logger) {
        self.init { notice in
            conditions.note(notice, of: name)
            switch notice {
            case .trouble(let text): log.warning("sink \(name): \(text)")
            case .warning(let text): log.warning("sink \(name): \(text)")
            case .well: log.notice("sink \(name): events go out again")
            }
        }
    }
}
