import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// Follows one request and collects its response.
final class ResponseCollector: HTTPClientResponseDelegate {
    private let state: Mutex<ResponseProgress>

    init(_ progress: ResponseProgress) { state = Mutex(progress) }

    /// How far it got.
    var progress: ResponseProgress { state.withLock { $0 } }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        state.withLock { $0.sentHead() }
    }

    func didSendRequest(task: HTTPClient.Task<Response>) {
        state.withLock { $0.sentAll() }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Response>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        let status = HTTPResponse.Status(head.status)
        let fields = HTTPFields(head.headers)
        let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) }
        return resume(
            task,
            state.withLock { $0.received(status: status, headers: fields, announced: announced) })
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Response>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        resume(task, state.withLock { $0.received(buffer.readableBytesView) })
    }

    func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
        guard let response = progress.response else { throw HTTPClientError.remoteConnectionClosed }
        return response
    }

    /// Reads on, or ends a request whose content is too large, which closes its connection.
    private func resume(
        _ task: HTTPClient.Task<Response>, _ isSmallEnough: Bool
    ) -> EventLoopFuture<Void> {
        isSmallEnough
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(BodyTooLarge())
    }
}

/// The content is larger than allowed.
struct BodyTooLarge: Error {}

/// How far a request got, and what came of the response so far.
struct ResponseProgress: Sendable {
    /// The phase; nil until the request's head was written.
    private(set) var phase: ConnectionError.Phase?

    private let limit: Int
    private let isHead: Bool
    private var status: HTTPResponse.Status?
    private var headers: HTTPFields = [:]
    private var payload: [UInt8] = []

    /// Starts before the connection; `isHead` says whether the request is a `HEAD`, whose response
    /// announces a content it lacks.
    init(limit: Int, isHead: Bool) {
        self.limit = limit
        self.isHead = isHead
    }

    /// The response as far as it came; nil before its head.
    var response: Response? {
        status.map { Response(status: $0, headers: headers, payload: payload) }
    }

    /// The request's head was written.
    mutating func sentHead() {
        if phase == nil { phase = .write }
    }

    /// The whole request was written; a response may have begun before.
    mutating func sentAll() {
        if phase == nil || phase == .write { phase = .head }
    }

    /// The response's head came; says whether the content it announces is small enough.
    mutating func received(
        status: HTTPResponse.Status, headers: HTTPFields, announced: Int?
    ) -> Bool {
        phase = .body
        self.status = status
        self.headers = headers
        guard !isHead, let announced else { return true }
        guard announced <= limit else { return false }
        // What is announced and never sent shall not take memory.
        payload.reserveCapacity(min(announced, 1 << 16))
        return true
    }

    /// A part of the content came; says whether all of it is still small enough.
    mutating func received(_ bytes: some Collection<UInt8>) -> Bool {
        guard payload.count + bytes.count <= limit else { return false }
        payload.append(contentsOf: bytes)
        return true
    }
}

extension HTTPResponse.Status {
    /// A status as SwiftNIO has it.
    init(_ status: HTTPResponseStatus) {
        self.init(code: Int(status.code), reasonPhrase: status.reasonPhrase)
    }
}

extension HTTPFields {
    /// The fields of a response; what is no token was refused by the parser.
    init(_ headers: HTTPHeaders) {
        self.init()
        reserveCapacity(headers.count)
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
