import ArgumentParser
package import Catalog

extension CatalogScope: DescribedArgument {
    static var expected: String { rule }

    /// Reads the name of a shop.
    package init?(argument: String) { self.init(argument) }
}
