package import Catalog
package import KeywedgeConfiguration

/// Where a daemon gets its configuration from, and what that asks for.
package struct ConfigurationSource: Sendable {
    /// Reads the configuration.
    let load: @Sendable () throws -> Configuration
    /// Opens the catalogs of a configuration.
    let sources: @Sendable (Configuration) throws -> CatalogSources
    /// Makes the sinks of a configuration.
    let sinks: @Sendable (Configuration) -> SinkFactory

    /// Names the ways.
    ///
    /// - Parameters:
    ///   - load: Reads the configuration.
    ///   - sources: Opens the catalogs of a configuration.
    ///   - sinks: Makes the sinks of a configuration.
    package init(
        load: @escaping @Sendable () throws -> Configuration,
        sources: @escaping @Sendable (Configuration) throws -> CatalogSources,
        sinks: @escaping @Sendable (Configuration) -> SinkFactory
    ) {
        self.load = load
        self.sources = sources
        self.sinks = sinks
    }
}
