import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A test of how far a connection to a server gets; it sends no request.
///
/// A probe looks up the host name, connects and sets up TLS. It verifies certificates as a transport does. If it
/// rejects a certificate, it connects again to find out why.
public struct ConnectionProbe: Sendable {
    let configuration: TLSConfiguration
    let pinnedKeys: Set<PinnedKey>
    private let deadlines = Deadlines()

    /// Creates a probe that verifies servers with these TLS options.
    public init(tls: TLSOptions = TLSOptions()) throws(TLSOptionsError) {
        self.init(try tls.configuration(), pinnedKeys: tls.pinnedKeys)
    }

    init(_ configuration: TLSConfiguration, pinnedKeys: Set<PinnedKey>) {
        self.configuration = configuration
        self.pinnedKeys = pinnedKeys
    }

    /// Connects to a server without sending a request, closes the connection, and reports how far it got.
    public func run(to origin: Origin, within limit: Duration) async -> ConnectionReport {
        let end = ContinuousClock.now + limit
        var report = await connect(to: origin, within: limit, looksOnly: false)
        if report.error?.kind == .certificateNotVerified {
            let rest = ContinuousClock.now.duration(to: end)
            let (kind, certificate) = await diagnosis(of: origin, within: rest)
            report.error = ConnectionError(kind, during: .tls)
            if let certificate { report.chain = [certificate] }
        } else if report.error == nil, !pinnedKeys.isEmpty, let key = report.chain.first?.key,
            !pinnedKeys.contains(key)
        {
            report.error = ConnectionError(.keyNotPinned(found: key), during: .tls)
        }
        return report
    }

    /// Connects again to find out why the server's certificate was rejected.
    func diagnosis(
        of origin: Origin, within limit: Duration
    ) async -> (kind: ConnectionError.Kind, certificate: ServerCertificate?) {
        let chain = await connect(to: origin, within: limit, looksOnly: true).chain
        let kind: ConnectionError.Kind =
            if let expired = chain.first(where: { $0.validUntil < .now }) {
                .certificateExpired(expired.validUntil)
            } else if let early = chain.first(where: { .now < $0.validFrom }) {
                .certificateNotYetValid(early.validFrom)
            } else {
                chain.isEmpty ? .certificateNotVerified : .certificateNotTrusted
            }
        return (kind, chain.first)
    }

    /// Connects to a server; if `looksOnly` is true, only records the server's certificates.
    private func connect(
        to origin: Origin, within limit: Duration, looksOnly: Bool
    ) async -> ConnectionReport {
        let attempt = ProbeConnection(
            to: origin, looksOnly ? configuration.withoutAuthorities : configuration,
            looksOnly: looksOnly)
        return await deadlines.run(within: limit) { isCancelled in
            attempt.report(isCancelled ? .cancelled : .timedOut(after: limit))
        } operation: {
            await attempt.run(within: limit)
        }
    }
}

/// The result of a probe: how far the connection got, and the server's certificate.
public struct ConnectionReport: Sendable {
    /// The last phase that started: `dns`, `connect` or `tls`.
    public internal(set) var phase: ConnectionError.Phase
    /// Why the connection failed; nil if it succeeded.
    public internal(set) var error: ConnectionError?
    /// The server's address, such as `93.184.215.14:443`; nil if no connection was made.
    public internal(set) var peer: String?
    /// The server's own certificate, without intermediate certificates; empty if none could be read.
    public internal(set) var chain: [ServerCertificate] = []
}

private final class ProbeConnection: Sendable {
    private struct State {
        var report: ConnectionReport
        var channel: (any Channel)?
    }

    private let origin: Origin
    private let configuration: TLSConfiguration
    private let looksOnly: Bool
    private let state: Mutex<State>

    init(to origin: Origin, _ configuration: TLSConfiguration, looksOnly: Bool) {
        self.origin = origin
        self.configuration = configuration
        self.looksOnly = looksOnly
        // IP addresses need no lookup.
        let phase = origin.nameForTLS == nil ? ConnectionError.Phase.connect : .dns
        state = Mutex(State(report: ConnectionReport(phase: phase)))
    }

    func run(within limit: Duration) async -> ConnectionReport {
        do {
            let (host, port) = (origin.unbracketedHost, origin.port)
            _ = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(host, port: port)
            }
            state.withLock { $0.report.phase = .connect }
            // Connect by name, so that all addresses of the name are tried, as a transport does.
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(limit)).connect(host: host, port: port).get()
            state.withLock { state in
                state.channel = channel
                // A closed connection no longer has its peer's address.
                state.report.peer = channel.remoteAddress?.hostAndPort
            }
            if origin.scheme == .https { try await setUpTLS(on: channel) }
            return report(nil)
        } catch ChannelError.connectTimeout {
            return report(.timedOut(after: limit))
        } catch {
            if Task.isCancelled { return report(.cancelled) }
            let reading = FailureReading(error)
            return report(reading.kind ?? .other, reading.phase, reading.text)
        }
    }

    private func setUpTLS(on channel: any Channel) async throws {
        state.withLock { $0.report.phase = .tls }
        // This reads the system's 140 or so authorities: too much work for an event loop.
        let context = try await NIOThreadPool.singleton.runIfActive { [configuration] in
            try NIOSSLContext(configuration: configuration)
        }
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
                self.state.withLock { if $0.report.chain.isEmpty { $0.report.chain = [leaf] } }
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
                self.state.withLock { $0.report.chain = chain.compactMap(ServerCertificate.init) }
                promise.succeed(.failed)
            })
    }

    /// Closes the connection and reports how far it got; `kind` is nil after success.
    func report(
        _ kind: ConnectionError.Kind?, _ phase: ConnectionError.Phase? = nil, _ text: String = ""
    ) -> ConnectionReport {
        state.withLock { state in
            state.channel?.close(promise: nil)
            state.report.error = kind.map {
                ConnectionError($0, during: phase ?? state.report.phase, underlying: text)
            }
            return state.report
        }
    }
}

/// A channel handler that completes a promise when the TLS handshake succeeds or fails.
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
    /// The host without the brackets of an IPv6 address, as the system's resolver expects it.
    var unbracketedHost: String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The host name to verify in the certificate; nil for an IP address, which NIOSSL verifies itself.
    fileprivate var nameForTLS: String? {
        let isAddress = (try? SocketAddress(ipAddress: unbracketedHost, port: port)) != nil
        return isAddress ? nil : host
    }
}

extension SocketAddress {
    fileprivate var hostAndPort: String? {
        guard let ipAddress, let port else { return nil }
        return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
