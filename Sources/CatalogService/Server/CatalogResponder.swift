import HTTPService
import HTTPTypes
import Hummingbird
import NIOCore

/// Carries requests from Hummingbird to the router, and its answers back.
struct CatalogResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    private static let prefer = HTTPField.Name("Prefer")

    let router: CatalogRouter

    /// Answers a request.
    func respond(to request: Request, context: Context) async -> Response {
        let asked = ServiceRequest(
            method: request.method, target: request.head.path ?? "",
            hosts: request.head.hosts, authorization: request.headers[.authorization],
            ifNoneMatch: request.headers[.ifNoneMatch], range: request.headers[.range],
            ifRange: request.headers[.ifRange],
            wait: Self.prefer.flatMap { WaitPreference.read(request.headers[$0]) })
        if let ready = router.readyAnswer(asked) {
            return Response(
                status: .ok, headers: ready.fields, body: ResponseBody(byteBuffer: ready.body))
        }
        let (answer, part) = await answer(asked, request)
        return Response(
            status: answer.status, headers: answer.head.headerFields,
            body: request.method == .head ? ResponseBody() : Self.body(answer, part))
    }

    /// Who waits, and goes, makes room for others; the connection ends behind its answer.
    private func answer(
        _ asked: ServiceRequest, _ request: Request
    ) async -> (Answer, SnapshotPart?) {
        guard asked.wait != nil, router.mayWait(asked) else { return await router.answer(asked) }
        let found = try? await request.body.consumeWithCancellationOnInboundClose { _ in
            await router.answer(asked)
        }
        var (answer, part) = found ?? (Answer(.ok, fields: [:], body: []), nil)
        answer.fields[.connection] = "close"
        return (answer, part)
    }

    private static func body(_ answer: Answer, _ part: SnapshotPart?) -> ResponseBody {
        guard let part else {
            return answer.body.map { ResponseBody(byteBuffer: ByteBuffer(bytes: $0)) }
                ?? ResponseBody()
        }
        return ResponseBody(contentLength: part.range.count) { writer in
            var offset = part.range.lowerBound
            while offset < part.range.upperBound {
                let count = min(Int64(SnapshotPart.piece), part.range.upperBound - offset)
                let bytes = try await part.snapshot.bytes(Int(count), at: offset)
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += count
            }
            try await writer.finish(nil)
        }
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
    /// The value of `Range`.
    var range: String?
    /// The value of `If-Range`.
    var ifRange: String?
    /// How long the client waits for something to tell.
    var wait: Duration?

    /// Whether it asks for all of what is there, whatever the client has.
    var isPlain: Bool { method == .get && ifNoneMatch == nil }
}
