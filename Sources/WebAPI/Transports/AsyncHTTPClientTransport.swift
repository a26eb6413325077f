import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization

/// The transport over the network: HTTP/1.1 by AsyncHTTPClient.
///
/// It keeps connections open for a while and uses them again, but never one on which a server sent
/// what it was not asked for. One transport serves a whole program; when nothing holds it any more,
/// its connections are closed. Nothing is set up before the first request.
public final class AsyncHTTPClientTransport: Transport {
    /// How many connections a request is given to, of which the last is the first that is of use.
    private static let mostConnections = 100

    private let client: LazyClient
    private let limits: TransportLimits

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - tls: How servers prove who they are, and we to them.
    ///   - limits: What the transport allows itself and servers.
    /// - Throws: ``TLSOptionsError``.
    public init(
        tls: TLSOptions = TLSOptions(), limits: TransportLimits = TransportLimits()
    ) throws(TLSOptionsError) {
        self.limits = limits
        // What may be wrong with the options is told now, and nothing of it is kept.
        let hasFiles =
            if case .system = tls.trust { tls.clientCertificate != nil } else { true }
        if hasFiles { _ = try tls.configuration() }
        client = LazyClient { try LazyClient.Parts(tls, limits) }
    }

    /// Closes all connections; requests after it fail.
    public func shutdown() async {
        await client.shutdown()
    }

    /// Sends a request and reads the whole response.
    public func output(for request: Request, within limit: Duration) async -> Output {
        let begin = ContinuousClock.now
        // Each useless connection was left behind by a response, so that this comes to an end.
        for _ in 0..<Self.mostConnections {
            if let output = await send(request, within: limit, since: begin) { return output }
        }
        return .noResponse(ConnectionError(.closed, during: .connect))
    }

    /// Sends a request once.
    ///
    /// - Returns: What came of it; nil where nothing was sent, for the server had closed the
    ///   connection that was kept open, or sent something over it.
    private func send(
        _ request: Request, within limit: Duration, since begin: ContinuousClock.Instant
    ) async -> Output? {
        let rest = limit - begin.duration(to: .now)
        guard rest > .zero else {
            return .noResponse(ConnectionError(.timedOut(after: limit), during: .connect))
        }
        let clientRequest: HTTPClient.Request
        do {
            clientRequest = try HTTPClient.Request(request)
        } catch {
            return .noResponse(
                ConnectionError(.other, during: .connect, underlying: String(describing: error)))
        }
        let parts: LazyClient.Parts
        do {
            guard let made = try client.value() else {
                return .noResponse(ConnectionError(.shutDown, during: .connect))
            }
            parts = made
        } catch {
            return .noResponse(
                ConnectionError(.tlsFailed, during: .connect, underlying: "\(error)"))
        }
        let watch = parts.watches.begin(request.url.origin, limit: min(rest, limits.connect))
        let collector = ResponseCollector(
            ResponseProgress(
                limit: limits.responseBytes, isHead: request.methodAndPayload == .head),
            watch: watch)
        let task = parts.client.execute(
            request: clientRequest, delegate: collector, deadline: .now() + TimeAmount(rest))
        let result = await Self.result(of: task)
        watch.end()
        switch result {
        case .success(let response): return .response(response)
        case .failure(let error)
        where AnswerGuard.isUnsent(error, phase: collector.progress.phase) && !Task.isCancelled:
            return nil
        case .failure(let error):
            let failure = TransportFailure(
                cause: TransportFailure.Cause(error, isCancelled: Task.isCancelled),
                scheme: request.url.origin.scheme, progress: collector.progress, watch: watch,
                limit: limit, took: begin.duration(to: .now), limits: limits)
            return .noResponse(
                await explained(failure.connectionError, parts.probe, request, limit, begin))
        }
    }

    /// Waits for the end of a request, which cancellation brings about at once.
    private static func result(
        of task: HTTPClient.Task<Response>
    ) async -> Result<Response, any Error> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                task.futureResult.whenComplete { continuation.resume(returning: $0) }
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Looks why a certificate was not believed, in the time that is left.
    private func explained(
        _ error: ConnectionError, _ probe: ConnectionProbe, _ request: Request, _ limit: Duration,
        _ begin: ContinuousClock.Instant
    ) async -> ConnectionError {
        guard error.kind == .certificateNotVerified else { return error }
        let rest = limit - begin.duration(to: .now)
        let diagnosis = await probe.diagnosis(of: request.url.origin, within: rest)
        return ConnectionError(diagnosis.kind, during: .tls, underlying: error.underlying)
    }
}

