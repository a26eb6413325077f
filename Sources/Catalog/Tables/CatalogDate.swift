import GRDB

extension CatalogFile {
    /// Stores the current time in the catalog, as copying a file may change its modification time.
    static func writeDate(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO main.offer (product, scope, position, valid_from)
                VALUES (0, '', -2, unixepoch())
                """)
    }

    /// Returns when the catalog was last written, in seconds since 1970; nil if unknown.
    ///
    /// This is the earlier of two times: the time stored in the catalog, if any, and the latest modification time of
    /// the file and its write-ahead log. An empty log does not count, because just reading a catalog may create one.
    package func lastWritten() throws -> Int64? {
        let files = [path, path + "-wal"].compactMap(FileStamp.init).filter { $0.size > 0 }
        let recorded = try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT valid_from FROM main.offer WHERE product = 0 AND position = -2")
        }
        return [recorded, files.map { Int64($0.seconds) }.max()].compactMap(\.self).min()
    }
}
