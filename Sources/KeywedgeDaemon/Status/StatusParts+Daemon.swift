package import Catalog
import EvdevInput
package import EventService
import Keystrokes
package import KeywedgeConfiguration

extension StatusParts {
    /// The parts of a daemon that starts now.
    ///
    /// - Parameters:
    ///   - register: The name of this register.
    ///   - version: The version of keywedge.
    ///   - configuration: The configuration.
    ///   - sources: Where products are looked up.
    ///   - sinks: What the sinks say of themselves.
    package init(
        register: String, version: String, configuration: Configuration, sources: CatalogSources,
        sinks: SinkConditions
    ) {
        let catalogs = CatalogReadings(of: sources.sources)
        self.init(
            register: register, version: version, started: SystemClock().now,
            // Those without a match are settings for whatever is attached.
            scanners: configuration.scanners.filter { !$0.match.isEmpty }.map(\.name),
            rejectionReasons: Rejection.Reason.allCases.map(\.rawValue),
            lookupStatuses: LookupResult.Status.allCases.map(\.rawValue),
            sources: { await catalogs.statuses() }, sinks: { sinks.current })
    }
}
