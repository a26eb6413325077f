/// Why a catalog cannot be asked at all.
package struct CatalogOpeningError: Error, Equatable, Sendable {
    /// The catalog's name.
    package let catalog: String
    /// What is wrong, in words.
    package let reason: String
}

extension CatalogOpeningError: CustomStringConvertible {
    /// One sentence for a person.
    package var description: String { "The catalog \(catalog) cannot be used: \(reason)." }
}
