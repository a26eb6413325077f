import Crypto
import FoundationEssentials
import NIOCore
import NIOSSL

/// A certificate that a server presented, trusted or not.
public struct ServerCertificate: Hashable, Sendable {
    /// When the certificate becomes valid: its `notBefore` field.
    public let validFrom: HTTPDate
    /// When the certificate expires: its `notAfter` field.
    public let validUntil: HTTPDate
    /// The hash of the certificate's public key, to use in ``TLSOptions/pinnedKeys``.
    public let key: PinnedKey

    /// Reads a certificate; nil if its key cannot be read.
    init?(_ certificate: NIOSSLCertificate) {
        guard let key = PinnedKey(keyOf: certificate) else { return nil }
        self.key = key
        validFrom = HTTPDate(secondsSince1970: Int64(certificate.notValidBefore))
        validUntil = HTTPDate(secondsSince1970: Int64(certificate.notValidAfter))
    }
}

/// The SHA-256 hash of a server's public key.
///
/// The hash covers the certificate's DER-encoded SubjectPublicKeyInfo, as in RFC 7469, section 2.4, and curl's
/// `--pinnedpubkey`. To compute it, run `openssl x509 -pubkey -noout -in cert.pem | openssl pkey -pubin -outform der |
/// openssl dgst -sha256 -binary | base64`.
public struct PinnedKey: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Creates a hash from its 32 bytes; returns nil for any other number of bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Parses a SHA-256 hash in Base64, with or without `sha256//`; nil for other text.
    public init?(_ text: String) {
        let digits = text.hasPrefix("sha256//") ? String(text.dropFirst(8)) : text
        guard let data = Data(base64Encoded: digits) else { return nil }
        self.init(Array(data))
        // Foundation also accepts padding that is too long.
        guard description.hasSuffix("/" + digits) else { return nil }
    }

    /// Computes the hash of a certificate's key; nil if the key cannot be read.
    init?(keyOf certificate: NIOSSLCertificate) {
        guard let bytes = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        self.init(Array(SHA256.hash(data: bytes)))
    }

    /// The hash as `sha256//` and 44 characters of Base64.
    public var description: String { "sha256//" + Data(bytes).base64EncodedString() }
}

enum KeyPinningError: Error {
    /// The server has this key, which is not one of the pinned keys.
    case other(PinnedKey)
    /// The connection does not use TLS and so has no key, or the key cannot be read.
    case none

    /// Closes the connection if the server's key is not pinned; call this before sending any data.
    static func check(
        _ channel: any Channel, against pinned: Set<PinnedKey>
    ) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            guard let key = certificate.flatMap({ PinnedKey(keyOf: $0) }) else { throw none }
            guard pinned.contains(key) else { throw other(key) }
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error is KeyPinningError ? error : none
        }
    }
}
