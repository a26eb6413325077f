package import Catalog
package import KeywedgeConfiguration
import Synchronization

/// What a daemon runs by at the moment: its configuration, and the catalogs that were opened for it.
package final class DaemonSetup: Sendable {
    private struct State {
        var configuration: Configuration
        var catalogs: CatalogReadings
    }

    private let state: Mutex<State>

    /// Begins with a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - sources: Where products are looked up by it.
    package init(_ configuration: Configuration, sources: CatalogSources) {
        state = Mutex(
            State(configuration: configuration, catalogs: CatalogReadings(of: sources.sources)))
    }

    /// The configuration.
    package var configuration: Configuration { state.withLock { $0.configuration } }

    /// How its catalogs are doing.
    var catalogs: CatalogReadings { state.withLock { $0.catalogs } }

    /// Goes on with another.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - sources: Where products are looked up; nil where that stays as it is.
    func replace(with configuration: Configuration, sources: CatalogSources?) {
        state.withLock { state in
            state.configuration = configuration
            if let sources { state.catalogs = CatalogReadings(of: sources.sources) }
        }
    }
}
