import WireText

/// A key of the embedded catalog that was tried for a code.
public struct CatalogKeyReading: Hashable, Sendable {
    /// What the key is.
    public var kind: Match.Key
    /// The key: 14 digits of a GTIN, or a text.
    public var key: String
    /// The codes of products that it found, in the catalog's spelling; empty where it found none.
    public var found: [String]
}

extension CatalogKeyReading: CustomStringConvertible {
    /// The key and what it found.
    public var description: String {
        let name = kind == .gtin ? "GTIN \(key)" : "text \(key.quoted())"
        guard !found.isEmpty else { return "\(name): not in the catalog" }
        return "\(name): found, listed as \(found.map { $0.quoted() }.joined(separator: ", "))"
    }
}
