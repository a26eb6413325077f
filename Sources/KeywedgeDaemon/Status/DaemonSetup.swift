package import Catalog
package import EventService
import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import Sinks
import Synchronization

/// A daemon's current configuration, and the state of its catalogs and sinks.
package final class DaemonSetup: Sendable {
    private struct State {
        var configuration: Configuration
        var catalogs: CatalogReadings
        var sinks: [SinkStatus]
    }

    private let state: Mutex<State>

    package init(_ configuration: Configuration, sources: CatalogSources) {
        state = Mutex(
            State(
                configuration: configuration, catalogs: CatalogReadings(of: sources.sources),
                sinks: Self.sinks(of: configuration)))
    }

    package var configuration: Configuration { state.withLock { $0.configuration } }

    var catalogs: CatalogReadings { state.withLock { $0.catalogs } }

    /// The last reported status of each sink, or an initial status before its first report.
    var sinks: [SinkStatus] { state.withLock { $0.sinks } }

    /// Returns the initial status of each sink: first the durable sinks, then the others.
    private static func sinks(of configuration: Configuration) -> [SinkStatus] {
        let all = configuration.events.map {
            SinkStatus(name: $0.name, isDurable: $0.durableName != nil)
        }
        return all.filter(\.isDurable) + all.filter { !$0.isDurable }
    }

    /// Replaces the configuration, and also the catalogs if `sources` is not nil.
    ///
    /// A durable sink keeps its status only if `kept` contains its name.
    func replace(
        with configuration: Configuration, sources: CatalogSources?, keeping kept: Set<String>
    ) {
        state.withLock { state in
            state.configuration = configuration
            if let sources { state.catalogs = CatalogReadings(of: sources.sources) }
            let former = state.sinks
            state.sinks = Self.sinks(of: configuration).map { new in
                former.first {
                    $0.name == new.name && $0.isDurable == new.isDurable
                        && (!new.isDurable || kept.contains(new.name))
                } ?? new
            }
        }
    }

    func note(_ notice: SinkStatusReporter.Notice, of name: String) {
        let now = SystemClock.now
        state.withLock { state in
            guard let index = state.sinks.firstIndex(where: { $0.name == name }) else { return }
            switch notice {
            case .trouble(let text):
                let failure = SinkStatus.Failure(message: text, time: now)
                state.sinks[index].trouble = failure
                state.sinks[index].lastError = failure
            case .warning(let text):
                state.sinks[index].lastError = SinkStatus.Failure(message: text, time: now)
            case .well: state.sinks[index].trouble = nil
            }
        }
    }
}

extension StatusParts {
    package init(register: String, version: String, setup: DaemonSetup) {
        self.init(register: register, version: version, started: SystemClock.now)
        scanners = { setup.configuration.matchedScanners.map(\.name) }
        rejectionReasons = Rejection.Reason.allCases.map(\.rawValue)
        lookupStatuses = LookupResult.Status.allCases.map(\.rawValue)
        sources = { await setup.catalogs.statuses() }
        sinks = { setup.sinks }
    }
}
