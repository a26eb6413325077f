import AsyncHTTPClient
public import HTTPTypes
import NIOCore
import NIOHTTP1
import WireText

/// The transport to a service on this box that listens on a unix socket, also for answers without an
/// end.
///
/// Requests are to an origin such as `http://localhost`, which nobody looks up.
public final class UnixSocketTransport: Transport {
    /// An answer whose content is read as it comes.
    public struct Stream: Sendable {
        /// The status.
        public let status: HTTPResponse.Status
        /// The header fields, in order.
        public let headers: HTTPFields
        private let body: HTTPClientResponse.Body

        fileprivate init(_ response: HTTPClientResponse) {
            status = HTTPResponse.Status(
                code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
            headers = HTTPFields(response.headers)
            body = response.body
        }

        /// Reads the content until it ends or the task is cancelled; no more is read than is taken.
        ///
        /// - Parameter take: Takes a piece of it.
        /// - Throws: ``ConnectionError`` where the connection breaks; what `take` throws.
        public func read(
            _ take: (_ piece: [UInt8]) async throws -> Void
        ) async throws {
            var pieces = body.makeAsyncIterator()
            while true {
                let piece: ByteBuffer?
                do {
                    piece = try await pieces.next()
                } catch {
                    throw ConnectionError(error, during: .body)
                }
                guard let piece else { return }
                try await take(Array(piece.readableBytesView))
            }
        }

        /// The whole content, where it is an answer like any other.
        ///
        /// - Parameter limit: How many bytes of it count.
        /// - Returns: The answer.
        /// - Throws: ``ConnectionError`` where the connection breaks, or the content is larger.
        public func response(limit: Int = 1 << 16) async throws -> Response {
            var payload: [UInt8] = []
            try await read { piece in
                payload += piece
                guard payload.count <= limit else {
                    throw ConnectionError(.bodyTooLarge(limit: limit), during: .body)
                }
            }
            return Response(status: status, headers: headers, payload: payload)
        }
    }

    private let path: String
    private let silence: Duration
    private let loop = DedicatedEventLoop()
    private let client: HTTPClient

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - silence: How long nothing may come where something is expected.
    public init(path: String, silence: Duration = .seconds(60)) {
        self.path = path
        self.silence = silence
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.tracing.tracer = nil
        configuration.timeout = .init(connect: .seconds(2), read: TimeAmount(silence))
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(
            eventLoopGroupProvider: .shared(loop.loop), configuration: configuration)
    }

    deinit {
        client.shutdown { [loop] _ in loop.end() }
    }

    /// Sends a request and reads the whole response.
    public func output(for request: Request, within limit: Duration) async -> Output {
        do {
            let stream = try await stream(for: request, within: limit)
            return .response(try await stream.response(limit: 8 << 20))
        } catch let error as ConnectionError {
            return .noResponse(error)
        } catch {
            return .noResponse(ConnectionError(error, during: .head))
        }
    }

    /// Sends a request and gives the beginning of its answer; the content may have no end.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer.
    /// - Throws: ``ConnectionError``.
    public func stream(for request: Request) async throws -> Stream {
        try await stream(for: request, within: nil)
    }

    private func stream(for request: Request, within limit: Duration?) async throws -> Stream {
        let deadline = limit.map { .now() + TimeAmount($0) } ?? NIODeadline.distantFuture
        let whole = request.unredactedURL
        let origin = request.url.origin.description
        let target = whole.hasPrefix(origin) ? String(whole.dropFirst(origin.count)) : "/"
        var clientRequest = HTTPClientRequest(
            url: "http+unix://" + PercentEncoding.encoded(path) + target)
        clientRequest.method = HTTPMethod(rawValue: request.methodAndPayload.method)
        clientRequest.headers.add(name: "Host", value: "localhost")
        for field in request.fieldsToSend {
            clientRequest.headers.add(name: field.name.rawName, value: field.value)
        }
        if let payload = request.methodAndPayload.payload {
            clientRequest.body = .bytes(ByteBuffer(bytes: payload.bytes))
        }
        do {
            return Stream(try await client.execute(clientRequest, deadline: deadline))
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            // A socket on this box is connected to at once: what takes so long is the answer.
            throw ConnectionError(.timedOut(after: limit ?? .zero), during: .head)
        } catch {
            throw ConnectionError(error, during: .connect)
        }
    }
}

extension ConnectionError {
    fileprivate init(_ error: any Error, during phase: Phase) {
        if let error = error as? ConnectionError {
            self = error
            return
        }
        let reading = FailureReading(error, responseBytes: 8 << 20)
        let kind: Kind =
            if error is CancellationError || error as? HTTPClientError == .cancelled {
                .cancelled
            } else if error as? HTTPClientError == .remoteConnectionClosed {
                .closed
            } else {
                reading.kind ?? .other
            }
        self.init(kind, during: reading.phase ?? phase, underlying: reading.text)
    }
}
