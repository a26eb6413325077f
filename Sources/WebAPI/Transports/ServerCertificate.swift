import Crypto
import NIOSSL

/// What a server showed of itself, whether it was believed or not.
public struct ServerCertificate: Hashable, Sendable {
    /// From when it is valid.
    public let validFrom: HTTPDate

    /// Until when it is valid.
    public let validUntil: HTTPDate

    /// The hash of its key, to pin.
    public let key: PinnedKey

    /// Reads a certificate; `nil` where its key cannot be read.
    init?(_ certificate: NIOSSLCertificate) {
        guard let key = PinnedKey(keyOf: certificate) else { return nil }
        self.key = key
        validFrom = HTTPDate(secondsSince1970: Int64(certificate.notValidBefore))
        validUntil = HTTPDate(secondsSince1970: Int64(certificate.notValidAfter))
    }
}

extension PinnedKey {
    /// The hash of a certificate's key; `nil` where the key cannot be read.
    init?(keyOf certificate: NIOSSLCertificate) {
        guard let bytes = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        self.init(Array(SHA256.hash(data: bytes)))
    }
}

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
