import HTTPTypes
import Hummingbird
import NIOCore

/// Carries requests from Hummingbird to the desk, and its answers back.
struct CatalogResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let desk: CatalogDesk

    /// The values of all fields `Host`: the first is the authority here, and others stay fields.
    private static func hosts(of request: Request) -> [String] {
        let others = HTTPField.Name("Host").map { request.headers[values: $0] } ?? []
        return [request.head.authority].compactMap(\.self) + others
    }

    /// Answers a request.
    func respond(to request: Request, context: Context) async -> Response {
        let asked = ServiceRequest(
            method: request.method, target: request.head.path ?? "",
            hosts: Self.hosts(of: request), authorization: request.headers[.authorization],
            ifNoneMatch: request.headers[.ifNoneMatch])
        let answer = await desk.answer(asked)
        var fields = answer.fields
        // What is said to be JSON shall not be taken for a page by a browser that looks inside.
        fields[.xContentTypeOptions] = "nosniff"
        if let body = answer.body { fields[.contentLength] = "\(body.count)" }
        guard request.method != .head, let body = answer.body else {
            return Response(status: answer.status, headers: fields, body: ResponseBody())
        }
        return Response(
            status: answer.status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
