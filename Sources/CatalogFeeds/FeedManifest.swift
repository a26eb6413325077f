package import Crypto
import Foundation
import HTTPTypes
import WebAPI
import WireText

/// What a feed says of itself: `feed.json`.
package struct FeedManifest: Codable, Equatable, Sendable {
    /// The longest manifest, in bytes.
    static let longest = 1 << 18
    /// The names of the manifest and of its signature.
    static let (name, signatureName) = ("feed.json", "feed.json.sig")
    /// The form of manifest, files and rows that this keywedge reads and writes.
    static let presentFormat = 1

    /// A file of a feed; its name follows from revisions.
    struct File: Codable, Equatable, Sendable {
        let size: Int64
        /// In hexadecimal digits.
        let sha256: String
        /// Its size when decompressed.
        let unpacked: Int64
    }

    /// What changed from one revision to the next.
    struct Delta: Codable, Equatable, Sendable {
        let from: Revision
        let file: File
    }

    var format = Self.presentFormat
    /// Counts manifests; followers refuse a lower one.
    ///
    /// It is at least the time of publication, so that a
    /// publisher who has lost its folder can continue.
    package var sequence: Int64
    package var revision: Revision
    /// How many products the catalog has.
    package var count: Int
    /// The shop whose catalog it is; nil for all products with the common prices.
    var scope: String?
    /// Until when there should be another manifest.
    package var expires: FeedTime
    var full: File
    /// The latest changes, the oldest first: each leads to the next one's start, the last to ``revision``.
    var deltas: [Delta] = []

    /// Reads a manifest; members that are not known are ignored.
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

    /// The manifest as it is published.
    var bytes: [UInt8] { FeedJSON.bytes(of: self) }
    var fullName: String { Self.fullName(revision) }

    static func fullName(_ revision: Revision) -> String { "full-\(revision).ndjson.zst" }

    static func deltaName(_ from: Revision, _ to: Revision) -> String {
        "delta-\(from)-\(to).ndjson.zst"
    }

    static func isFileName(_ name: String) -> Bool {
        name.hasSuffix(".ndjson.zst") && (name.hasPrefix("full-") || name.hasPrefix("delta-"))
    }

    /// The names of all files.
    var names: Set<String> { Set([fullName] + chain(deltas[...]).map(\.name)) }

    /// The changes that lead from a revision to this one, by the shortest way; nil if there are none.
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

    /// Reads a time as RFC 3339 writes it.
    package init?(rawValue text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        seconds = microseconds / 1_000_000
    }

    package var rawValue: String { RFC3339.text(seconds * 1_000_000) }
    package var description: String { rawValue }
}

/// Writes manifests and states.
enum FeedJSON {
    /// A model on one line; what it holds always has a JSON form.
    static func bytes(of model: some Encodable) -> [UInt8] {
        ((try? Payload.json(model))?.bytes ?? []) + [0x0A]
    }
}

/// Reads the keys of signatures: Ed25519 in PEM, as `openssl genpkey -algorithm ed25519` makes them.
///
/// Rules: RFC 8410, sections 4 and 7; RFC 7468.
package enum FeedKey {
    /// What precedes the 32 bytes of a private and of a public key in DER, in Base64.
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
