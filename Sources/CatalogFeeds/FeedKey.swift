package import Crypto
import Foundation
import WireText

/// Reads the keys of signatures: Ed25519 in PEM, as `openssl genpkey -algorithm ed25519` makes them.
///
/// Rules: RFC 8410, sections 4 and 7; RFC 7468.
package enum FeedKey {
    /// What stands before the 32 bytes of a key in DER, in Base64: of a private and of a public one.
    private static let (privateHead, publicHead) = ("MC4CAQAwBQYDK2VwBCIEI", "MCowBQYDK2VwAyEA")

    /// Reads a private key.
    package static func readPrivate(_ path: String) throws -> Curve25519.Signing.PrivateKey {
        guard let bytes = try bytes(path, "PRIVATE KEY", privateHead, 48) else {
            throw FeedError.key(path: path, "what \"openssl genpkey -algorithm ed25519\" writes")
        }
        return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    }

    /// Reads a public key.
    package static func readPublic(_ path: String) throws -> Curve25519.Signing.PublicKey {
        guard let bytes = try bytes(path, "PUBLIC KEY", publicHead, 44) else {
            throw FeedError.key(path: path, "what \"openssl pkey -in KEY -pubout\" writes")
        }
        return try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
    }

    private static func bytes(
        _ path: String, _ label: String, _ head: String, _ size: Int
    ) throws -> Data? {
        let text = String(decoding: try SmallFile.read(path, limit: 4096), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count == 3, lines[0] == "-----BEGIN \(label)-----",
            lines[2] == "-----END \(label)-----", lines[1].hasPrefix(head),
            let data = Data(base64Encoded: String(lines[1])), data.count == size
        else { return nil }
        return data.suffix(32)
    }
}
