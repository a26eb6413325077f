import GRDB

extension EmbeddedCatalog {
    /// What became of a product that was to be written back.
    enum WrittenBack: Equatable {
        /// It is new.
        case added
        /// It has changed in the catalog it comes from.
        case updated
        /// It is as it was.
        case unchanged
        /// The shop has a product of its own with that id, or has changed what was written.
        case kept
    }

    /// The products that were written back, and what was written: a product that differs from it
    /// has been changed by the shop since.
    private static let table = """
        CREATE TABLE IF NOT EXISTS written_back (
            id TEXT PRIMARY KEY,
            catalog TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """

    /// Puts a product of another catalog into this one.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - catalog: The catalog it comes from.
    /// - Returns: What became of it.
    /// - Throws: `CatalogError`.
    @discardableResult
    func writeBack(_ product: Product, from catalog: String) throws -> WrittenBack {
        guard !Self.holdsNUL(product) else { return .kept }
        return try write { db in
            try db.execute(sql: Self.table)
            let writer = try ProductWriter(db)
            guard let existing = try ProductRows.product(db, id: product.id) else {
                _ = try writer.add(product)
                try Self.note(product, catalog, db)
                return .added
            }
            guard existing.product != product else {
                return try writer.makeCommon(existing) ? .updated : .unchanged
            }
            let written = try String.fetchOne(
                db, sql: "SELECT text FROM written_back WHERE id = ? AND catalog = ?",
                arguments: [product.id, catalog])
            guard let written, written == existing.product.json else { return .kept }
            try writer.replace(existing, by: product)
            _ = try writer.makeCommon(existing)
            try Self.note(product, catalog, db)
            return .updated
        }
    }

    private static func note(_ product: Product, _ catalog: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO written_back (id, catalog, text) VALUES (?, ?, ?)",
            arguments: [product.id, catalog, product.json])
    }

    /// SQLite ends a text at a NUL in places.
    private static func holdsNUL(_ product: Product) -> Bool {
        let texts =
            [product.id, product.name ?? "", product.unit ?? ""] + product.codes
            + product.attributes.flatMap { [$0.key, $0.value] }
        return texts.contains { $0.utf8.contains(0) }
    }
}
