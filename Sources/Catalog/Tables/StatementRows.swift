import GRDB
import GRDBSQLite

/// The rows that a statement gives, one after the other, read column by column as SQLite has them.
///
/// GRDB's rows know their columns by name, and making one takes as long as finding it.
struct StatementRows: ~Copyable {
    private let statement: Statement
    private let handle: SQLiteStatement
    private let database: Database

    /// Begins anew, with values that are bound as GRDB does.
    init(_ statement: Statement, _ database: Database, arguments: StatementArguments) throws {
        try statement.setArguments(arguments)
        self.init(bound: statement, database)
    }

    /// Begins anew, with texts for the parameters; none has a NUL.
    init(_ statement: Statement, _ database: Database, texts: String...) {
        self.init(bound: statement, database)
        for (index, text) in texts.enumerated() {
            let length = CInt(text.utf8.count)
            sqlite3_bind_text(handle, CInt(index + 1), text, length, Self.copied)
        }
    }

    private init(bound statement: Statement, _ database: Database) {
        self.statement = statement
        self.database = database
        handle = statement.sqliteStatement
        sqlite3_reset(handle)
    }

    deinit { sqlite3_reset(handle) }

    /// Goes on to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: SQLite's error.
    mutating func next() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage,
                sql: statement.sql)
        }
    }

    /// A column that holds a number; 0 for null.
    func number(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Whether a column holds anything.
    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A column that holds a text; nil for null.
    func text(_ column: CInt) -> String? {
        sqlite3_column_text(handle, column).map { String(cString: $0) }
    }

    /// Has SQLite keep a copy of a text.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
