import Catalog
import GRDB

/// The table of a store of answers.
///
/// `codes` is a JSON list of the texts that are asked, `answer` a JSON object (see `AnswerText`),
/// `stored_at` in seconds since 1970.
enum AnswerSchema {
    /// The schema this code writes, and the only one it reads.
    static let version = 1
    /// "kwAn".
    static let applicationID = 0x6B77_416E

    /// Makes the table in an empty file, and makes sure that any other file is a store of answers.
    ///
    /// Another schema's answers are dropped: they can be asked for again.
    static func prepare(_ db: Database, path: String) throws {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT user_version, application_id FROM pragma_user_version, "
                + "pragma_application_id")
        let found: Int = row?[0] ?? 0
        let isOurs = row?[1] == applicationID
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard isOurs || tables == 0 else { throw CatalogError.notACatalog(path: path) }
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        // An answer that is lost in a power cut is asked for again.
        try db.execute(sql: "PRAGMA synchronous = OFF")
        guard !isOurs || found != version else { return }
        try db.inTransaction(.immediate) {
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS answer;
                    CREATE TABLE answer (
                        catalog TEXT NOT NULL,
                        codes TEXT NOT NULL,
                        answer TEXT NOT NULL,
                        stored_at INTEGER NOT NULL,
                        PRIMARY KEY (catalog, codes)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX answer_stored_at ON answer (stored_at);
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version);
                    """)
            return .commit
        }
    }
}
