package import Catalog
import WireText

/// A key of the embedded catalog that was tried for a code.
package struct CatalogKeyReading: Hashable, Sendable {
    /// What the key is.
    package var kind: Match.Key
    /// The key: 14 digits of a GTIN, or a text.
    package var key: String
    /// The codes of products that it found, in the catalog's spelling; empty where it found none.
    package var found: [String]
}

extension CatalogKeyReading: CustomStringConvertible {
    /// The key and what it found.
    package var description: String {
        let name = kind == .gtin ? "GTIN \(key)" : "text \(key.quoted())"
        guard !found.isEmpty else { return "\(name): not in the catalog" }
        return "\(name): found, listed as \(found.map { $0.quoted() }.joined(separator: ", "))"
    }
}
