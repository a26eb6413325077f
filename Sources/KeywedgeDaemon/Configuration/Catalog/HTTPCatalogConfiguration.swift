public import Catalog

/// A catalog that is reached over HTTP: what it is, and how its connections are secured.
public struct HTTPCatalogConfiguration: Equatable, Sendable {
    /// What there is to know about the catalog.
    public var declaration: HTTPCatalogDeclaration
    /// How its connections are secured.
    public var tls: TLSConfiguration
    /// Whether products it has are put into the embedded catalog.
    public var writesBack: Bool

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - declaration: What there is to know about the catalog.
    ///   - tls: How its connections are secured.
    ///   - writesBack: Whether products it has are put into the embedded catalog.
    public init(
        declaration: HTTPCatalogDeclaration, tls: TLSConfiguration = TLSConfiguration(),
        writesBack: Bool = false
    ) {
        self.declaration = declaration
        self.tls = tls
        self.writesBack = writesBack
    }
}
