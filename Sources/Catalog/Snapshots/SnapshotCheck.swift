import GRDB
import WireText

/// Finds out whether a file that somebody else has made is a sound catalog, before anything is made
/// of it.
///
/// It has exactly the tables and indices of a catalog, and nothing that SQLite would run: no trigger,
/// no view. What it holds is within the bounds that this program keeps itself to.
package enum SnapshotCheck {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: The file, which nobody writes to.
    ///   - revision: The revision it is said to have.
    /// - Throws: ``SnapshotError``.
    package static func check(_ path: String, is revision: CatalogRevision) throws(SnapshotError) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1")
            }
            let queue = try DatabaseQueue(
                path: CatalogConnection.immutable(path), configuration: configuration)
            try queue.unsafeRead { db in
                try checkSchema(db)
                try checkPages(db)
                try checkRevision(revision, db)
                try checkValues(db)
                try checkDatedPrices(db)
            }
        } catch let error as SnapshotError {
            throw error
        } catch {
            throw .damaged("\((error as? DatabaseError)?.message ?? "\(error)")")
        }
    }

    private static func checkSchema(_ db: Database) throws {
        let sql =
            "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"
        guard let row = try Row.fetchOne(db, sql: sql), row[1] == CatalogSchema.applicationID else {
            throw SnapshotError.notACatalog
        }
        let version: Int = row[0]
        guard version <= CatalogSchema.version else {
            throw SnapshotError.newerSchema(found: version, supported: CatalogSchema.version)
        }
        guard version >= 2 else { throw SnapshotError.notACatalog }
        let expected = try DatabaseQueue().writeWithoutTransaction { empty in
            try CatalogSchema.build(empty, to: version)
            return try tables(empty)
        }
        guard try tables(db) == expected else { throw SnapshotError.foreignTables }
    }

    /// Everything there is in a schema, as it was written.
    private static func tables(_ db: Database) throws -> Set<[String]> {
        let sql = """
            SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema
            WHERE name NOT LIKE 'sqlite_stat%'
            """
        return Set(try Row.fetchAll(db, sql: sql).map { [$0[0], $0[1], $0[2], $0[3]] })
    }

    private static func checkPages(_ db: Database) throws {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
        guard found == "ok" else { throw SnapshotError.damaged(found) }
    }

    private static func checkRevision(_ revision: CatalogRevision, _ db: Database) throws {
        let found = try RevisionLog.current(db, path: "")
        guard found == revision else {
            throw SnapshotError.otherRevision(found: "\(found)", expected: "\(revision)")
        }
        let hasScopes = try CatalogSchema.hasScopes(db)
        let range = "BETWEEN 1 AND \(CatalogRevision.highest)"
        let wrong = """
            SELECT EXISTS (
                SELECT 1 FROM revision WHERE number NOT \(range) OR length(tag) <> 16
                    OR tag GLOB '*[^0-9a-f]*')
            OR EXISTS (
                SELECT 1 FROM removal WHERE number NOT \(range) OR revision NOT \(range)
                    OR revision > ?1 \(hasScopes ? "OR listed <> 1" : ""))
            """
        guard try Bool.fetchOne(db, sql: wrong, arguments: [revision.number]) == false else {
            throw SnapshotError.impossible("a revision or a removal")
        }
    }

    private static func checkValues(_ db: Database) throws {
        let hasScopes = try CatalogSchema.hasScopes(db)
        let tables = ["synced", "upstream"] + (hasScopes ? ["scope", "offer"] : [])
        let local = try tables.reduce(0) { count, table in
            count + (try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0)
        }
        guard local == 0 else { throw SnapshotError.impossible("what it follows") }
        let wrong = """
            SELECT id FROM product
            WHERE number NOT BETWEEN 1 AND \(CatalogRevision.highest) OR revision NOT BETWEEN 0 AND ?
                OR id = '' OR instr(id, char(0)) OR (price IS NULL) <> (currency IS NULL)
                \(hasScopes ? "OR listed IS NOT 1 OR delisted <> 0" : "")
                OR length(price) > 20 OR price GLOB '*[^0-9.]*' OR price NOT GLOB '[0-9]*'
            LIMIT 1
            """
        let last = try RevisionLog.last(db)
        if let id = try String.fetchOne(db, sql: wrong, arguments: [last]) {
            throw SnapshotError.impossible("the product \(id.quoted())")
        }
        let currencies = try String.fetchAll(
            db, sql: "SELECT DISTINCT currency FROM product WHERE currency IS NOT NULL")
        for code in currencies where Currency(code)?.code != code {
            throw SnapshotError.impossible("the currency \(code.quoted())")
        }
    }

    /// Prices for a time are as this program writes them: what cannot be read would hold for ever, or never.
    private static func checkDatedPrices(_ db: Database) throws {
        guard try CatalogSchema.hasDatedPrices(db) else { return }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, dated_prices FROM product WHERE dated_prices IS NOT NULL")
        while let row = try rows.next() {
            let text: String = row[1]
            if DatedPricesText.text(DatedPricesText.prices(text)) != text {
                let id: String = row[0]
                throw SnapshotError.impossible("the product \(id.quoted())")
            }
        }
    }
}

/// Why a file that somebody else has made is not taken for a catalog.
package enum SnapshotError: Error, Equatable, Sendable {
    /// It is no catalog of keywedge.
    case notACatalog
    /// A newer keywedge wrote it.
    case newerSchema(found: Int, supported: Int)
    /// It has tables, or anything else, that a catalog has not.
    case foreignTables
    /// SQLite finds it damaged.
    case damaged(String)
    /// It is of another revision than was said.
    case otherRevision(found: String, expected: String)
    /// It holds what no catalog can hold.
    case impossible(String)
}

extension SnapshotError: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    package var description: String {
        switch self {
        case .notACatalog: "it is no catalog of keywedge"
        case .newerSchema(let found, let supported):
            "a newer keywedge wrote it: it has schema \(found), this one reads up to \(supported)"
        case .foreignTables: "it has other tables than a catalog"
        case .damaged(let reason): "it is damaged: \(reason.quoted())"
        case .otherRevision(let found, let expected):
            "it has revision \(found.quoted()), not \(expected.quoted())"
        case .impossible(let what): "\(what) cannot be a catalog's"
        }
    }
}
