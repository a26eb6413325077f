import HTTPTypes

/// What of a request counts.
struct ServiceRequest: Equatable {
    var method: HTTPRequest.Method
    /// Path and query, as they are encoded.
    var target: String
    /// Which hosts the request says it is for, with their ports; one, unless it is wrong.
    var hosts: [String]
    /// The value of `Authorization`.
    var authorization: String?
    /// The value of `If-None-Match`.
    var ifNoneMatch: String?
}
