import GRDB

/// Takes products out of the tables.
struct ProductRemover {
    /// How many removals are remembered; a reader that has missed older ones starts anew.
    static let memory = 100_000

    private let db: Database
    private let changes: ChangeTracker

    init(_ db: Database, changes: ChangeTracker) {
        self.db = db
        self.changes = changes
    }

    /// Takes out a product with its codes, and what shops have of it.
    ///
    /// - Returns: Whether it was there.
    func remove(id: String) throws -> Bool {
        // GRDB hands texts over up to the first NUL.
        guard !id.utf8.contains(0) else { return false }
        let sql = "SELECT number FROM product WHERE id = ?"
        let statement = try db.cachedStatement(sql: sql)
        guard let number = try Int64.fetchOne(statement, arguments: [id]) else { return false }
        try remove(number: number, id: id)
        try forgetOffers(id: id)
        return true
    }

    /// Lets no offer wait for the return of a product.
    func forgetOffers(id: String) throws {
        guard !id.utf8.contains(0) else { return }
        try changes.waiting.forget(id: id)
    }

    /// Takes out a product with its codes; what shops have of it waits for its return.
    func remove(number: Int64, id: String) throws {
        let known = "SELECT listed IS 1, delisted > 0 FROM product WHERE number = ?"
        let row = try Row.fetchOne(try db.cachedStatement(sql: known), arguments: [number])
        let isListed = row?[0] as Bool? ?? false
        try changes.waiting.keep(offersOf: number, id: id)
        // The offers are left: they say which shops are told.
        try OfferTable(db).withdrawAll(of: number, listed: isListed, revision: changes.mark)
        for (table, column) in [("code", "product"), ("synced", "product"), ("product", "number")] {
            let sql = "DELETE FROM \(table) WHERE \(column) = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [number])
        }
        let isKnownToAll = isListed || row?[1] as Bool? ?? false
        try changes.noteRemoval(number: number, id: id, isKnownToAll: isKnownToAll)
    }

    /// Forgets the oldest removals where there are too many; called once a transaction.
    func trim(to memory: Int = memory) throws {
        let sql = "SELECT revision FROM removal ORDER BY revision DESC LIMIT 1 OFFSET ?"
        guard let oldest = try Int64.fetchOne(db, sql: sql, arguments: [memory]) else { return }
        // Never the present revision: nobody could be told anything then.
        try RevisionLog.forget(upTo: min(oldest, try RevisionLog.last(db)) - 1, db)
    }
}
