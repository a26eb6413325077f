import ArgumentParser
package import Catalog

extension CatalogScope: ExpressibleByArgument {
    /// Reads the name of a shop.
    package init?(argument: String) { self.init(argument) }
}
