import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization
import WireText

/// A transport that sends HTTP/1.1 requests over the network or a unix socket, with AsyncHTTPClient.
///
/// One transport can serve a whole program. It keeps connections open for a while to reuse them, and closes them when
/// the last reference to the transport is released. It starts its thread with the first request, so an unused transport
/// has no thread.
public final class AsyncHTTPClientTransport: Transport {
    private enum State: Sendable {
        case notMade
        case made(HTTPClient, DedicatedEventLoop)
        case shutDown
    }

    private let probe: ConnectionProbe
    private let limits: TransportLimits
    private let socket: String?
    private let state = Mutex(State.notMade)

    /// Creates a transport that connects over the network.
    public init(
        tls: TLSOptions = TLSOptions(), limits: TransportLimits = TransportLimits()
    ) throws(TLSOptionsError) {
        probe = try ConnectionProbe(tls: tls)
        self.limits = limits
        socket = nil
    }

    /// Creates a transport that sends all requests to the unix socket at this path, whatever their hosts.
    public init(socket: String, limits: TransportLimits = TransportLimits()) {
        probe = ConnectionProbe(.makeClientConfiguration(), pinnedKeys: [])
        self.limits = limits
        self.socket = socket
    }

    deinit {
        guard case .made(let client, let loop) = end() else { return }
        client.shutdown { _ in loop.end() }
    }

    /// Closes all connections; later requests fail with ``ConnectionError/Kind/shutDown``.
    public func shutdown() async {
        guard case .made(let client, let loop) = end() else { return }
        // The only possible error is that the client was already shut down.
        try? await client.shutdown()
        loop.end()
    }

    /// Marks the transport as shut down, and returns the previous state.
    private func end() -> State {
        state.withLock { state in
            defer { state = .shutDown }
            return state
        }
    }

    /// Returns the transport's `HTTPClient`, created on first use; throws after the shutdown.
    private func client() throws(ConnectionError) -> HTTPClient {
        try state.withLock { (state) throws(ConnectionError) in
            switch state {
            case .made(let client, _): return client
            case .shutDown: throw ConnectionError(.shutDown, during: .connect)
            case .notMade:
                let loop = DedicatedEventLoop()
                let client = HTTPClient(
                    eventLoopGroupProvider: .shared(loop.loop), configuration: configuration)
                state = .made(client, loop)
                return client
            }
        }
    }

    private var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: probe.configuration, redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(limits.connect), read: limits.silence.map { TimeAmount($0) }),
            decompression: .enabled(limit: .size(limits.responseBytes)))
        configuration.httpVersion = .http1Only
        // The call's outcome lists the attempts; an interceptor can do the tracing.
        configuration.tracing.tracer = nil
        configuration.connectionPool.idleTimeout = TimeAmount(limits.idle)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            limits.connectionsPerServer
        // Report a failed connection immediately; the retry policy decides whether to try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        let pinnedKeys = probe.pinnedKeys
        if !pinnedKeys.isEmpty {
            configuration.http1_1ConnectionDebugInitializer = { channel in
                KeyPinningError.check(channel, against: pinnedKeys)
            }
        }
        return configuration
    }

    /// Sends a request, reads the whole response, and decompresses its content if necessary.
    public func output(for request: Request, within limit: Duration) async -> Output {
        let failure = TransportFailure(
            scheme: request.url.origin.scheme, limit: limit, limits: limits, begin: .now)
        do throws(ConnectionError) {
            let client = try client()
            // If the server closed a reused connection before anything was sent, send the request again.
            let (first, isUnsent) = await send(request, client, failure)
            return isUnsent ? await send(request, client, failure).output : first
        } catch {
            return .noResponse(error)
        }
    }

    /// Sends a request once; `isUnsent` is true if a closed connection prevented sending.
    private func send(
        _ request: Request, _ client: HTTPClient, _ failure: TransportFailure
    ) async -> (output: Output, isUnsent: Bool) {
        let clientRequest: HTTPClient.Request
        do {
            clientRequest = try HTTPClient.Request(request, socket: socket)
        } catch {
            return (.noResponse(failure.connectionError(for: error)), false)
        }
        let collector = ResponseCollector(
            limit: limits.responseBytes, isHead: request.methodAndPayload == .head)
        let task = client.execute(
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
            var known = failure.connectionError(for: error, after: collector.progress)
            let isUnsent =
                collector.progress.phase == nil && error as? ChannelError == .ioOnClosedChannel
            if known.kind == .certificateNotVerified {
                known.kind =
                    await probe.diagnosis(of: request.url.origin, within: failure.rest).kind
            }
            return (.noResponse(known), isUnsent)
        }
    }

    /// Sends a request and returns a response whose content can be read as it arrives.
    public func stream(
        for request: Request, within limit: Duration
    ) async -> Result<ResponseStream, ConnectionError> {
        let failure = TransportFailure(
            scheme: request.url.origin.scheme, limit: limit, limits: limits, begin: .now)
        do {
            let response = try await client().execute(
                HTTPClientRequest(request, socket: socket), deadline: .now() + TimeAmount(limit))
            return .success(ResponseStream(response, of: self, failure))
        } catch {
            return .failure(
                error as? ConnectionError ?? failure.connectionError(for: error, unsure: .head))
        }
    }
}

extension Request {
    fileprivate func clientURL(socket: String?) -> String {
        guard let socket else { return unredactedURL }
        return "http+unix://" + PercentEncoding.encoded(socket)
            + unredactedURL.dropFirst(url.origin.description.utf8.count)
    }

    fileprivate func clientHeaders(socket: String?) -> HTTPHeaders {
        var fields = HTTPHeaders()
        fields.reserveCapacity(headers.count + 4)
        if socket != nil { fields.add(name: "Host", value: url.origin.host) }
        for field in fieldsToSend { fields.add(name: field.name.rawName, value: field.value) }
        return fields
    }

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
    /// Creates a request for streaming; it does not accept compression, which would delay the content.
    fileprivate init(_ request: Request, socket: String?) {
        self.init(url: request.clientURL(socket: socket))
        method = HTTPMethod(rawValue: request.methodAndPayload.method)
        headers = request.clientHeaders(socket: socket)
        body = request.clientBody.map { .bytes($0) }
    }
}

/// A transport's own event loop on its own thread.
///
/// An event loop looks up host names one after another, and a lookup takes ten seconds or more if the name server does
/// not answer. On a shared loop, a slow lookup would delay all transports. All requests of a transport use the same
/// loop, because switching between several loops would cost more time than it saves.
private struct DedicatedEventLoop: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    var loop: any EventLoop { group.any() }

    /// Makes the event loop's thread stop once all pending name lookups have ended.
    func end() {
        let loop = loop
        loop.flatSubmit {
            // Resolving an IP address needs no lookup, so this waits only for earlier lookups.
            NIORandomizedDNSResolver(loop: loop).initiateAAAAQuery(host: "127.0.0.1", port: 0)
        }.whenComplete { [group] _ in
            group.shutdownGracefully { _ in }
        }
    }
}
