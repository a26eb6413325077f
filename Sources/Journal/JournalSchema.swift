import GRDB

/// The tables of a journal file.
///
/// The file says by SQLite's `application_id` that it is a journal and by `user_version` of which
/// schema. Every row has a hash of its own fields: a row that rotted is never given to anybody.
///
/// - `journal`: one row, see `JournalState`.
/// - `event`: see `EventRow`.
/// - `cursor`: how far each reader got, in numbers of the present epoch.
/// - `epoch`: the lives of the journal before this one, each with the highest number it may have
///   given; their cursors still mean something, since numbers never come again.
/// - `hole`: numbers of events that were lost with a damaged journal.
/// - `dead_letter`: events that a sink refuses for good; kept until somebody drops them.
enum JournalSchema {
    /// The schema this code writes, and the newest it reads.
    static let version = steps.count
    /// "kwJn".
    static let applicationID = 0x6B77_4A6E

    /// The statements that bring a file from each schema to the next; the first from an empty file.
    static let steps = [
        """
        CREATE TABLE journal (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            schema INTEGER NOT NULL,
            epoch TEXT NOT NULL,
            reserved INTEGER NOT NULL,
            removed INTEGER NOT NULL,
            removed_hash BLOB NOT NULL,
            newest INTEGER NOT NULL,
            newest_hash BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY,
            previous INTEGER NOT NULL,
            source TEXT NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            time INTEGER NOT NULL,
            line BLOB NOT NULL,
            link BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
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
        """,
        """
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
            hash BLOB NOT NULL
        ) STRICT;
        """,
    ]

    /// What a file is, by its header and its tables.
    enum Found: Equatable {
        case nothing
        case journal(schema: Int)
        case somethingElse
    }

    /// Looks at what a file is.
    ///
    /// - Throws: ``Damage`` where header and tables do not agree.
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
        // A bit of the header may have changed: the version is said twice.
        let written = try Row.fetchOne(db, sql: "SELECT schema FROM journal")?.integer(0)
        guard version > 0, written == Int64(version) else {
            throw Damage("its header has changed")
        }
        if version <= Self.version, try !isMade(of: steps[..<version], db) {
            throw Damage("its tables have changed")
        }
        return .journal(schema: version)
    }

    /// Whether a file has the tables of all steps, each as it was made: SQLite keeps the statement,
    /// and believes in it whatever became of it.
    private static func isMade(of steps: ArraySlice<String>, _ db: Database) throws -> Bool {
        let found = try String.fetchSet(
            db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table'")
        return steps.allSatisfy { step in
            step.split(separator: ";\n").allSatisfy {
                found.contains(String($0.hasSuffix(";") ? $0.dropLast() : $0))
            }
        }
    }

    /// Creates the tables in an empty file, or brings those of an older one up to date.
    static func prepare(_ db: Database, from version: Int, _ state: JournalState? = nil) throws {
        try db.inTransaction(.immediate) {
            for step in steps[version...] { try db.execute(sql: step) }
            try (state ?? JournalState(db)).write(to: db)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
            return .commit
        }
    }
}
