/// Why a catalog cannot be asked at all.
public struct CatalogOpeningError: Error, Equatable, Sendable {
    /// The catalog's name.
    public let catalog: String
    /// What is wrong, in words.
    public let reason: String
}

extension CatalogOpeningError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String { "The catalog \(catalog) cannot be used: \(reason)." }
}
