import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import WireText

/// The transport over the network or a unix socket: HTTP/1.1 by AsyncHTTPClient.
///
/// It keeps connections open for a while and uses them again. One transport serves a whole program; when
/// nothing holds it any more, its connections are closed. Nothing is set up before the first request.
public final class AsyncHTTPClientTransport: Transport {
    private let client: LazyClient
    private let limits: TransportLimits
    private let socket: String?

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
        socket = nil
        // What may be wrong with the options is told now, and nothing of it is kept.
        let hasFiles =
            if case .system = tls.trust { tls.clientCertificate != nil } else { true }
        if hasFiles { _ = try tls.configuration() }
        client = LazyClient { try LazyClient.Parts(tls, limits) }
    }

    /// Makes a transport to a unix socket on this machine, whatever host a request names.
    ///
    /// - Parameters:
    ///   - socket: The path of the socket.
    ///   - limits: What the transport allows itself and the server.
    public init(socket: String, limits: TransportLimits = TransportLimits()) {
        self.limits = limits
        self.socket = socket
        client = LazyClient { try LazyClient.Parts(TLSOptions(), limits) }
    }

    /// Closes all connections; requests after it fail.
    public func shutdown() async {
        await client.shutdown()
    }

    /// Sends a request and reads the whole response.
    public func output(for request: Request, within limit: Duration) async -> Output {
        let failure = TransportFailure(
            scheme: request.url.origin.scheme, limit: limit, limits: limits, begin: .now)
        do throws(ConnectionError) {
            let parts = try client.parts()
            // A connection that the server closed just before it was chosen is given nothing.
            let (first, isUnsent) = await send(request, parts, failure)
            return isUnsent ? await send(request, parts, failure).output : first
        } catch {
            return .noResponse(error)
        }
    }

    /// Sends a request once, and says whether nothing of it was sent since the connection had been closed.
    private func send(
        _ request: Request, _ parts: LazyClient.Parts, _ failure: TransportFailure
    ) async -> (output: Output, isUnsent: Bool) {
        let clientRequest: HTTPClient.Request
        do {
            clientRequest = try HTTPClient.Request(request, socket: socket)
        } catch {
            return (.noResponse(failure.connectionError(for: error)), false)
        }
        let collector = ResponseCollector(
            ResponseProgress(
                limit: limits.responseBytes, isHead: request.methodAndPayload == .head))
        let task = parts.client.execute(
            request: clientRequest, delegate: collector,
            deadline: .now() + TimeAmount(failure.rest))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                task.futureResult.whenComplete { continuation.resume(returning: $0) }
            }
        } onCancel: {
            task.cancel()
        }
        switch result {
        case .success(let response): return (.response(response), false)
        case .failure(let error):
            let known = failure.connectionError(for: error, after: collector.progress)
            let isUnsent =
                collector.progress.phase == nil && error as? ChannelError == .ioOnClosedChannel
            return (.noResponse(await explained(known, parts.probe, request, failure)), isUnsent)
        }
    }

    /// Looks why a certificate was not believed, in the time that is left.
    private func explained(
        _ error: ConnectionError, _ probe: ConnectionProbe, _ request: Request,
        _ failure: TransportFailure
    ) async -> ConnectionError {
        guard error.kind == .certificateNotVerified else { return error }
        let diagnosis = await probe.diagnosis(of: request.url.origin, within: failure.rest)
        return ConnectionError(diagnosis.kind, during: .tls, underlying: error.underlying)
    }

    /// Sends a request and gives the beginning of its response.
    public func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError> {
        let failure = TransportFailure(
            scheme: request.url.origin.scheme, limit: limit, limits: limits, begin: .now)
        do {
            let parts = try client.parts()
            let response = try await parts.client.execute(
                HTTPClientRequest(request, socket: socket), deadline: .now() + TimeAmount(limit))
            return .success(ResponseStream(response, of: client, failure))
        } catch {
            return .failure(
                error as? ConnectionError ?? failure.connectionError(for: error, unsure: .head))
        }
    }
}

extension LazyClient.Parts {
    fileprivate init(_ tls: TLSOptions, _ limits: TransportLimits) throws(TLSOptionsError) {
        probe = try ConnectionProbe(tls: tls)
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try tls.configuration(),
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(limits.connect), read: limits.silence.map { TimeAmount($0) }),
            decompression: .enabled(limit: .size(limits.responseBytes)))
        configuration.httpVersion = .http1Only
        // The outcome lists the attempts; an interceptor may trace.
        configuration.tracing.tracer = nil
        configuration.connectionPool.idleTimeout = TimeAmount(limits.idle)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            limits.connectionsPerServer
        // A connection that cannot be made is an error at once; a policy decides on another try.
        configuration.connectionPool.retryConnectionEstablishment = false
        let pinnedKeys = tls.pinnedKeys
        if !pinnedKeys.isEmpty {
            configuration.http1_1ConnectionDebugInitializer = { channel in
                KeyPinningError.check(channel, against: pinnedKeys)
            }
        }
        loop = DedicatedEventLoop()
        client = HTTPClient(
            eventLoopGroupProvider: .shared(loop.loop), configuration: configuration)
    }
}

extension Request {
    /// The URL as AsyncHTTPClient takes it.
    fileprivate func clientURL(socket: String?) -> String {
        guard let socket else { return unredactedURL }
        return "http+unix://" + PercentEncoding.encoded(socket)
            + unredactedURL.dropFirst(url.origin.description.utf8.count)
    }

    /// The header fields as AsyncHTTPClient takes them.
    fileprivate func clientHeaders(socket: String?) -> HTTPHeaders {
        var fields = HTTPHeaders()
        fields.reserveCapacity(headers.count + 4)
        if socket != nil { fields.add(name: "Host", value: url.origin.host) }
        for field in fieldsToSend { fields.add(name: field.name.rawName, value: field.value) }
        return fields
    }

    /// The content as AsyncHTTPClient takes it.
    fileprivate var clientBody: ByteBuffer? {
        methodAndPayload.payload.flatMap { $0.bytes.isEmpty ? nil : ByteBuffer(bytes: $0.bytes) }
    }
}

extension HTTPClient.Request {
    fileprivate init(_ request: Request, socket: String?) throws {
        var headers = request.clientHeaders(socket: socket)
        if request.headers[.acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        try self.init(
            url: request.clientURL(socket: socket),
            method: HTTPMethod(rawValue: request.methodAndPayload.method), headers: headers,
            body: request.clientBody.map { .byteBuffer($0) })
    }
}

extension HTTPClientRequest {
    /// A request whose answer is read as it comes: compression would hold it back.
    fileprivate init(_ request: Request, socket: String?) {
        self.init(url: request.clientURL(socket: socket))
        method = HTTPMethod(rawValue: request.methodAndPayload.method)
        headers = request.clientHeaders(socket: socket)
        body = request.clientBody.map { .bytes($0) }
    }
}
