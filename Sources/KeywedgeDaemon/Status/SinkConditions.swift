import Catalog
package import EventService
import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import Sinks
import Synchronization

/// The status of a daemon's sinks, from their own reports.
package final class SinkConditions: Sendable {
    private let statuses: Mutex<[SinkStatus]>

    /// Makes conditions for the sinks of a configuration, before any sink reports.
    package init(of configuration: Configuration) {
        statuses = Mutex(Self.statuses(of: configuration))
    }

    /// Durable sinks come first, as configured.
    private static func statuses(of configuration: Configuration) -> [SinkStatus] {
        let all = configuration.events.map {
            SinkStatus(name: $0.name, isDurable: $0.durableName != nil)
        }
        return all.filter(\.isDurable) + all.filter { !$0.isDurable }
    }

    /// Replaces the sinks by those of another configuration; `kept` names the durable ones that keep their reports.
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

    /// The status of the sinks, in their order.
    package var current: [SinkStatus] { statuses.withLock { $0 } }

    /// Records a notice from a sink.
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
    /// The status parts of a daemon that starts now.
    package init(register: String, version: String, setup: DaemonSetup) {
        self.init(
            register: register, version: version, started: SystemClock().now)
        scanners = { setup.configuration.matchedScanners.map(\.name) }
        rejectionReasons = Rejection.Reason.allCases.map(\.rawValue)
        lookupStatuses = LookupResult.Status.allCases.map(\.rawValue)
        sources = { await setup.catalogs.statuses() }
        sinks = { setup.conditions.current }
    }
}
