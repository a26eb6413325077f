import GRDB

/// A state of a catalog, to ask later what has changed since.
///
/// Its number counts up with every import that changed something; its tag is random. A catalog that
/// was restored from a backup, or copied and then changed elsewhere, has other tags for the same
/// numbers, so that it is not mistaken for the one a revision was read of.
package struct CatalogRevision: Hashable, Sendable {
    /// Counts the changes of a catalog.
    package let number: Int64
    /// Random: 16 hexadecimal digits.
    let tag: String

    init(number: Int64, tag: String) {
        self.number = number
        self.tag = tag
    }

    /// Reads a revision; nil where the text is none.
    ///
    /// - Parameter text: As `description` writes it: a number without leading zeros, a hyphen, and
    ///   16 hexadecimal digits in small letters.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Self.number(parts[0]), parts[1].utf8.count == 16,
            parts[1].utf8.allSatisfy(Self.isHexadecimal)
        else { return nil }
        self.init(number: number, tag: String(parts[1]))
    }

    /// A number as it is written here: digits without leading zeros.
    static func number(_ text: Substring) -> Int64? {
        guard let first = text.utf8.first, first != UInt8(ascii: "0") || text == "0",
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension CatalogRevision: CustomStringConvertible {
    /// The revision as a text, for instance `42-9f3a0b7c1d2e4f50`.
    package var description: String { "\(number)-\(tag)" }
}

/// The revisions of a catalog, as the tables keep them.
enum RevisionLog {
    /// How many revisions are kept: a reader that asks after more imports than that starts anew.
    static let length: Int64 = 10_000

    /// SQL for a tag.
    static let newTag = "lower(hex(randomblob(8)))"

    /// The present revision.
    ///
    /// - Throws: `CatalogError.untracked` for the file of an older keywedge.
    static func current(_ db: Database, path: String) throws -> CatalogRevision {
        guard try CatalogSchema.tracksChanges(db) else { throw CatalogError.untracked(path: path) }
        let sql = "SELECT number, tag FROM revision ORDER BY number DESC LIMIT 1"
        guard let row = try Row.fetchOne(try db.cachedStatement(sql: sql)) else {
            throw CatalogError.damaged(path: path)
        }
        return CatalogRevision(number: row[0], tag: row[1])
    }

    /// Whether changes can be told since a revision.
    static func knows(_ revision: CatalogRevision, _ db: Database) throws -> Bool {
        let sql = "SELECT tag FROM revision WHERE number = ?"
        let tag = try String.fetchOne(
            try db.cachedStatement(sql: sql), arguments: [revision.number])
        return tag == revision.tag
    }

    /// The number of the present revision.
    static func last(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(number) FROM revision") ?? 0
    }

    /// Begins a revision.
    ///
    /// - Parameters:
    ///   - number: Its number: one more than the last one's.
    ///   - db: The database, in a transaction.
    ///   - isFirst: Whether it is the first of the catalog: changes cannot be told since earlier
    ///     ones.
    /// - Throws: SQLite's error.
    static func begin(_ number: Int64, _ db: Database, isFirst: Bool) throws {
        try db.execute(
            sql: "INSERT INTO revision (number, tag) VALUES (?, \(newTag))", arguments: [number])
        try forget(upTo: isFirst ? number - 1 : number - length, db)
    }

    /// Forgets revisions, and the removals that only readers of those would be told of.
    static func forget(upTo number: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM revision WHERE number <= ?", arguments: [number])
        try db.execute(
            sql: "DELETE FROM removal WHERE revision <= (SELECT min(number) FROM revision)")
    }
}
