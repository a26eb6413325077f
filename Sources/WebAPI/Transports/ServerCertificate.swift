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
