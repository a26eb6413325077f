public import HTTPTypes
public import WireText

extension Endpoint where Model: Decodable {
    /// Reads the JSON of a successful response.
    public func model(from response: Response) throws(TransformError) -> Model {
        try check(response)
        return try response.decoded(as: Model.self)
    }
}

extension Endpoint where Model == JSONValue {
    /// Reads the JSON of a successful response.
    public func model(from response: Response) throws(TransformError) -> JSONValue {
        try check(response)
        return try response.json()
    }
}

extension Endpoint where Model == String {
    /// Anything is asked for.
    public var headers: HTTPFields { [.accept: "*/*"] }

    /// Takes the text of a successful response as it is.
    public func model(from response: Response) throws(TransformError) -> String {
        try check(response)
        return try response.utf8Text()
    }
}

extension Endpoint where Model == Response {
    /// Anything is asked for.
    public var headers: HTTPFields { [.accept: "*/*"] }

    /// Takes a successful response as it is.
    public func model(from response: Response) throws(TransformError) -> Response {
        try check(response)
        return response
    }
}

extension Endpoint where Model == Void {
    /// Nothing but success is wanted of the response.
    public func model(from response: Response) throws(TransformError) {
        try check(response)
    }
}
