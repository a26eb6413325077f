package import Barcodes
import GRDB
import WireText

extension EmbeddedCatalog: ProductSource {
    /// What the source is called: `embedded`.
    package var name: String { "embedded" }

    /// Looks up the product a barcode names: by its GTIN, then by its text as typed.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: The product, or nil where the catalog has none. Where several have the code, the
    ///   one imported first, and the others among `candidates`.
    /// - Throws: `CatalogError`.
    package func match(for barcode: Barcode) throws -> Match? {
        try read { try Self.match($0, for: barcode) }
    }

    /// Looks up the product a barcode names, in whatever transaction there is.
    static func match(_ db: Database, for barcode: Barcode) throws -> Match? {
        // An in-store code may be listed without its value or, rarely, as it is.
        let whole = barcode.inStore == nil ? nil : barcode.gtin
        for gtin in [barcode.lookupGTIN, whole].compactMap(\.self) {
            if let match = try ProductRows.match(db, key: gtin.text, text: nil) {
                return match
            }
        }
        return try Self.match(db, text: barcode.text)
    }

    /// Looks up the product that has a code exactly as typed.
    ///
    /// - Parameter text: The code, in the spelling of the catalog.
    /// - Returns: The product, or nil where the catalog has none.
    /// - Throws: `CatalogError`.
    package func match(forText text: String) throws -> Match? {
        try read { try Self.match($0, text: text) }
    }

    /// Finds a product by its id.
    ///
    /// - Parameter id: What the shop calls it by.
    /// - Returns: The product, or nil where the catalog has none.
    /// - Throws: `CatalogError`.
    package func product(id: String) throws -> Product? {
        try read { try ProductRows.product($0, id: id)?.product }
    }

    /// Looks up the product a barcode names, for pipelines with several sources.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: What was found; takes microseconds.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? { answer(for: barcode) }

    /// Looks up the product a barcode names, for pipelines with several sources.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: Does not matter here.
    /// - Returns: What was found; takes microseconds and does not suspend.
    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        answer(for: barcode)
    }

    private func answer(for barcode: Barcode) -> LookupAnswer {
        do {
            return LookupAnswer(
                try match(for: barcode).map(LookupOutcome.found) ?? .notFound, origin: .embedded)
        } catch {
            return LookupAnswer(.failed(LookupFailure(.unusableCatalog, "\(words: "\(error)")")))
        }
    }

    private static func match(_ db: Database, text: String) throws -> Match? {
        try ProductRows.match(db, key: CodeKeys(text).first, text: text)
    }
}
