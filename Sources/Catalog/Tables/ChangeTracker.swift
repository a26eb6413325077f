import GRDB

/// Marks what one transaction changes with the catalog's next revision.
///
/// The revision begins with the first change: a transaction without any leaves the catalog at the
/// one it has.
final class ChangeTracker {
    private let db: Database
    private let isFirst: Bool
    private var hasBegun: Bool
    /// Whether a product that is added may have been removed before.
    private var hasRemovals: Bool
    private let next: Int64
    private let tag: String?
    /// Whether every shop had the products of which that is otherwise now.
    private var listings: [Int64: Bool] = [:]

    /// The offers of articles that are gone.
    let waiting: WaitingOffers
    /// What a product that is changed now is marked with.
    let mark: Int64
    /// The number that the next product gets: no product has it, and none that was removed.
    let firstNew: Int64

    /// Prepares to mark changes.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - revision: The revision that what is changed leads to: the present one, or a later one; nil
    ///     for one of this catalog's own.
    /// - Throws: SQLite's error.
    init(_ db: Database, leadingTo revision: CatalogRevision? = nil) throws {
        self.db = db
        waiting = try WaitingOffers(db)
        let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM product")
        let lastRemoved = try Int64.fetchOne(db, sql: "SELECT max(number) FROM removal")
        hasRemovals = lastRemoved != nil
        firstNew = max(last ?? 0, lastRemoved ?? 0) + 1
        let present = try RevisionLog.last(db)
        next = revision?.number ?? present + 1
        tag = revision?.tag
        hasBegun = next == present
        isFirst = last == nil && !hasBegun
        // Whoever reads the catalog for the first time gets all products anyway.
        mark = isFirst ? 0 : next
    }

    /// Notes that a product has changed.
    func noteChange() throws {
        guard !hasBegun else { return }
        hasBegun = true
        try RevisionLog.begin(next, tag: tag, db, isFirst: isFirst)
        if isFirst { hasRemovals = false }
    }

    /// Notes that a product is new; it may have been there before, under another number.
    func noteAddition(id: String, number: Int64) throws {
        try noteChange()
        guard hasRemovals else { return }
        let sql = "SELECT number, listed FROM removal WHERE id = ?"
        guard let removal = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [id])
        else { return }
        try db.cachedStatement(sql: "DELETE FROM removal WHERE id = ?").execute(arguments: [id])
        try handOn(removal[0], isKnownToAll: removal[1], to: number)
    }

    /// Shops that had the product before, and do not have the new one, are told that it is gone.
    private func handOn(_ old: Int64, isKnownToAll: Bool, to new: Int64) throws {
        try OfferTable(db).move(from: old, to: new, revision: mark)
        guard isKnownToAll else { return }
        let sql = "UPDATE product SET delisted = ? WHERE number = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [mark, new])
    }

    /// Notes that from now on every shop has a product, or not.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - isListed: Whether every shop had it up to now.
    func noteListing(of number: Int64, was isListed: Bool) {
        if listings[number] == nil { listings[number] = isListed }
    }

    /// Whether every shop had a product before this transaction.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - isListed: Whether every shop has it now.
    /// - Returns: Whether every shop had it.
    func wasListed(_ number: Int64, _ isListed: Bool?) -> Bool {
        number < firstNew && listings[number] ?? isListed ?? false
    }

    /// Notes that a product is gone.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - id: Its id.
    ///   - isKnownToAll: Whether readers in every shop are told; else those in shops with an offer.
    /// - Throws: SQLite's error.
    func noteRemoval(number: Int64, id: String, isKnownToAll: Bool) throws {
        try noteChange()
        let sql =
            "INSERT OR REPLACE INTO removal (number, id, revision, listed) VALUES (?, ?, ?, ?)"
        try db.cachedStatement(sql: sql).execute(arguments: [number, id, next, isKnownToAll])
        hasRemovals = true
    }
}
