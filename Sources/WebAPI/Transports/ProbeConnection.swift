import Dispatch
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// One connection made step by step.
final class ProbeConnection: Sendable {
    /// What is done about TLS.
    enum TLS: Sendable {
        /// It is set up as for a request.
        case verify(LazyTLSContext)
        /// The certificates are looked at and then refused.
        case look(LazyTLSContext)

        /// What is used for it.
        var context: LazyTLSContext {
            switch self {
            case .verify(let context), .look(let context): context
            }
        }
    }

    private struct State {
        var phase: ConnectionError.Phase
        var channel: (any Channel)?
        /// Kept from when the connection was made: one that is closed does not tell.
        var peer: String?
        var chain: [ServerCertificate] = []
        var isOver = false
        var isMade = false
    }

    private let origin: Origin
    private let tls: TLS
    private let names: DispatchQueue
    private let loop: any EventLoop
    private let done: EventLoopPromise<Void>
    private let state: Mutex<State>

    init(to origin: Origin, tls: TLS, names: DispatchQueue) {
        self.origin = origin
        // An address is not looked up.
        state = Mutex(State(phase: origin.nameForTLS == nil ? .connect : .dns))
        self.tls = tls
        self.names = names
        loop = MultiThreadedEventLoopGroup.singleton.any()
        done = loop.makePromise()
    }

    /// The phase it is in.
    var phase: ConnectionError.Phase { state.withLock { $0.phase } }

    /// Whether there is a connection, set up to the end.
    var isMade: Bool { state.withLock { $0.isMade } }

    /// Makes the connection, closes it and tells how far it got.
    func run(within limit: Duration) async -> ConnectionReport {
        start(within: limit)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                done.futureResult.whenComplete { continuation.resume(returning: $0) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
        return report(of: result, limit: limit)
    }

    /// Begins; ``phase`` tells how far it is.
    func start(within limit: Duration) {
        let timeout = loop.scheduleTask(in: TimeAmount(limit)) {
            self.finish(.failure(ProbeTimeout()))
        }
        done.futureResult.whenComplete { _ in
            timeout.cancel()
            self.close()
        }
        let host = origin.unbracketedHost
        let port = origin.port
        let context = tls.context
        let isSecure = origin.scheme == .https
        names.asyncWithFuture(eventLoop: loop) {
            _ = try SocketAddress.makeAddressResolvingHost(host, port: port)
            // Reads the system's authorities, which is no work for an event loop.
            if isSecure { _ = try context.value() }
        }.flatMap { _ in
            // By name once more, so that all addresses are tried as a transport does.
            self.enter(.connect)
            return ClientBootstrap(group: self.loop)
                .connectTimeout(TimeAmount(limit))
                .connect(host: host, port: port)
        }.flatMap { channel in
            self.setUpTLS(on: channel)
        }.whenComplete { self.finish($0) }
    }

    /// Ends it early and closes what there is.
    func stop() {
        finish(.failure(CancellationError()))
    }

    private func setUpTLS(on channel: any Channel) -> EventLoopFuture<Void> {
        state.withLock {
            $0.channel = channel
            $0.peer = channel.remoteAddress?.hostAndPort
        }
        guard origin.scheme == .https else { return loop.makeSucceededVoidFuture() }
        enter(.tls)
        let established = loop.makePromise(of: Void.self)
        do {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(try handler())
            try pipeline.addHandler(HandshakeWatch(established))
        } catch {
            established.fail(error)
        }
        return established.futureResult.always { _ in
            let leaf = try? channel.pipeline.syncOperations.nioSSL_peerCertificate()
            if let leaf = leaf.flatMap({ $0 }).flatMap({ ServerCertificate($0) }) {
                self.state.withLock { if $0.chain.isEmpty { $0.chain = [leaf] } }
            }
        }
    }

    private func handler() throws -> NIOSSLClientHandler {
        switch tls {
        case .verify(let context):
            return try NIOSSLClientHandler(
                context: try context.value(), serverHostname: origin.nameForTLS)
        case .look(let context):
            return try NIOSSLClientHandler(
                context: try context.value(), serverHostname: origin.nameForTLS,
                customVerificationCallback: { chain, promise in
                    self.state.withLock { $0.chain = chain.compactMap { ServerCertificate($0) } }
                    promise.succeed(.failed)
                })
        }
    }

    private func enter(_ phase: ConnectionError.Phase) {
        state.withLock { if !$0.isOver { $0.phase = phase } }
    }

    private func finish(_ result: Result<Void, any Error>) {
        let isFirst = state.withLock { state in
            guard !state.isOver else { return false }
            state.isOver = true
            if case .success = result { state.isMade = true }
            return true
        }
        if isFirst { done.completeWith(result) } else { close() }
    }

    private func close() {
        state.withLock { $0.channel }?.close(mode: .all, promise: nil)
    }

    private func report(of result: Result<Void, any Error>, limit: Duration) -> ConnectionReport {
        let (phase, peer, chain) = state.withLock { ($0.phase, $0.peer, $0.chain) }
        var error: ConnectionError?
        if case .failure(let failure) = result {
            error = ConnectionError(failure, during: phase, limit: limit)
        }
        return ConnectionReport(
            phase: phase, error: error, peer: peer, chain: chain)
    }
}

/// The time for a probe is up.
private struct ProbeTimeout: Error {}

extension ConnectionError {
    fileprivate init(_ failure: any Error, during phase: Phase, limit: Duration) {
        switch failure {
        case is ProbeTimeout: self.init(.timedOut(after: limit), during: phase)
        case is CancellationError: self.init(.cancelled, during: phase)
        default:
            let reading = FailureReading(failure, responseBytes: 0)
            self.init(
                reading.kind ?? .other, during: reading.phase ?? phase, underlying: reading.text)
        }
    }
}

/// Tells when TLS is set up on a connection, or why not.
final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let established: EventLoopPromise<Void>

    init(_ established: EventLoopPromise<Void>) {
        self.established = established
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { established.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        established.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        established.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
