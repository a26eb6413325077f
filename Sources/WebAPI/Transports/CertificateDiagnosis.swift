/// Why a certificate was not believed.
struct CertificateDiagnosis: Equatable {
    /// The kind of error that says so.
    let kind: ConnectionError.Kind

    /// The server's own certificate, where it could be looked at.
    let certificate: ServerCertificate?

    /// Judges a chain by its dates; where they are right, it is the signature that is not trusted.
    ///
    /// - Parameters:
    ///   - chain: What the server showed, its own certificate first; empty where nothing was seen.
    ///   - now: The date it is held against.
    init(of chain: [ServerCertificate], now: HTTPDate) {
        certificate = chain.first
        kind =
            if chain.isEmpty {
                .certificateNotVerified
            } else if let expired = chain.first(where: { $0.validUntil < now }) {
                .certificateExpired(expired.validUntil)
            } else if let early = chain.first(where: { now < $0.validFrom }) {
                .certificateNotYetValid(early.validFrom)
            } else {
                .certificateNotTrusted
            }
    }
}
