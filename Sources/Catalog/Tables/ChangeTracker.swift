import GRDB

/// Marks what one transaction changes with the catalog's next revision.
///
/// The revision begins with the first change: a transaction without any leaves the catalog at the
/// one it has.
final class ChangeTracker {
    private let db: Database
    private let isFirst: Bool
    private var hasBegun = false
    /// Whether a product that is added may have been removed before.
    private var hasRemovals: Bool
    private let next: Int64

    /// What a product that is changed now is marked with.
    let mark: Int64
    /// The number that the next product gets: no product has it, and none that was removed.
    let firstNew: Int64

    init(_ db: Database) throws {
        self.db = db
        let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM product")
        let lastRemoved = try Int64.fetchOne(db, sql: "SELECT max(number) FROM removal")
        isFirst = last == nil
        hasRemovals = lastRemoved != nil
        firstNew = max(last ?? 0, lastRemoved ?? 0) + 1
        next = try RevisionLog.last(db) + 1
        // Whoever reads the catalog for the first time gets all products anyway.
        mark = isFirst ? 0 : next
    }

    /// Notes that a product has changed.
    func noteChange() throws {
        guard !hasBegun else { return }
        hasBegun = true
        try RevisionLog.begin(next, db, isFirst: isFirst)
        if isFirst { hasRemovals = false }
    }

    /// Notes that a product is new; it may have been there before.
    func noteAddition(id: String) throws {
        try noteChange()
        guard hasRemovals else { return }
        let sql = "DELETE FROM removal WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [id])
    }

    /// Notes that a product is gone.
    func noteRemoval(number: Int64, id: String) throws {
        try noteChange()
        let sql = "INSERT OR REPLACE INTO removal (number, id, revision) VALUES (?, ?, ?)"
        try db.cachedStatement(sql: sql).execute(arguments: [number, id, next])
        hasRemovals = true
    }
}
