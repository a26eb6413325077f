extension EmbeddedCatalog {
    /// Takes products out of the catalog, all or none.
    ///
    /// - Parameter ids: What the shop calls them by; those that are not there do not matter.
    /// - Returns: How many were there.
    /// - Throws: `CatalogError`; the catalog is as it was then.
    @discardableResult
    public func remove(ids: some Sequence<String>) throws -> Int {
        try write { db in
            let remover = ProductRemover(db, changes: try ChangeTracker(db))
            let count = try ids.reduce(0) { try $0 + (remover.remove(id: $1) ? 1 : 0) }
            try remover.trim()
            return count
        }
    }
}
