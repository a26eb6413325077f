import Crypto
import Foundation
import GRDB

enum AnswerSchema {
    enum Problem: Error {
        /// The file is an SQLite database of another program.
        case otherDatabase
        /// The file's secret key, its application ID or one of its tables is missing or wrong.
        case notWhole
    }

    private static let version = 2
    /// `kwAn` in ASCII, which marks an SQLite file as an answers file.
    private static let applicationID = 0x6B77_416E

    private static let tables: Set = ["answer", "owner_key"]

    /// The statements that create the tables; `stored_at` is in seconds since 1970.
    private static let sql = """
        CREATE TABLE owner_key (value BLOB NOT NULL) STRICT;
        CREATE TABLE answer (
            owner TEXT NOT NULL,
            codes TEXT NOT NULL,
            answer TEXT NOT NULL,
            stored_at INTEGER NOT NULL,
            checksum BLOB NOT NULL,
            PRIMARY KEY (owner, codes)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX answer_stored_at ON answer (stored_at);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version)
        """

    /// Creates the tables in an empty file, and checks that any other file is an answers file.
    ///
    /// Returns the file's key; a new file gets `key`, or a random key if `key` is nil. A file with another schema
    /// version is emptied, because the catalog can be queried again.
    static func prepare(_ db: Database, _ key: SymmetricKey?) throws -> SymmetricKey {
        let found = try String.fetchSet(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        if try number("application_id", db) != applicationID {
            guard found.isSubset(of: tables) else { throw Problem.otherDatabase }
            guard found.isEmpty else { throw Problem.notWhole }
        }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        guard try !found.isEmpty && number("user_version", db) == version else {
            return try make(in: db, found, key ?? SymmetricKey(size: .bits256))
        }
        let bytes = try Data.fetchOne(db, sql: "SELECT value FROM owner_key")
        guard found == tables, let bytes, bytes.count == 32 else {
            throw Problem.notWhole
        }
        return SymmetricKey(data: bytes)
    }

    private static func make(
        in db: Database, _ old: Set<String>, _ key: SymmetricKey
    ) throws -> SymmetricKey {
        try db.inTransaction(.immediate) {
            for name in old { try db.execute(sql: "DROP TABLE \(name.quotedDatabaseIdentifier)") }
            try db.execute(sql: sql)
            try db.execute(
                sql: "INSERT INTO owner_key VALUES (?)",
                arguments: [key.withUnsafeBytes { Data($0) }])
            return .commit
        }
        return key
    }

    private static func number(_ pragma: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "PRAGMA \(pragma)")
    }
}
