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
