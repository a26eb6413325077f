/// The seam between this library and whatever carries requests to servers.
///
/// A transport does not throw: whatever happens is an ``Output``, so nothing can be dropped. It
/// sends one request and gives back its response, of any status, redirects included. It does not
/// send again, does not follow, and does not interpret.
public protocol Transport: Sendable {
    /// Sends a request and reads the whole response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The time for all of it, from the connection to the last byte of the content. When
    ///     it is up, the output is a ``ConnectionError/Kind/timedOut(after:)`` in the phase it was
    ///     in, and the connection is closed.
    /// - Returns: The output. Where the task is cancelled, a ``ConnectionError/Kind/cancelled``, and
    ///   the connection is closed.
    func output(for request: Request, within limit: Duration) async -> Output
}

/// What a transport allows itself and servers.
public struct TransportLimits: Hashable, Sendable {
    /// The time for a connection: name, TCP and TLS.
    ///
    /// Where it is not shorter than a call's time, a call that comes to nothing while the
    /// connection is made cannot tell which of the three it was.
    public var connect: Duration

    /// The largest content of a response, in bytes, decompressed.
    public var responseBytes: Int

    /// How many connections may be open to one server.
    public var connectionsPerServer: Int

    /// How long a connection is kept open for the next request.
    public var idle: Duration

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - connect: The time for a connection: name, TCP and TLS.
    ///   - responseBytes: The largest content of a response, in bytes, decompressed.
    ///   - connectionsPerServer: How many connections may be open to one server.
    ///   - idle: How long a connection is kept open for the next request.
    public init(
        connect: Duration = .seconds(2), responseBytes: Int = 8 << 20,
        connectionsPerServer: Int = 8, idle: Duration = .seconds(60)
    ) {
        self.connect = connect
        self.responseBytes = responseBytes
        self.connectionsPerServer = connectionsPerServer
        self.idle = idle
    }
}
