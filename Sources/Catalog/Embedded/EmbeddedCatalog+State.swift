import GRDB

/// What a catalog's file held at a moment: what was read in one state holds as long as that lasts.
package struct CatalogState: Sendable {
    private let connection: CatalogConnection
    /// SQLite's own number for what this connection sees; every commit by others changes it.
    ///
    /// Rule: https://www.sqlite.org/pragma.html#pragma_data_version
    private let version: Int64

    fileprivate init(connection: CatalogConnection, version: Int64) {
        self.connection = connection
        self.version = version
    }
}

extension CatalogState: Equatable {
    /// Whether nothing was committed in between, and the path leads to the same file.
    package static func == (one: CatalogState, other: CatalogState) -> Bool {
        one.connection === other.connection && one.version == other.version
    }
}

extension EmbeddedCatalog {
    /// The present state.
    ///
    /// Only SQLite knows it for sure: the dates of files may be the same before and after a commit, and
    /// pages are written to the log before they count.
    package func state() throws -> CatalogState {
        try CatalogError.translating(path) {
            let connection = try connection.current()
            let version = try connection.queue.unsafeRead { db in
                let statement = try db.cachedStatement(sql: "PRAGMA main.data_version")
                return try Int64.fetchOne(statement) ?? 0
            }
            return CatalogState(connection: connection, version: version)
        }
    }
}
