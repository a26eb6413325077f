package import HTTPCatalog

/// A catalog that is reached over HTTP: what it is, and how its connections are secured.
package struct HTTPCatalogConfiguration: Equatable, Sendable {
    /// What there is to know about the catalog.
    package var declaration: HTTPCatalogDeclaration
    /// How its connections are secured.
    package var tls: TLSConfiguration

    package init(
        declaration: HTTPCatalogDeclaration, tls: TLSConfiguration = TLSConfiguration()
    ) {
        self.declaration = declaration
        self.tls = tls
    }
}
