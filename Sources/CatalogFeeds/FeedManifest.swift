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
        /// How many bytes it has.
        let size: Int64
        /// Its SHA-256, in hexadecimal digits.
        let sha256: String
        /// How many bytes its rows have, decompressed.
        let unpacked: Int64
    }

    /// What changed from one revision to the next.
    struct Delta: Codable, Equatable, Sendable {
        /// The revision it starts from.
        let from: Revision
        /// The file.
        let file: File
    }

    /// The form of manifest, files and rows.
    var format = Self.presentFormat
    /// Counts manifests; a follower takes no lower one.
    ///
    /// It is at least the time of publication, so that a publisher who has lost its folder goes on.
    package var sequence: Int64
    /// What the catalog holds.
    package var revision: Revision
    /// How many products the catalog has.
    package var count: Int
    /// The shop whose catalog it is; nil for all products with the common prices.
    var scope: String?
    /// Until when there should be another manifest.
    package var expires: FeedTime
    /// All products.
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

    /// The name of the file with all products.
    var fullName: String { Self.fullName(revision) }

    static func fullName(_ revision: Revision) -> String { "full-\(revision).ndjson.zst" }

    static func deltaName(_ from: Revision, _ to: Revision) -> String {
        "delta-\(from)-\(to).ndjson.zst"
    }

    /// Whether a file's name is one that a feed's file has.
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
package struct FeedTime: Codable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970.
    package let seconds: Int64

    /// Makes a time of seconds since 1970.
    package init(_ seconds: Int64) { self.seconds = seconds }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let microseconds = RFC3339.microseconds(text) else {
            throw TransformError.unexpectedValue(in: decoder, expected: "a time")
        }
        seconds = microseconds / 1_000_000
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package static func < (left: FeedTime, right: FeedTime) -> Bool { left.seconds < right.seconds }

    /// The time as RFC 3339 has it.
    package var description: String { RFC3339.text(seconds * 1_000_000) }
}

/// Writes manifests and states.
enum FeedJSON {
    /// A model on one line; what it holds always has a JSON.
    static func bytes(of model: some Encodable) -> [UInt8] {
        ((try? Payload.json(model))?.bytes ?? []) + [0x0A]
    }
}
