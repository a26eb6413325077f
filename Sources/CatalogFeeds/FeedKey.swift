package import Crypto
import Foundation
import WireText

/// Reads the keys of signatures: Ed25519 in PEM, as `openssl genpkey -algorithm ed25519` makes them.
///
/// Rules: RFC 8410, sections 4 and 7; RFC 7468.
package enum FeedKey {
    /// Signs manifests.
    package typealias Private = Curve25519.Signing.PrivateKey
    /// Checks signatures.
    package typealias Public = Curve25519.Signing.PublicKey

    /// What stands before the 32 bytes of a private and of a public key in DER.
    private static let privateHead: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ]
    private static let publicHead: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// Reads a private key.
    package static func readPrivate(_ path: String) throws(FeedError) -> Private {
        let bytes = try content(of: path, "PRIVATE KEY", privateHead)
        guard let bytes, let key = try? Private(rawRepresentation: bytes) else {
            throw .key(path: path, expected: "what \"openssl genpkey -algorithm ed25519\" writes")
        }
        return key
    }

    /// Reads a public key.
    package static func readPublic(_ path: String) throws(FeedError) -> Public {
        let bytes = try content(of: path, "PUBLIC KEY", publicHead)
        guard let bytes, let key = try? Public(rawRepresentation: bytes) else {
            throw .key(path: path, expected: "what \"openssl pkey -in KEY -pubout\" writes of an Ed25519 key")
        }
        return key
    }

    private static func content(
        of path: String, _ label: String, _ head: [UInt8]
    ) throws(FeedError) -> [UInt8]? {
        let text: String
        do {
            text = String(decoding: try SmallFile.read(path, limit: 4096), as: UTF8.self)
        } catch {
            throw .file(error)
        }
        guard let begin = text.range(of: "-----BEGIN \(label)-----"),
            let end = text.range(of: "-----END \(label)-----"),
            begin.upperBound < end.lowerBound
        else { return nil }
        let base64 = text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
        guard let data = Data(base64Encoded: base64), data.count == head.count + 32,
            data.starts(with: head)
        else { return nil }
        return Array(data.dropFirst(head.count))
    }
}
