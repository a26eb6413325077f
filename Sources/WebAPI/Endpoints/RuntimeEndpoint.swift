/// An endpoint that is put together at run time, for services that are configured.
public struct RuntimeEndpoint<Model: Sendable>: Endpoint {
    /// The endpoint's name in messages.
    public let endpointName: String

    private let prepared: Request
    private let transform: @Sendable (Response) throws(TransformError) -> Model

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name in messages.
    ///   - request: The request.
    ///   - transform: Makes a model of a response of any status, or says why there is none.
    public init(
        name: String, request: Request,
        transform: @escaping @Sendable (Response) throws(TransformError) -> Model
    ) {
        endpointName = name
        prepared = request
        self.transform = transform
    }

    /// The request's address.
    public var baseURL: BaseURL { BaseURL(prepared.url) }

    /// The request it was made with.
    public func request() -> Request { prepared }

    /// Does what it was made with.
    public func model(from response: Response) throws(TransformError) -> Model {
        try transform(response)
    }
}

extension RuntimeEndpoint where Model == Response {
    /// Makes an endpoint that takes a response of any status as it is.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name in messages.
    ///   - request: The request.
    public init(name: String, request: Request) {
        self.init(name: name, request: request) { (response) throws(TransformError) in response }
    }
}
