/// Sends this library's requests to servers and returns their responses.
///
/// A transport does not throw; it returns errors as results. It sends one request and returns its response, whatever
/// the status. It does not retry, follow redirects or interpret anything.
public protocol Transport: Sendable {
    /// Sends a request and reads the whole response.
    ///
    /// `limit` covers everything from connecting to the last byte of the content. After that time, the output is a
    /// ``ConnectionError/Kind/timedOut(after:)`` with the current phase. If the task is cancelled, the output is a
    /// ``ConnectionError/Kind/cancelled``. In either case, the connection is closed.
    func output(for request: Request, within limit: Duration) async -> Output

    /// Sends a request and returns a response whose content can be read as it arrives.
    ///
    /// The content must begin within `limit`. If no response arrives, the result is the error.
    func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError>
}

extension Transport {
    /// Reads the whole response and returns it as one piece, for transports that do not stream.
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
    /// The time limit for setting up a connection: name lookup, TCP and TLS.
    public var connect: Duration
    /// The size limit for a response's content, in decompressed bytes.
    public var responseBytes: Int
    /// The maximum number of connections to one server.
    public var connectionsPerServer: Int
    /// How long an unused connection stays open for the next request.
    public var idle: Duration
    /// The maximum time without data from the server; nil if only the call's limit applies.
    public var silence: Duration?

    /// Makes limits; see the properties.
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
