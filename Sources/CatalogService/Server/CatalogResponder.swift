import HTTPService
import HTTPTypes
import Hummingbird
import NIOCore

/// Carries requests from Hummingbird to the router, and its answers back.
struct CatalogResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let router: CatalogRouter

    /// Answers a request.
    func respond(to request: Request, context: Context) async -> Response {
        let answer = await router.answer(
            ServiceRequest(
                method: request.method, target: request.head.path ?? "",
                hosts: request.head.hosts, authorization: request.headers[.authorization],
                ifNoneMatch: request.headers[.ifNoneMatch]))
        let body = request.method == .head ? nil : answer.body
        return Response(
            status: answer.status, headers: answer.head.headerFields,
            body: body.map { ResponseBody(byteBuffer: ByteBuffer(bytes: $0)) } ?? ResponseBody())
    }
}

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
