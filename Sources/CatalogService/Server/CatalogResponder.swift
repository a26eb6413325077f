import HTTPService
import HTTPTypes
import Hummingbird
import NIOCore

/// Carries requests from Hummingbird to the desk, and its answers back.
struct CatalogResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let desk: CatalogDesk

    /// Answers a request.
    func respond(to request: Request, context: Context) async -> Response {
        let asked = ServiceRequest(
            method: request.method, target: request.head.path ?? "",
            hosts: request.head.hosts, authorization: request.headers[.authorization],
            ifNoneMatch: request.headers[.ifNoneMatch])
        let answer = await desk.answer(asked)
        let body = request.method == .head ? nil : answer.body
        return Response(
            status: answer.status, headers: answer.head.headerFields,
            body: body.map { ResponseBody(byteBuffer: ByteBuffer(bytes: $0)) } ?? ResponseBody())
    }
}
