package import HTTPCatalog

/// A catalog that is reached over HTTP: what it is, and how its connections are secured.
package struct HTTPCatalogConfiguration: Equatable, Sendable {
    /// What there is to know about the catalog.
    package var declaration: HTTPCatalogDeclaration
    /// How its connections are secured.
    package var tls: TLSConfiguration
    /// Whether products it has are put into the embedded catalog.
    package var writesBack: Bool

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - declaration: What there is to know about the catalog.
    ///   - tls: How its connections are secured.
    ///   - writesBack: Whether products it has are put into the embedded catalog.
    package init(
        declaration: HTTPCatalogDeclaration, tls: TLSConfiguration = TLSConfiguration(),
        writesBack: Bool = false
    ) {
        self.declaration = declaration
        self.tls = tls
        self.writesBack = writesBack
    }
}
