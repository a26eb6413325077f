package import Crypto
import Foundation
import HTTPTypes
import WebAPI
import WireText

/// The manifest of a feed: `feed.json`.
package struct FeedManifest: Codable, Equatable, Sendable {
    /// The longest manifest, in bytes.
    static let longest = 1 << 18
    static let (name, signatureName) = ("feed.json", "feed.json.sig")
    /// The format of manifests, files and rows that this keywedge reads and writes.
    static let presentFormat = 1

    /// A file of a feed; its name follows from revisions.
    struct File: Codable, Equatable, Sendable {
        let size: Int64
        /// In hexadecimal digits.
        let sha256: String
        /// Its size when decompressed.
        let unpacked: Int64
    }

    struct Delta: Codable, Equatable, Sendable {
        let from: Revision
        let file: File
    }

    var format = Self.presentFormat
    /// The number of the manifest; followers refuse a lower one than before.
    ///
    /// It is at least the time of publication, so a publisher that has lost its folder can continue.
    package var sequence: Int64
    package var revision: Revision
    package var count: Int
    /// The shop whose catalog it is; nil for all products with the common prices.
    var scope: String?
    package var expires: FeedTime
    var full: File
    /// The latest changes, oldest first: each ends where the next one starts, the last at ``revision``.
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

    /// Returns the shortest chain of changes from a revision to this one; nil if there is no chain.
    func chain(from revision: Revision) -> [(name: String, file: File)]? {
        deltas.lastIndex { $0.from == revision }.map { chain(deltas[$0...]) }
    }

    private func chain(_ deltas: ArraySlice<Delta>) -> [(name: String, file: File)] {
        zip(deltas, deltas.dropFirst().map(\.from) + [revision]).map { delta, target in
            (Self.deltaName(delta.from, target), delta.file)
        }
    }
}

/// A time in a manifest or a state, to the second.
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
    /// Encodes a model as JSON on one line, which never fails for our models.
    static func bytes(of model: some Encodable) -> [UInt8] {
        ((try? Payload.json(model))?.bytes ?? []) + [0x0A]
    }
}

/// Reads the keys of signatures: Ed25519 in PEM, as `openssl genpkey -algorithm ed25519` makes them.
///
/// Rules: RFC 8410, sections 4 and 7; RFC 7468.
package enum FeedKey {
    /// The bytes before the 32 of a private and of a public key in DER, in Base64.
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
