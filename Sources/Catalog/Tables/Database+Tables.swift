import GRDB

extension Database {
    /// Whether a table is there now: another process may have made it since this connection looked last,
    /// which `tableExists` would not see.
    func hasTable(_ name: String) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?)
            """
        return try Bool.fetchOne(cachedStatement(sql: sql), arguments: [name]) ?? false
    }
}
