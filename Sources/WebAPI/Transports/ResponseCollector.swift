import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

final class ResponseCollector: HTTPClientResponseDelegate {
    private let limit: Int
    private let isHead: Bool
    private let state = Mutex(ResponseProgress())

    /// Creates a collector for at most `limit` bytes of content.
    init(limit: Int, isHead: Bool) {
        self.limit = limit
        self.isHead = isHead
    }

    var progress: ResponseProgress { state.withLock { $0 } }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        state.withLock { if $0.phase == nil { $0.phase = .write } }
    }

    func didSendRequest(task: HTTPClient.Task<Response>) {
        // The response may already have begun.
        state.withLock { if $0.phase != .body { $0.phase = .head } }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Response>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        let status = HTTPResponse.Status(head.status)
        let headers = HTTPFields(head.headers)
        let length = isHead ? nil : head.headers.first(name: "Content-Length").flatMap { Int($0) }
        state.withLock { state in
            state.phase = .body
            state.status = status
            state.headers = headers
            // Do not reserve memory for content that is announced but perhaps never sent.
            state.payload.reserveCapacity(min(length ?? 0, 1 << 16))
        }
        return resume(task, (length ?? 0) <= limit)
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Response>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let isSmallEnough = state.withLock { state in
            guard state.payload.count + buffer.readableBytes <= limit else { return false }
            state.payload.append(contentsOf: buffer.readableBytesView)
            return true
        }
        return resume(task, isSmallEnough)
    }

    func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
        guard let response = progress.response else { throw HTTPClientError.remoteConnectionClosed }
        return response
    }

    /// Continues reading if `isSmallEnough` is true; otherwise, fails the request.
    private func resume(
        _ task: HTTPClient.Task<Response>, _ isSmallEnough: Bool
    ) -> EventLoopFuture<Void> {
        isSmallEnough
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(BodyTooLarge())
    }
}

struct BodyTooLarge: Error {}

struct ResponseProgress: Sendable {
    /// The request's current phase; nil until its method, path and header fields have been written.
    fileprivate(set) var phase: ConnectionError.Phase?
    fileprivate var status: HTTPResponse.Status?
    fileprivate var headers: HTTPFields = [:]
    fileprivate var payload: [UInt8] = []

    /// The part of the response that has arrived; nil until its status and header fields arrive.
    var response: Response? {
        status.map { Response(status: $0, headers: headers, payload: payload) }
    }
}

extension HTTPResponse.Status {
    init(_ status: HTTPResponseStatus) {
        self.init(code: Int(status.code), reasonPhrase: status.reasonPhrase)
    }
}

extension HTTPFields {
    /// Converts SwiftNIO's header fields, and leaves out fields with invalid names.
    init(_ headers: HTTPHeaders) {
        self.init()
        reserveCapacity(headers.count)
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
