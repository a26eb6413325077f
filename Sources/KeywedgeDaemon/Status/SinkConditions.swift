import Catalog
package import EventService
import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import Sinks
import Synchronization

/// How the sinks of a daemon are doing, by their own reports.
package final class SinkConditions: Sendable {
    private let statuses: Mutex<[SinkStatus]>

    /// Makes conditions for the sinks of a configuration, without a report.
    package init(of configuration: Configuration) {
        statuses = Mutex(Self.statuses(of: configuration))
    }

    /// Durable sinks come first, as configured.
    private static func statuses(of configuration: Configuration) -> [SinkStatus] {
        let all = configuration.events.compactMap { sink in
            switch sink {
            case .stdout: SinkStatus(name: "stdout", isDurable: false)
            case .keyboard: SinkStatus(name: "keyboard", isDurable: false)
            case .mqtt, .webhook, .exec:
                sink.durableName.map { SinkStatus(name: $0, isDurable: true) }
            }
        }
        return all.filter(\.isDurable) + all.filter { !$0.isDurable }
    }

    /// Replaces the sinks by those of another configuration; `kept` names the durable ones whose
    /// reports stay.
    func follow(_ configuration: Configuration, keeping kept: Set<String>) {
        statuses.withLock { statuses in
            let former = statuses
            statuses = Self.statuses(of: configuration).map { new in
                former.first {
                    $0.name == new.name && $0.isDurable == new.isDurable
                        && (!new.isDurable || kept.contains(new.name))
                } ?? new
            }
        }
    }

    /// How the sinks are doing, in their order.
    package var current: [SinkStatus] { statuses.withLock { $0 } }

    /// Keeps a report of a sink.
    func note(_ notice: SinkStatusReporter.Notice, of name: String) {
        let now = SystemClock().now
        statuses.withLock { statuses in
            guard let index = statuses.firstIndex(where: { $0.name == name }) else { return }
            switch notice {
            case .trouble(let text):
                let failure = SinkStatus.Failure(message: text, time: now)
                statuses[index].trouble = failure
                statuses[index].lastError = failure
            case .warning(let text):
                statuses[index].lastError = SinkStatus.Failure(message: text, time: now)
            case .well: statuses[index].trouble = nil
            }
        }
    }
}

extension StatusParts {
    /// The parts of a daemon that starts now.
    package init(register: String, version: String, setup: DaemonSetup) {
        self.init(
            register: register, version: version, started: SystemClock().now,
            scanners: {
                // Those without a match are settings for scanners that are not configured.
                setup.configuration.scanners.filter { !$0.match.isEmpty }.map(\.name)
            },
            rejectionReasons: Rejection.Reason.allCases.map(\.rawValue),
            lookupStatuses: LookupResult.Status.allCases.map(\.rawValue),
            sources: { await setup.catalogs.statuses() }, sinks: { setup.conditions.current })
    }
}
