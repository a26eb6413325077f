import GRDB
import GRDBSQLite

/// The rows of a statement, read column by column as SQLite has them.
///
/// GRDB's rows know their columns by name, and making one takes as long as finding it.
struct StatementRows: ~Copyable {
    private let statement: Statement
    private let handle: SQLiteStatement
    private let database: Database

    /// Begins anew; no text has a NUL.
    init(_ statement: Statement, _ database: Database, _ values: [any StatementBinding]) {
        self.statement = statement
        self.database = database
        handle = statement.sqliteStatement
        sqlite3_reset(handle)
        for (index, value) in values.enumerated() {
            _ = value.bind(to: handle, at: CInt(index + 1))
        }
    }

    deinit { sqlite3_reset(handle) }

    /// Steps to the next row; false at the end.
    mutating func next() throws -> Bool { try statement.step(database) }

    /// A column that holds a number; 0 for null.
    func number(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A column that holds a text; nil for null.
    func text(_ column: CInt) -> String? {
        sqlite3_column_text(handle, column).map { String(cString: $0) }
    }
}

/// Statements that run once a row: GRDB takes longer to bind values than SQLite to insert them.
extension Statement {
    /// Runs with values for all parameters.
    func run<each Value: StatementBinding>(_ database: Database, _ values: repeat each Value) throws
    {
        _ = try number(database, repeat each values)
    }

    /// Runs with values for all parameters, and returns the number in the first row.
    @discardableResult
    func number<each Value: StatementBinding>(
        _ database: Database, _ values: repeat each Value
    ) throws -> Int64? {
        var index: CInt = 0
        for value in repeat each values {
            index += 1
            _ = value.bind(to: sqliteStatement, at: index)
        }
        defer { sqlite3_reset(sqliteStatement) }
        return try step(database) ? sqlite3_column_int64(sqliteStatement, 0) : nil
    }

    fileprivate func step(_ database: Database) throws -> Bool {
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage,
                sql: sql)
        }
    }
}
