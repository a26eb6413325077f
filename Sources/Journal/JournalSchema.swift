import GRDB

/// The tables of a journal file.
///
/// The file says by SQLite's `application_id` that it is a journal, and by `user_version` of which
/// schema. Each row has a hash of its own fields: nobody ever gets a row that rotted.
///
/// - `journal`: one row, see ``JournalState``.
/// - `event`: see ``EventRow``.
/// - `dead_letter`: events that a sink refuses for good, see ``DeadLetterRow``.
/// - `cursor`: how far each reader got, in numbers of the present epoch.
/// - `epoch`: the lives of the journal before this one, each with the highest number it may have
///   given; their cursors stay valid, since numbers are never reused.
/// - `hole`: numbers of events that were lost with a damaged journal.
enum JournalSchema {
    /// The schema this code writes, and the newest it reads; see ``FormerSchema`` for the others.
    static let version = 3
    /// "kwJn".
    static let applicationID = 0x6B77_4A6E

    static let eventTables = """
        CREATE TABLE journal (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            schema INTEGER NOT NULL,
            epoch TEXT NOT NULL,
            reserved INTEGER NOT NULL,
            removed INTEGER NOT NULL,
            removed_count INTEGER NOT NULL,
            removed_bytes INTEGER NOT NULL,
            newest INTEGER NOT NULL,
            newest_count INTEGER NOT NULL,
            newest_bytes INTEGER NOT NULL,
            clock INTEGER NOT NULL,
            wall INTEGER NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY,
            previous INTEGER NOT NULL,
            count INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            clock INTEGER NOT NULL,
            source TEXT NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            time INTEGER NOT NULL,
            line BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE dead_letter (
            number INTEGER PRIMARY KEY,
            sink TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            source TEXT NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            time INTEGER NOT NULL,
            line BLOB NOT NULL,
            reason TEXT NOT NULL,
            refused INTEGER NOT NULL,
            again INTEGER NOT NULL DEFAULT 0,
            size INTEGER NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE INDEX dead_letter_of_sink ON dead_letter (sink, number, size);
        CREATE INDEX dead_letter_again ON dead_letter (sink, number) WHERE again = 1;
        """

    /// As they are since the first schema.
    static let readerTables = """
        CREATE TABLE cursor (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            hash BLOB NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE epoch (
            name TEXT PRIMARY KEY,
            ended INTEGER NOT NULL,
            hash BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hole (
            first INTEGER PRIMARY KEY,
            last INTEGER NOT NULL
        ) STRICT;
        """

    /// What a file is, by its header and its tables.
    enum Found: Equatable {
        case nothing
        case journal(schema: Int)
        case somethingElse
    }

    /// Finds out what a file is.
    ///
    /// - Throws: ``Damage`` if header and tables do not agree.
    static func find(_ db: Database) throws -> Found {
        let names = try String.fetchSet(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let isMarked = try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID
        let hasTables = names.isSuperset(of: ["journal", "event", "cursor"])
        switch (isMarked, hasTables) {
        case (true, true): break
        case (false, false): return names.isEmpty && version == 0 ? .nothing : .somethingElse
        case (true, false): throw Damage("its tables are gone")
        case (false, true): throw Damage("its header has changed")
        }
        // A bit of the header may have changed, so the version is in two places.
        let written = try Row.fetchOne(db, sql: "SELECT schema FROM journal")?.integer(0)
        guard version > 0, written == Int64(version) else {
            throw Damage("its header has changed")
        }
        if version == Self.version, try !hasOurTables(db) {
            throw Damage("its tables have changed")
        }
        return .journal(schema: version)
    }

    /// The schema of a file that may be damaged, by its tables.
    static func guess(_ db: Database) -> Int {
        let sql = "SELECT count(*) FROM pragma_table_info('event') WHERE name = 'link'"
        return (try? Int.fetchOne(db, sql: sql)) == 1 ? version - 1 : version
    }

    /// Whether a file has the tables as they were made: SQLite keeps each statement, and believes it
    /// even if a bit of it changes.
    private static func hasOurTables(_ db: Database) throws -> Bool {
        let found = try String.fetchSet(
            db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        return [eventTables, readerTables].allSatisfy { tables in
            tables.split(separator: ";\n").allSatisfy {
                found.contains(String($0.hasSuffix(";") ? $0.dropLast() : $0))
            }
        }
    }

    /// Creates the tables in an empty file.
    static func create(_ db: Database, _ state: JournalState) throws {
        try db.inTransaction(.immediate) {
            try db.execute(sql: eventTables)
            try db.execute(sql: readerTables)
            try mark(db, state)
            return .commit
        }
    }

    /// Writes the journal's row, and into the header what the file is.
    static func mark(_ db: Database, _ state: JournalState) throws {
        try state.write(to: db)
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }
}
