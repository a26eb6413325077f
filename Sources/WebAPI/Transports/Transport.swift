/// A type that sends requests to servers and returns their responses.
///
/// A transport returns errors instead of throwing them. It returns a response whatever its status: a transport does not
/// retry requests, follow redirects or interpret content.
public protocol Transport: Sendable {
    /// Sends a request and reads the whole response.
    ///
    /// `limit` covers everything from connecting to the last byte of the content. After that time, the transport
    /// returns a ``ConnectionError/Kind/timedOut(after:)`` error with the current phase. If the task is cancelled, it
    /// returns a ``ConnectionError/Kind/cancelled`` error. In either case, it closes the connection.
    func output(for request: Request, within limit: Duration) async -> Output

    /// Sends a request and returns a response whose content can be read as it arrives.
    ///
    /// The content must begin within `limit`. If no response arrives, the transport returns a ``ConnectionError``.
    func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError>
}

extension Transport {
    /// Reads the whole response and returns its content as one piece, for transports that do not stream.
    public func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError> {
        switch await output(for: request, within: limit) {
        case .response(let response): .success(ResponseStream(response))
        case .noResponse(let error): .failure(error)
        }
    }
}

/// Limits on a transport's connections and responses.
public struct TransportLimits: Hashable, Sendable {
    /// The time limit for setting up a connection: the name lookup, TCP and TLS.
    public var connect: Duration
    /// The size limit for a response's content, in bytes after decompression.
    public var responseBytes: Int
    /// The maximum number of connections to one server.
    public var connectionsPerServer: Int
    /// How long an unused connection stays open for the next request.
    public var idle: Duration
    /// The maximum time without data from the server; nil if only the time limit of the call applies.
    public var silence: Duration?

    /// Creates limits; by default, the content of a response is limited to 8 MiB.
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
