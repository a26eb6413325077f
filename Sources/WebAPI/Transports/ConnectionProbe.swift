import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// Makes a connection without sending anything over it, to see how far it gets.
///
/// It goes step by step while a transport does all at once: looks the name up, connects, sets up
/// TLS. If the certificate is not believed, it looks at it once more to say why. It verifies as
/// transports do, and nothing is ever written to a server that was not verified.
public struct ConnectionProbe: Sendable {
    private let context: LazyTLSContext
    private let pinnedKeys: Set<PinnedKey>
    private let deadlines = Deadlines()

    /// Makes a probe.
    ///
    /// - Parameter tls: How servers prove who they are.
    /// - Throws: ``TLSOptionsError``.
    public init(tls: TLSOptions = TLSOptions()) throws(TLSOptionsError) {
        context = LazyTLSContext(try tls.configuration())
        pinnedKeys = tls.pinnedKeys
    }

    /// Makes a connection and closes it.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - limit: The time for all of it.
    ///   - now: The date that certificates are compared with.
    /// - Returns: How far it got.
    public func run(
        to origin: Origin, within limit: Duration, now: HTTPDate = .now
    ) async -> ConnectionReport {
        let end = ContinuousClock.now + limit
        var report = await connect(to: origin, within: limit, looksOnly: false)
        if report.error?.kind == .certificateNotVerified {
            let rest = ContinuousClock.now.duration(to: end)
            let diagnosis = await diagnosis(of: origin, within: rest, now: now)
            report.error = ConnectionError(diagnosis.kind, during: .tls)
            report.chain = diagnosis.certificate.map { [$0] } ?? report.chain
        } else if report.error == nil, !pinnedKeys.isEmpty, let key = report.chain.first?.key,
            !pinnedKeys.contains(key)
        {
            report.error = ConnectionError(.keyNotPinned(found: key), during: .tls)
        }
        return report
    }

    /// What is wrong with a certificate that was not believed, as far as its dates say.
    func diagnosis(
        of origin: Origin, within limit: Duration, now: HTTPDate = .now
    ) async -> CertificateDiagnosis {
        let look = await connect(to: origin, within: limit, looksOnly: true)
        return CertificateDiagnosis(of: look.chain, now: now)
    }

    /// `looksOnly` refuses every certificate after a look at it.
    private func connect(
        to origin: Origin, within limit: Duration, looksOnly: Bool
    ) async -> ConnectionReport {
        let attempt = ProbeConnection(to: origin, context, looksOnly: looksOnly)
        return await deadlines.run(within: limit) { isCancelled in
            attempt.report(isCancelled ? .cancelled : .timedOut(after: limit))
        } operation: {
            await attempt.run(within: limit)
        }
    }
}

/// How far a connection got.
public struct ConnectionReport: Sendable {
    /// The last phase that was begun: ``ConnectionError/Phase/dns``, ``ConnectionError/Phase/connect``
    /// or ``ConnectionError/Phase/tls``.
    public let phase: ConnectionError.Phase
    /// Why it got no further; nil if the connection was made.
    public internal(set) var error: ConnectionError?
    /// The address that the connection was made to, as `93.184.215.14:443`; nil before.
    public let peer: String?
    /// The certificates the server showed, its own first; empty if none was seen.
    public internal(set) var chain: [ServerCertificate]
}

/// One connection made step by step.
private final class ProbeConnection: Sendable {
    private struct State {
        var phase: ConnectionError.Phase
        var channel: (any Channel)?
        /// Kept from when the connection was made: one that is closed does not say it.
        var peer: String?
        var chain: [ServerCertificate] = []
    }

    private let origin: Origin
    private let context: LazyTLSContext
    private let looksOnly: Bool
    private let state: Mutex<State>

    init(to origin: Origin, _ context: LazyTLSContext, looksOnly: Bool) {
        self.origin = origin
        self.context = context
        self.looksOnly = looksOnly
        // An address is not looked up.
        state = Mutex(State(phase: origin.nameForTLS == nil ? .connect : .dns))
    }

    func run(within limit: Duration) async -> ConnectionReport {
        do {
            let (host, port) = (origin.unbracketedHost, origin.port)
            _ = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(host, port: port)
            }
            state.withLock { $0.phase = .connect }
            // By name once more, so that all addresses are tried as a transport does.
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(limit)).connect(host: host, port: port).get()
            state.withLock { state in
                state.channel = channel
                state.peer = channel.remoteAddress?.hostAndPort
            }
            if origin.scheme == .https { try await setUpTLS(on: channel) }
            return report(nil)
        } catch ChannelError.connectTimeout {
            return report(.timedOut(after: limit))
        } catch {
            if Task.isCancelled { return report(.cancelled) }
            let reading = FailureReading(error, responseBytes: 0)
            return report(reading.kind ?? .other, reading.phase, reading.text)
        }
    }

    private func setUpTLS(on channel: any Channel) async throws {
        state.withLock { $0.phase = .tls }
        // Reads the system's authorities, which is no work for an event loop.
        let context = try await NIOThreadPool.singleton.runIfActive { try self.context.value() }
        try await channel.eventLoop.flatSubmit { [self] in
            let established = channel.eventLoop.makePromise(of: Void.self)
            do {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(try handler(context))
                try pipeline.addHandler(HandshakeWatch(established))
            } catch {
                established.fail(error)
            }
            return established.futureResult.always { _ in
                let leaf = try? channel.pipeline.syncOperations.nioSSL_peerCertificate()
                guard let leaf = leaf.flatMap(\.self).flatMap(ServerCertificate.init) else {
                    return
                }
                self.state.withLock { if $0.chain.isEmpty { $0.chain = [leaf] } }
            }
        }.get()
    }

    private func handler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        guard looksOnly else {
            return try NIOSSLClientHandler(context: context, serverHostname: origin.nameForTLS)
        }
        return try NIOSSLClientHandler(
            context: context, serverHostname: origin.nameForTLS,
            customVerificationCallback: { chain, promise in
                self.state.withLock { $0.chain = chain.compactMap(ServerCertificate.init) }
                promise.succeed(.failed)
            })
    }

    /// How far it got; closes what there is.
    func report(
        _ kind: ConnectionError.Kind?, _ phase: ConnectionError.Phase? = nil, _ text: String = ""
    ) -> ConnectionReport {
        state.withLock { state in
            state.channel?.close(promise: nil)
            return ConnectionReport(
                phase: state.phase,
                error: kind.map {
                    ConnectionError($0, during: phase ?? state.phase, underlying: text)
                }, peer: state.peer, chain: state.chain)
        }
    }
}

/// Says when TLS is set up on a connection, or why not.
private final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let established: EventLoopPromise<Void>

    init(_ established: EventLoopPromise<Void>) { self.established = established }

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

extension Origin {
    /// The host as the system's resolver takes it.
    var unbracketedHost: String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The name a certificate must hold; nil for an address, which is compared with the peer's.
    fileprivate var nameForTLS: String? {
        let isAddress = (try? SocketAddress(ipAddress: unbracketedHost, port: port)) != nil
        return isAddress ? nil : host
    }
}

extension SocketAddress {
    /// The address and port as text.
    fileprivate var hostAndPort: String? {
        guard let ipAddress, let port else { return nil }
        return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
