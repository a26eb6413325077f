/// The SHA-256 hash of a server's public key.
///
/// Hashed is the DER of the certificate's SubjectPublicKeyInfo, as RFC 7469, section 2.4, and curl's
/// `--pinnedpubkey` have it. It is made by
/// `openssl x509 -pubkey -noout -in cert.pem | openssl pkey -pubin -outform der | openssl dgst
/// -sha256 -binary | base64`.
public struct PinnedKey: Hashable, Sendable {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Takes a hash.
    ///
    /// - Parameter bytes: Exactly 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}