extension LazyClient.Parts {
    fileprivate init(_ tls: TLSOptions, _ limits: TransportLimits) throws(TLSOptionsError) {
        probe = try ConnectionProbe(tls: tls)
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try tls.configuration(),
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(limits.connect)),
            decompression: .enabled(limit: .size(limits.responseBytes)))
        configuration.httpVersion = .http1Only
        // Attempts are told in the outcome; a tracer is an interceptor's.
        configuration.tracing.tracer = nil
        configuration.connectionPool.idleTimeout = TimeAmount(limits.idle)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            limits.connectionsPerServer
        // What could not be connected is told at once; whether it is tried again is a policy's.
        configuration.connectionPool.retryConnectionEstablishment = false
        let pinnedKeys = tls.pinnedKeys
        configuration.http1_1ConnectionDebugInitializer = { channel in
            let watching = AnswerGuard.watch(channel)
            guard !pinnedKeys.isEmpty else { return watching }
            return watching.flatMap { KeyPinning.check(channel, against: pinnedKeys) }
        }
        loop = DedicatedEventLoop()
        watches = ConnectionWatches(probe, on: loop.loop)
        client = HTTPClient(
            eventLoopGroupProvider: .shared(loop.loop), configuration: configuration)
    }
}

/// Follows one request.
private final class ResponseCollector: HTTPClientResponseDelegate {
    private let state: Mutex<ResponseProgress>
    private let watch: ConnectionWatch

    init(_ progress: ResponseProgress, watch: ConnectionWatch) {
        state = Mutex(progress)
        self.watch = watch
    }

    /// How far it got.
    var progress: ResponseProgress { state.withLock { $0 } }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        state.withLock { $0.sentHead() }
        watch.end()
    }

    func didSendRequest(task: HTTPClient.Task<Response>) {
        state.withLock { $0.sentAll() }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Response>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        let status = HTTPResponse.Status(
            code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase)
        let fields = HTTPFields(head.headers)
        let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) }
        let isSmall = state.withLock {
            $0.received(status: status, headers: fields, announced: announced)
        }
        return go(on: task, isSmall)
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Response>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        go(on: task, state.withLock { $0.received(buffer.readableBytesView) })
    }

    func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
        guard let response = progress.response else { throw HTTPClientError.remoteConnectionClosed }
        return response
    }

    /// Goes on, or ends a request whose content is too large, which closes its connection.
    private func go(
        on task: HTTPClient.Task<Response>, _ isSmallEnough: Bool
    ) -> EventLoopFuture<Void> {
        isSmallEnough
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(BodyTooLarge())
    }
}

/// The content is larger than allowed.
private struct BodyTooLarge: Error {}

extension TransportFailure.Cause {
    fileprivate init(_ error: any Error, isCancelled: Bool) {
        switch error {
        case is BodyTooLarge: self = .bodyTooLarge
        case let error as KeyPinningError: self = .pinning(error)
        case is AnswerGuard.UnsentRequest: self = isCancelled ? .cancelled : .closed
        case is AnswerGuard.UnaskedAnswer: self = .unasked
        case let error as HTTPClientError:
            switch error {
            case .deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout: self = .time
            case .getConnectionFromPoolTimeout: self = .noFreeConnection
            case .cancelled: self = isCancelled ? .cancelled : .shutDown
            case .alreadyShutdown: self = .shutDown
            case .remoteConnectionClosed: self = .closed
            default: self = .other(error)
            }
        default: self = .other(error)
        }
    }
}

extension HTTPClient.Request {
    fileprivate init(_ request: Request) throws {
        var headers = HTTPHeaders()
        headers.reserveCapacity(request.headers.count + 4)
        for field in request.fieldsToSend {
            headers.add(name: field.name.rawName, value: field.value)
        }
        if request.headers[.acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        try self.init(
            url: request.unredactedURL,
            method: HTTPMethod(rawValue: request.methodAndPayload.method), headers: headers,
            body: request.methodAndPayload.payload.flatMap { payload in
                payload.bytes.isEmpty ? nil : .byteBuffer(ByteBuffer(bytes: payload.bytes))
            })
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
