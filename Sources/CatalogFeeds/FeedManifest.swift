package import Catalog
package import WireText

/// What a feed says of itself: `feed.json`.
package struct FeedManifest: Equatable, Sendable {
    /// The form of manifest, files and rows; a reader refuses any other.
    static let format: Int64 = 1
    /// The longest manifest, in bytes.
    static let longest = 1 << 18
    /// The names of the manifest and of its signature.
    static let (name, signatureName) = ("feed.json", "feed.json.sig")

    /// A file of a feed; its name follows from revisions.
    package struct File: Equatable, Sendable {
        /// How many bytes it has.
        let size: Int64
        /// Its SHA-256, in hexadecimal digits.
        let sha256: String
        /// How many bytes its rows have, decompressed.
        let unpacked: Int64
    }

    /// What changed from one revision to the next.
    package struct Delta: Equatable, Sendable {
        /// The revision it starts from.
        let from: Revision
        /// The file.
        let file: File
    }

    /// Counts manifests; a follower takes no lower one.
    ///
    /// It is at least the time of publication, so that a publisher who has lost its folder goes on.
    package var sequence: Int64
    /// What the catalog holds.
    package var revision: Revision
    /// How many products the catalog has.
    package var count: Int
    /// The shop whose catalog it is; nil for all products with the common prices.
    package var scope: CatalogScope?
    /// When it was published, in seconds since 1970.
    package var published: Int64
    /// Until when there should be another manifest, in seconds since 1970.
    package var expires: Int64
    /// All products.
    var full: File
    /// The latest changes, the oldest first: each leads to the next one's start, the last to ``revision``.
    var deltas: [Delta]

    /// The name of the file with all products.
    static func fullName(_ revision: Revision) -> String { "full-\(revision).ndjson.zst" }

    /// The name of a file with changes.
    static func deltaName(from: Revision, to: Revision) -> String {
        "delta-\(from)-\(to).ndjson.zst"
    }

    /// Whether a file's name is one that a feed's file has.
    static func isFileName(_ name: String) -> Bool {
        name.hasSuffix(".ndjson.zst") && (name.hasPrefix("full-") || name.hasPrefix("delta-"))
    }

    /// All files with their names, the one with all products first.
    var files: [(name: String, file: File)] {
        [(Self.fullName(revision), full)]
            + deltas.indices.map { (Self.deltaName(from: deltas[$0].from, to: target($0)), deltas[$0].file) }
    }

    /// The changes that lead from a revision to this one, by the shortest way; nil if there are none.
    func chain(from revision: Revision) -> [(name: String, file: File)]? {
        guard let first = deltas.lastIndex(where: { $0.from == revision }) else { return nil }
        return Array(files.dropFirst(first + 1))
    }

    private func target(_ index: Int) -> Revision {
        index + 1 < deltas.count ? deltas[index + 1].from : revision
    }
}

extension FeedManifest {
    /// The manifest as it is published.
    var bytes: [UInt8] {
        var object: JSONObject = [
            "format": .integer(Self.format), "sequence": .integer(sequence),
            "revision": .string("\(revision)"), "count": .integer(Int64(count)),
        ]
        if let scope { object.append("scope", .string(scope.name)) }
        object.append("published", .string(RFC3339.text(published * 1_000_000)))
        object.append("expires", .string(RFC3339.text(expires * 1_000_000)))
        object.append("full", .object(full.json))
        object.append(
            "deltas",
            .array(
                deltas.map { delta in
                    var object: JSONObject = ["from": .string("\(delta.from)")]
                    for member in delta.file.json.members { object.append(member.key, member.value) }
                    return .object(object)
                }))
        var bytes: [UInt8] = []
        JSONWriter.append(object, to: &bytes)
        return bytes + [0x0A]
    }

    /// Reads a manifest; members that are not known are ignored.
    init(_ bytes: [UInt8]) throws(FeedError) {
        guard bytes.count <= Self.longest, let json = try? JSONReader.read(bytes),
            let object = json.object
        else { throw .manifest(field: "the file", expected: "a JSON object") }
        let fields = Fields(object: object)
        let format = try fields.number("format")
        guard format == Self.format else { throw .newerFormat(format) }
        sequence = try fields.number("sequence")
        revision = try fields.revision("revision")
        count = Int(try fields.number("count"))
        scope = try object["scope"].map { value throws(FeedError) in
            guard let scope = value.string.flatMap({ CatalogScope($0) }) else {
                throw .manifest(field: "\"scope\"", expected: "the name of a shop")
            }
            return scope
        }
        published = try fields.time("published")
        expires = try fields.time("expires")
        full = try Fields(object["full"], "\"full\"").file()
        guard let list = object["deltas"]?.array else {
            throw .manifest(field: "\"deltas\"", expected: "a list")
        }
        deltas = []
        for value in list {
            let fields = try Fields(value, "a delta")
            deltas.append(Delta(from: try fields.revision("from"), file: try fields.file()))
        }
    }
}

extension FeedManifest.File {
    fileprivate var json: JSONObject {
        [
            "size": .integer(size), "sha256": .string(sha256), "unpacked": .integer(unpacked),
        ]
    }
}

/// The members of an object in a manifest or in a follower's state.
struct Fields {
    let object: JSONObject

    init(object: JSONObject) { self.object = object }

    init(_ value: JSONValue?, _ name: String) throws(FeedError) {
        guard let object = value?.object else {
            throw .manifest(field: name, expected: "an object")
        }
        self.object = object
    }

    /// A number that is not negative.
    func number(_ key: String) throws(FeedError) -> Int64 {
        guard case .integer(let number)? = object[key], number >= 0 else {
            throw .manifest(field: "\"\(key)\"", expected: "a number that is not negative")
        }
        return number
    }

    func revision(_ key: String) throws(FeedError) -> Revision {
        guard let revision = object[key]?.string.flatMap({ Revision($0) }) else {
            throw .manifest(field: "\"\(key)\"", expected: "64 hexadecimal digits")
        }
        return revision
    }

    /// A time, in seconds since 1970.
    func time(_ key: String) throws(FeedError) -> Int64 {
        guard let time = object[key]?.string.flatMap(RFC3339.microseconds) else {
            throw .manifest(field: "\"\(key)\"", expected: "a time")
        }
        return time / 1_000_000
    }

    func file() throws(FeedError) -> FeedManifest.File {
        let digest = try revision("sha256")
        return FeedManifest.File(
            size: try number("size"), sha256: "\(digest)", unpacked: try number("unpacked"))
    }
}
