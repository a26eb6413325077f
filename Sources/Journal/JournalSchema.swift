import CLinux
import Foundation
import GRDB
import Glibc

/// The tables of a journal.
///
/// The file's header contains a number that identifies journals (`application_id`), and the schema's version
/// (`user_version`).
enum JournalSchema {
    /// The current version of the schema; ``FormerSchema`` covers the earlier ones.
    static let version = 3
    private static let applicationID = 0x6B77_4A6E  // "kwJn"
    private static let tables = """
        CREATE TABLE journal (
            number INTEGER PRIMARY KEY CHECK (number = 1), schema INTEGER NOT NULL,
            epoch TEXT NOT NULL, reserved INTEGER NOT NULL,
            removed INTEGER NOT NULL, removed_count INTEGER NOT NULL, removed_bytes INTEGER NOT NULL,
            newest INTEGER NOT NULL, newest_count INTEGER NOT NULL, newest_bytes INTEGER NOT NULL,
            clock INTEGER NOT NULL, wall INTEGER NOT NULL, hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY, previous INTEGER NOT NULL, count INTEGER NOT NULL,
            bytes INTEGER NOT NULL, clock INTEGER NOT NULL, source TEXT NOT NULL,
            id TEXT NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL, line BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE dead_letter (
            number INTEGER PRIMARY KEY, sink TEXT NOT NULL, sequence INTEGER NOT NULL,
            source TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL,
            line BLOB NOT NULL, reason TEXT NOT NULL, refused INTEGER NOT NULL,
            again INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL, hash BLOB NOT NULL
        ) STRICT;
        CREATE INDEX dead_letter_of_sink ON dead_letter (sink, number, size);
        CREATE INDEX dead_letter_again ON dead_letter (sink, number) WHERE again = 1;
        CREATE TABLE cursor (
            kind TEXT NOT NULL, name TEXT NOT NULL, sequence INTEGER NOT NULL, hash BLOB NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE epoch (
            name TEXT PRIMARY KEY, ended INTEGER NOT NULL, hash BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hole (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
        """

    enum Found { case nothing, journal, former }

    /// Classifies a database; throws ``Damage`` or ``JournalError`` if keywedge cannot use it.
    static func find(_ db: Database, _ path: String) throws -> Found {
        let names = try String.fetchSet(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let isMarked = try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID
        guard names.isSuperset(of: ["journal", "event", "cursor"]) else {
            if isMarked { throw Damage("its tables are gone") }
            if names.isEmpty, version == 0 { return .nothing }
            throw JournalError.notAJournal(path: path)
        }
        // The version is also stored in a table, so that a changed bit in the header is noticed.
        let written = try Row.fetchOne(db, sql: "SELECT schema FROM journal")?.integer(0)
        guard isMarked, version > 0, written == Int64(version) else {
            throw Damage("its header has changed")
        }
        guard version <= Self.version else {
            throw JournalError.newerSchema(path: path, found: version, supported: Self.version)
        }
        guard version == Self.version else { return .former }
        // SQLite stores these statements as text, and trusts them even if a bit has changed.
        let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
        let found = try String.fetchAll(db, sql: sql).map(words)
        let expected = tables.dropLast().components(separatedBy: ";").map(words)
        guard expected.allSatisfy(found.contains) else { throw Damage("its tables have changed") }
        return .journal
    }

    private static func words(_ sql: String) -> [Substring] {
        sql.split { $0.isWhitespace || "(),".contains($0) }
    }

    static func create(_ db: Database, _ bounds: JournalBounds) throws {
        try db.execute(sql: tables)
        try bounds.write(db)
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Checks the first page of a file before SQLite opens it, because SQLite might change another program's file.
    ///
    /// Format: SQLite's "File format", sections 1.3 and 1.6.
    ///
    /// - Returns: The damage if the file is a journal whose first page cannot be read, or whose header makes SQLite
    ///   open it read-only; otherwise nil.
    /// - Throws: ``JournalError/notAJournal(path:)``, or ``JournalError/failed(path:reason:)`` for another read
    ///   error.
    static func recognize(_ path: String) throws(JournalError) -> Damage? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAJournal(path: path) }
        // Another user's file causes an error when SQLite opens it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var page = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &page, page.count)
        guard count >= 0 else {
            // Only a journal has a marker beside it.
            guard errno == EIO, access(path + ".lock", F_OK) == 0 else {
                throw .failed(path: path, reason: "its first page cannot be read")
            }
            return Damage("its first page cannot be read")
        }
        // Treat an empty file like a missing one.
        guard count > 0 else { return nil }
        page.removeLast(page.count - count)
        let isDatabase = page.starts(with: Array("SQLite format 3\0".utf8))
        let mark = (0..<4).map { UInt8(truncatingIfNeeded: applicationID >> (24 - 8 * $0)) }
        let isMarked = page.dropFirst(68).prefix(4).elementsEqual(mark)
        let hasNoTables = page.dropFirst(103).prefix(2).elementsEqual([0, 0])
        let text = String(decoding: page, as: UTF8.self)
        let hasOurs = text.contains("CREATE TABLE event (\n    sequence INTEGER PRIMARY KEY")
        let isZeroed = page.prefix(100).allSatisfy { $0 == 0 }
        guard isMarked || isZeroed || isDatabase && (hasNoTables || hasOurs) else {
            throw .notAJournal(path: path)
        }
        let formats = isDatabase ? page.dropFirst(18).prefix(1) : []
        return formats.allSatisfy { $0 <= 2 } ? nil : Damage("its header has changed")
    }
}
