import Dispatch
import NIOCore
import NIOPosix
import NIOSSL

/// Makes a connection without sending anything over it, to see how far it gets.
///
/// It goes step by step where a transport does all at once: looks the name up, connects, sets up
/// TLS. Where the certificate is not believed it looks at it once more to say why. It verifies as
/// transports do, and nothing is ever written to a server that was not verified.
public struct ConnectionProbe: Sendable {
    private let context: LazyTLSContext
    private let pinnedKeys: Set<PinnedKey>
    /// Where names are looked up: one that takes long shall not keep other probes waiting.
    private let names = DispatchQueue(label: "keywedge.names")

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
    ///   - now: The date certificates are held against.
    /// - Returns: How far it got.
    public func run(
        to origin: Origin, within limit: Duration, now: HTTPDate = .now
    ) async -> ConnectionReport {
        let clock = ContinuousClock()
        let end = clock.now + limit
        let first = ProbeConnection(to: origin, tls: .verify(context), names: names)
        let report = await first.run(within: limit).checking(pinnedKeys)
        guard report.error?.kind == .certificateNotVerified else { return report }
        let reason = await diagnosis(
            of: origin, within: clock.now.duration(to: end), now: now)
        return report.explaining(by: reason)
    }

    /// Looks at a certificate that was not believed, to say why.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - limit: The time for it.
    ///   - now: The date it is held against.
    /// - Returns: What is wrong with the certificate, as far as its dates tell.
    func diagnosis(
        of origin: Origin, within limit: Duration, now: HTTPDate = .now
    ) async -> CertificateDiagnosis {
        let look = ProbeConnection(to: origin, tls: .look(context), names: names)
        return CertificateDiagnosis(of: await look.run(within: limit).chain, now: now)
    }

    /// Starts a connection whose phase can be asked for while it is made.
    func start(to origin: Origin, within limit: Duration) -> ProbeConnection {
        let connection = ProbeConnection(to: origin, tls: .verify(context), names: names)
        connection.start(within: limit)
        return connection
    }
}

/// How far a connection got.
public struct ConnectionReport: Sendable {
    /// The last phase that was begun: ``ConnectionError/Phase/dns``, ``ConnectionError/Phase/connect``
    /// or ``ConnectionError/Phase/tls``.
    public let phase: ConnectionError.Phase

    /// Why it got no further; `nil` where the connection was made.
    public let error: ConnectionError?

    /// The addresses' text the connection was made to, as `93.184.215.14:443`; `nil` before.
    public let peer: String?

    /// The certificates the server showed, its own first; empty where none was seen.
    public let chain: [ServerCertificate]

    init(
        phase: ConnectionError.Phase, error: ConnectionError?, peer: String?,
        chain: [ServerCertificate]
    ) {
        self.phase = phase
        self.error = error
        self.peer = peer
        self.chain = chain
    }

    /// The report with the reason a certificate was not believed.
    func explaining(by diagnosis: CertificateDiagnosis) -> ConnectionReport {
        ConnectionReport(
            phase: phase, error: ConnectionError(diagnosis.kind, during: .tls), peer: peer,
            chain: diagnosis.certificate.map { [$0] } ?? chain)
    }

    /// The report with an error where the server's key is none of those pinned.
    func checking(_ pinnedKeys: Set<PinnedKey>) -> ConnectionReport {
        guard error == nil, !pinnedKeys.isEmpty, let key = chain.first?.key,
            !pinnedKeys.contains(key)
        else { return self }
        return ConnectionReport(
            phase: phase, error: ConnectionError(.keyNotPinned(found: key), during: .tls),
            peer: peer, chain: chain)
    }
}
