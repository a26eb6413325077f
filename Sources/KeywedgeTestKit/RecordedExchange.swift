public import WebAPI

/// A request and what came of it.
public struct RecordedExchange: Sendable, Equatable {
    /// The request's method.
    public let method: String

    /// The request's URL, secrets left out.
    public let url: String

    /// The request's content.
    public let payload: [UInt8]

    /// What came of it, secrets in header fields left out.
    public let output: Output

    /// Takes an exchange, its secrets left out.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - output: What came of it.
    public init(_ request: Request, _ output: Output) {
        method = request.methodAndPayload.method
        url = request.location.description
        payload = request.methodAndPayload.payload?.bytes ?? []
        self.output = output.withoutSecrets
    }

    init(method: String, url: String, payload: [UInt8], output: Output) {
        self.method = method
        self.url = url
        self.payload = payload
        self.output = output
    }

    /// Whether a request is the one of this exchange, secrets aside.
    func isFor(_ request: Request) -> Bool {
        method == request.methodAndPayload.method && url == request.location.description
            && payload == request.methodAndPayload.payload?.bytes ?? []
    }
}
