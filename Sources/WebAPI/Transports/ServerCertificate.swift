import Crypto
import FoundationEssentials
import NIOCore
import NIOSSL

/// What a server showed of itself, whether it was believed or not.
public struct ServerCertificate: Hashable, Sendable {
    /// From when it is valid.
    public let validFrom: HTTPDate
    /// Until when it is valid.
    public let validUntil: HTTPDate
    /// The hash of its key, to pin.
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
/// Hashed is the DER of the certificate's SubjectPublicKeyInfo, as RFC 7469, section 2.4, and curl's
/// `--pinnedpubkey` have it. It is made by
/// `openssl x509 -pubkey -noout -in cert.pem | openssl pkey -pubin -outform der | openssl dgst
/// -sha256 -binary | base64`.
public struct PinnedKey: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Takes a hash of exactly 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads a hash: 44 characters of Base64, with `sha256//` in front or not.
    public init?(_ text: String) {
        let digits = text.hasPrefix("sha256//") ? String(text.dropFirst(8)) : text
        guard let data = Data(base64Encoded: digits) else { return nil }
        self.init(Array(data))
        // Foundation reads a padding that is too long as well.
        guard description.hasSuffix("/" + digits) else { return nil }
    }

    /// The hash of a certificate's key; nil if the key cannot be read.
    init?(keyOf certificate: NIOSSLCertificate) {
        guard let bytes = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        self.init(Array(SHA256.hash(data: bytes)))
    }

    /// The hash as `sha256//` and 44 characters of Base64.
    public var description: String { "sha256//" + Data(bytes).base64EncodedString() }
}

/// Why a certificate was not believed.
struct CertificateDiagnosis: Equatable {
    /// The kind of error that says so.
    let kind: ConnectionError.Kind

    /// The server's own certificate, if it could be looked at.
    let certificate: ServerCertificate?

    /// Judges a chain by its dates; if they are right, it is the signature that is not trusted.
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

/// The server's key is none of those pinned.
enum KeyPinningError: Error {
    /// It is this one.
    case other(PinnedKey)
    /// There is none, for there is no TLS, or it cannot be read.
    case none

    /// Compares the key of a connection with those pinned before anything is sent, and closes the
    /// connection if it is another.
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
