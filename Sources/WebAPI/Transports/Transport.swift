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

    /// Sends a request and gives the beginning of its response, whose content is read as it comes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The time until the content begins.
    /// - Returns: The response as far as its content, or why there is none.
    func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError>
}

extension Transport {
    /// Gives the whole response as one piece: for transports without a network.
    public func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError> {
        switch await output(for: request, within: limit) {
        case .response(let response): .success(ResponseStream(response))
        case .noResponse(let error): .failure(error)
        }
    }
}

/// What a transport allows itself and servers.
public struct TransportLimits: Hashable, Sendable {
    /// The time for a connection: name, TCP and TLS.
    public var connect: Duration
    /// The largest content of a response, in bytes, decompressed.
    public var responseBytes: Int
    /// How many connections may be open to one server.
    public var connectionsPerServer: Int
    /// How long a connection is kept open for the next request.
    public var idle: Duration
    /// How long nothing may come while a response is awaited or read; nil for as long as the call has.
    public var silence: Duration?

    /// Makes limits.
    public init(
        connect: Duration = .seconds(2), responseBytes: Int = 8 << 20,
        connectionsPerServer: Int = 8, idle: Duration = .seconds(60), silence: Duration? = nil
    ) {
        self.connect = connect
        self.responseBytes = responseBytes
        self.connectionsPerServer = connectionsPerServer
        self.idle = idle
        self.silence = silence
    }
}
