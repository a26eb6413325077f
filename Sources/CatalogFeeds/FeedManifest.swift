package import Crypto
import Foundation
import HTTPTypes
import WebAPI
import WireText

package struct FeedManifest: Codable, Equatable, Sendable {
    /// The maximum size of a manifest, in bytes.
    static let longest = 1 << 18
    static let (name, signatureName) = ("feed.json", "feed.json.sig")
    /// The version of the feed format (manifests, files and rows) that this code reads and writes.
    static let presentFormat = 1

    /// The sizes and the digest of a data file in a feed.
    struct File: Codable, Equatable, Sendable {
        let size: Int64
        /// The SHA-256 digest of the compressed file, in hexadecimal.
        let sha256: String
        /// The size of the decompressed file, in bytes.
        let unpacked: Int64
    }

    struct Delta: Codable, Equatable, Sendable {
        let from: Revision
        let file: File
    }

    var format = Self.presentFormat
    /// A number that grows with each manifest, usually the Unix time of publication.
    package var sequence: Int64
    package var revision: Revision
    package var count: Int
    /// The shop whose products and prices the feed contains; nil for all products at common prices.
    var scope: String?
    package var expires: FeedTime
    var full: File
    /// The latest deltas, oldest first, as a chain that ends at ``revision``.
    var deltas: [Delta] = []

    /// Reads a manifest; unknown members are ignored.
    static func read(_ bytes: [UInt8]) throws(FeedError) -> FeedManifest {
        struct Format: Decodable, Sendable { let format: Int }
        let answer = Response(status: .ok, payload: Array(bytes.prefix(longest)))
        let format: Int
        do {
            format = try answer.decoded(as: Format.self).format
            if format == presentFormat { return try answer.decoded() }
        } catch {
            throw .manifest(error)
        }
        throw .newerFormat(format)
    }

    var bytes: [UInt8] { FeedJSON.bytes(of: self) }
    var fullName: String { Self.fullName(revision) }

    static func fullName(_ revision: Revision) -> String { "full-\(revision).ndjson.zst" }

    static func deltaName(_ from: Revision, _ to: Revision) -> String {
        "delta-\(from)-\(to).ndjson.zst"
    }

    static func isFileName(_ name: String) -> Bool {
        name.hasSuffix(".ndjson.zst") && (name.hasPrefix("full-") || name.hasPrefix("delta-"))
    }

    var names: Set<String> { Set([fullName] + chain(deltas[...]).map(\.name)) }

    /// Returns the shortest chain of deltas that starts at a revision; nil if no chain starts there.
    func chain(from revision: Revision) -> [(name: String, file: File)]? {
        deltas.lastIndex { $0.from == revision }.map { chain(deltas[$0...]) }
    }

    private func chain(_ deltas: ArraySlice<Delta>) -> [(name: String, file: File)] {
        zip(deltas, deltas.dropFirst().map(\.from) + [revision]).map { delta, target in
            (Self.deltaName(delta.from, target), delta.file)
        }
    }
}

/// A time in a manifest or a follower's state, in whole seconds.
package struct FeedTime: RawRepresentable, Codable, Equatable, Sendable, CustomStringConvertible {
    /// Seconds since 1970.
    package let seconds: Int64

    package init(_ seconds: Int64) { self.seconds = seconds }

    package init?(rawValue text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        seconds = microseconds / 1_000_000
    }

    package var rawValue: String { RFC3339.text(seconds * 1_000_000) }
    package var description: String { rawValue }
}

enum FeedJSON {
    /// Encodes a model as a line of JSON, including the line feed.
    static func bytes(of model: some Encodable) -> [UInt8] {
        ((try? Payload.json(model))?.bytes ?? []) + [0x0A]
    }
}

/// Functions that read Ed25519 keys from PEM files.
///
/// Rules: RFC 8410, sections 4 and 7; RFC 7468.
package enum FeedKey {
    /// The DER headers of a private and a public key, in Base64; the 32 bytes of the key follow.
    private static let (privateHead, publicHead) = ("MC4CAQAwBQYDK2VwBCIEI", "MCowBQYDK2VwAyEA")

    package static func readPrivate(_ path: String) throws -> Curve25519.Signing.PrivateKey {
        guard let bytes = try bytes(path, "PRIVATE KEY", privateHead, 48) else {
            throw FeedError.key(path: path, "what \"openssl genpkey -algorithm ed25519\" writes")
        }
        return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    }

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
