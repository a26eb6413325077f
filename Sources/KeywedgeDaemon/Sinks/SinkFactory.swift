package import Events
import HTTPCatalog
import Journal
package import KeywedgeConfiguration
package import Logging
import ScannerInput
package import Sinks
import WebAPI
import WireText

package struct SinkFactory: Sendable {
    private let configuration: Configuration
    private let register: String
    private let scanners: [String]
    private let version: String
    private let secrets: SecretReader
    private let setup: DaemonSetup
    private let log: Logger

    /// Creates a factory; its sinks read credentials from `credentialsFolder`, and report to `setup` and `log`.
    ///
    /// `isReplaying` must be true if the daemon plays recordings instead of reading scanners.
    package init(
        _ configuration: Configuration, register: String, isReplaying: Bool = false,
        version: String = "", credentialsFolder: String?, setup: DaemonSetup, log: Logger
    ) {
        self.configuration = configuration
        self.register = register
        self.version = version
        // Only recordings can come from a scanner without a `match`; devices never get its name.
        scanners =
            isReplaying
            ? configuration.scanners.map(\.name) : configuration.matchedScanners.map(\.name)
        self.setup = setup
        self.log = log
        secrets = SecretReader(credentialsFolder: credentialsFolder)
    }

    /// Makes the sinks that receive events immediately, except standard output.
    ///
    /// - Throws: `SystemCallError` if a thread cannot be started.
    package func immediateSinks() throws -> [any EventSink] {
        try configuration.events.compactMap {
            try $0.settings.immediateSink(SinkStatusReporter($0.name, setup, log: log))
        }
    }

    /// Makes the durable sinks in the configured order, without connecting them.
    ///
    /// A sink whose files are unreadable retries until it can read them. A running sink with the same settings is
    /// reused.
    package func durableSinks(besides running: [DurableSink] = []) -> [DurableSink] {
        configuration.events.compactMap { sink -> DurableSink? in
            guard let durable = sink.settings.journalSettings else { return nil }
            if let same = same(sink, in: running) { return same }
            let reporter = SinkStatusReporter(sink.name, setup, log: log)
            return DurableSink(sink, scanners: scanners, reporter: reporter) {
                runner(of: sink, durable, reading: $0, reporter)
            }
        }
    }

    private func runner(
        of sink: SinkConfiguration, _ durable: DurableSinkConfiguration,
        reading journal: EventJournal, _ reporter: SinkStatusReporter
    ) -> SinkRunner {
        SinkRunner(
            name: sink.name, outlet: try sink.settings.outlet(context(sink.name)), journal: journal,
            start: durable.start, filter: durable.filter, catchUp: durable.catchUp,
            reporter: reporter, clock: EventLoopClock(), now: { SystemClock.now })
    }

    /// Checks that every durable sink that is not running yet can be opened.
    func checkOutlets(besides running: [DurableSink]) throws(SinkOpeningError) {
        let durable = configuration.events.filter { $0.durableName != nil }
        for sink in durable where same(sink, in: running) == nil {
            do {
                _ = try sink.settings.outlet(context(sink.name))
            } catch {
                throw SinkOpeningError(sink: sink.name, reason: "\(error)")
            }
        }
    }

    private func same(_ sink: SinkConfiguration, in running: [DurableSink]) -> DurableSink? {
        running.first { $0.isMade(from: sink, scanners: scanners) }
    }

    private func context(_ name: String) -> SinkContext {
        SinkContext(
            name: name, register: register, scanners: scanners, version: version, secrets: secrets,
            memory: configuration.journalInUse.map { "\($0.file).\(name).json" }
        ) { [log] in log.info("sink \(name): \($0)") }
    }
}

package struct SinkOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    package let sink: String
    package let reason: String

    package var description: String {
        "The sink \(sink) cannot be used: \(reason.hasSuffix(".") ? reason : reason + ".")"
    }
}

extension SinkStatusReporter {
    /// Creates a reporter that logs notices and records them in `setup` for the daemon's status.
    package convenience init(_ name: String, _ setup: DaemonSetup, log: Logger) {
        self.init { notice in
            setup.note(notice, of: name)
            switch notice {
            case .trouble(let text): log.warning("sink \(name): \(text)")
            case .warning(let text): log.warning("sink \(name): \(text)")
            case .well: log.notice("sink \(name): events go out again")
            }
        }
    }

    package func report(_ notice: OutputSink.Notice) {
        switch notice {
        case .stuck(let count):
            report(
                .trouble(
                    "its reader has read nothing for \(OutputSink.patience.text); "
                        + "\(count.counted("event")) wait"))
        case .failing(let error): report(.trouble("\(error)"))
        case .flowing: report(SinkStatusReporter.Notice.well)
        case .dropped(let lost):
            report(.warning("its reader was too slow: \(lost) were not written"))
        }
    }
}
