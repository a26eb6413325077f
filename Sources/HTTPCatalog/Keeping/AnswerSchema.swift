import Crypto
import Foundation
import GRDB

/// The tables of an answers file.
enum AnswerSchema {
    enum Problem: Error {
        /// The file is an SQLite database of something else.
        case otherDatabase
        /// The tables are not those that this schema has.
        case notWhole
    }

    /// The schema this code writes, and the only one it reads.
    private static let version = 2
    /// "kwAn".
    private static let applicationID = 0x6B77_416E

    /// `codes` is a JSON list of the texts that were asked, `answer` a JSON object (see
    /// ``CachedAnswer/json``), `stored_at` in seconds since 1970.
    private static let tables = [
        "answer": """
        CREATE TABLE answer (
            owner TEXT NOT NULL,
            codes TEXT NOT NULL,
            answer TEXT NOT NULL,
            stored_at INTEGER NOT NULL,
            checksum BLOB NOT NULL,
            PRIMARY KEY (owner, codes)
        ) STRICT, WITHOUT ROWID
        """, "owner_key": "CREATE TABLE owner_key (value BLOB NOT NULL) STRICT",
    ]

    /// Makes the tables in an empty file, and makes sure that any other is an answers file.
    ///
    /// Answers of another schema are dropped: they can be asked for again. Returns the key of the file;
    /// one without a key gets this one, or a random one.
    static func prepare(_ db: Database, _ key: SymmetricKey?) throws -> SymmetricKey {
        let found = try String.fetchSet(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        if try number("application_id", db) != applicationID {
            guard found.isSubset(of: tables.keys) else { throw Problem.otherDatabase }
            guard found.isEmpty else { throw Problem.notWhole }
        }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        guard try !found.isEmpty && number("user_version", db) == version else {
            return try make(in: db, found, key ?? SymmetricKey(size: .bits256))
        }
        let bytes = try Data.fetchOne(db, sql: "SELECT value FROM owner_key")
        guard found == Set(tables.keys), let bytes, bytes.count == 32 else {
            throw Problem.notWhole
        }
        return SymmetricKey(data: bytes)
    }

    private static func make(
        in db: Database, _ old: Set<String>, _ key: SymmetricKey
    ) throws -> SymmetricKey {
        try db.inTransaction(.immediate) {
            for name in old { try db.execute(sql: "DROP TABLE \(name.quotedDatabaseIdentifier)") }
            for (_, sql) in tables { try db.execute(sql: sql) }
            try db.execute(
                sql: "INSERT INTO owner_key VALUES (?)",
                arguments: [key.withUnsafeBytes { Data($0) }])
            try db.execute(
                sql: """
                    CREATE INDEX answer_stored_at ON answer (stored_at);
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version)
                    """)
            return .commit
        }
        return key
    }

    private static func number(_ pragma: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "PRAGMA \(pragma)")
    }
}
