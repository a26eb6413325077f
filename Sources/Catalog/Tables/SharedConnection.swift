import Synchronization

/// The connection to the file that a path leads to, opened anew where that is another one.
final class SharedConnection: Sendable {
    let path: String
    private let access: EmbeddedCatalog.Access
    /// Whether it is read as shops do.
    private let isNarrowed: Bool
    private let busyTimeout: Duration
    private let connection: Mutex<CatalogConnection>

    /// Opens a file.
    init(
        path: String, access: EmbeddedCatalog.Access, isNarrowed: Bool = false,
        busyTimeout: Duration
    ) throws {
        self.path = path
        self.access = access
        self.isNarrowed = isNarrowed
        self.busyTimeout = busyTimeout
        connection = Mutex(
            try CatalogConnection.open(
                path: path, access: access, isNarrowed: isNarrowed, busyTimeout: busyTimeout))
    }

    /// Takes a connection to no file.
    init(_ connection: CatalogConnection, path: String) {
        self.path = path
        access = .writing
        isNarrowed = false
        busyTimeout = .zero
        self.connection = Mutex(connection)
    }

    /// The connection to the file the path leads to now.
    func current() throws -> CatalogConnection {
        try connection.withLock { connection in
            guard connection.isOutdated(path: path) else { return connection }
            connection = try CatalogConnection.open(
                path: path, access: access, isNarrowed: isNarrowed, busyTimeout: busyTimeout)
            return connection
        }
    }
}

/// The connection over which shops read a catalog, opened when the first of them does.
final class ShopConnection: Sendable {
    private let path: String
    private let busyTimeout: Duration
    private let opened = Mutex<SharedConnection?>(nil)

    /// Opens nothing yet.
    init(path: String, busyTimeout: Duration) {
        self.path = path
        self.busyTimeout = busyTimeout
    }

    /// The connection.
    func shared() throws -> SharedConnection {
        try opened.withLock { opened in
            if let opened { return opened }
            let new = try SharedConnection(
                path: path, access: .reading, isNarrowed: true, busyTimeout: busyTimeout)
            opened = new
            return new
        }
    }
}
