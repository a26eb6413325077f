import HTTPTypes

/// What of a request counts.
struct ServiceRequest: Equatable {
    var method: HTTPRequest.Method
    /// Path and query, as they are encoded.
    var target: String
    /// Which host the request is for, with its port; nil where it says none.
    var authority: String?
    /// The value of `Authorization`.
    var authorization: String?
    /// The value of `If-None-Match`.
    var ifNoneMatch: String?
}
