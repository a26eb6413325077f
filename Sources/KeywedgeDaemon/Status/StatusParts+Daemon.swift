import Catalog
import EvdevInput
package import EventService
import Keystrokes
import KeywedgeConfiguration

extension StatusParts {
    /// The parts of a daemon that starts now.
    ///
    /// - Parameters:
    ///   - register: The name of this register.
    ///   - version: The version of keywedge.
    ///   - setup: What the daemon runs by.
    ///   - sinks: What the sinks say of themselves.
    package init(
        register: String, version: String, setup: DaemonSetup, sinks: SinkConditions
    ) {
        self.init(
            register: register, version: version, started: SystemClock().now,
            scanners: {
                // Those without a match are settings for whatever is attached.
                setup.configuration.scanners.filter { !$0.match.isEmpty }.map(\.name)
            },
            rejectionReasons: Rejection.Reason.allCases.map(\.rawValue),
            lookupStatuses: LookupResult.Status.allCases.map(\.rawValue),
            sources: { await setup.catalogs.statuses() }, sinks: { sinks.current })
    }
}
