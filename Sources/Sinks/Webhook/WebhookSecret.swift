import Crypto
import Foundation

/// A key that signs the requests of a webhook.
///
/// Rule: Standard Webhooks 1.0.0, "Signature scheme".
package struct WebhookSecret: Sendable {
    private enum Key: Sendable {
        /// Shared with the receiver: `v1`.
        case shared(SymmetricKey)
        /// Ours alone, whose public half the receiver has: `v1a`.
        case own(Curve25519.Signing.PrivateKey)
    }

    private let key: Key

    /// Reads a secret.
    ///
    /// `text` is `whsec_` and 24 to 64 bytes in Base64, or `whsk_` and an Ed25519 key: its 32 bytes, or these
    /// and the public key's.
    package init(_ text: String) throws(WebhookSecretError) {
        if let bytes = Self.bytes(text, after: "whsec_") {
            guard (24...64).contains(bytes.count) else { throw .wrongLength(bytes.count) }
            key = .shared(SymmetricKey(data: bytes))
        } else if let bytes = Self.bytes(text, after: "whsk_") {
            guard bytes.count == 32 || bytes.count == 64,
                let own = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.prefix(32))
            else { throw .wrongKeyLength(bytes.count) }
            guard bytes.count == 32 || own.publicKey.rawRepresentation == bytes.suffix(32) else {
                throw .otherPublicKey
            }
            key = .own(own)
        } else {
            throw .noSecret
        }
    }

    private static func bytes(_ text: String, after prefix: String) -> Data? {
        guard text.hasPrefix(prefix) else { return nil }
        return Data(base64Encoded: String(text.dropFirst(prefix.count)))
    }

    /// The signature of a request, for `webhook-signature`: `v1,…` or `v1a,…`.
    ///
    /// `timestamp` is when it is sent, in seconds since 1970.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let content = Data("\(id).\(timestamp).".utf8) + Data(body)
        switch key {
        case .shared(let key):
            let code = HMAC<SHA256>.authenticationCode(for: content, using: key)
            return "v1," + Data(code).base64EncodedString()
        case .own(let key):
            // Fails only for an invalid key, and this one was checked when it was read.
            let signature = (try? key.signature(for: content)) ?? Data()
            return "v1a," + signature.base64EncodedString()
        }
    }
}

/// Why a text is no secret of a webhook.
package enum WebhookSecretError: Error, Equatable, Sendable, CustomStringConvertible {
    case noSecret
    case wrongLength(Int)
    case wrongKeyLength(Int)
    case otherPublicKey

    /// One sentence; it never quotes the secret.
    package var description: String {
        switch self {
        case .noSecret:
            "expected whsec_ and a secret in Base64, or whsk_ and an Ed25519 key in Base64, "
                + "found something else"
        case .wrongLength(let count): "expected a secret of 24 to 64 bytes, found \(count)"
        case .wrongKeyLength(let count): "expected an Ed25519 key of 32 or 64 bytes, found \(count)"
        case .otherPublicKey: "expected an Ed25519 key with its own public key, found another"
        }
    }
}
