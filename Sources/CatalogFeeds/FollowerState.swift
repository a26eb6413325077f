import Catalog
import Glibc
package import WireText

/// What a follower knows of the feed and of the catalog; it lies beside the catalog, never in it.
package struct FollowerState: Equatable, Sendable {
    /// Where the feed is.
    package var source: String
    /// The shop whose feed it is; nil for the whole catalog.
    package var scope: String?
    /// The key that has signed it, in hexadecimal digits; nil if none was asked for.
    var key: String?
    /// The manifest's sequence.
    package var sequence: Int64
    /// The catalog's revision.
    package var revision: Revision
    /// What the server calls the manifest.
    var tag: FeedTag?
    /// When the feed was read last, in seconds since 1970.
    package var checked: Int64
    /// Until when there should be another manifest, in seconds since 1970.
    package var expires: Int64
    /// What the catalog's file was like when it had the revision.
    var stamp: String
    /// Why the feed could not be followed since; nil if it could.
    package var trouble: String?

    /// Whether the manifest has expired, so that prices may be old.
    ///
    /// - Parameter now: Seconds since 1970.
    package func isExpired(at now: Int64) -> Bool { now > expires }

    /// Where the state of a catalog is.
    static func path(of catalog: String) -> String { catalog + ".feed.json" }

    /// The state of a catalog; nil if it follows no feed, or the file is damaged.
    ///
    /// - Parameter catalog: The catalog's file.
    package init?(of catalog: String) {
        guard let bytes = try? SmallFile.read(Self.path(of: catalog), limit: 1 << 16),
            let object = (try? JSONReader.read(bytes))?.object,
            let source = object["source"]?.string, let stamp = object["stamp"]?.string
        else { return nil }
        let fields = Fields(object: object)
        guard let sequence = try? fields.number("sequence"),
            let revision = try? fields.revision("revision"),
            let checked = try? fields.time("checked"), let expires = try? fields.time("expires")
        else { return nil }
        (self.source, self.stamp) = (source, stamp)
        (self.sequence, self.revision) = (sequence, revision)
        (self.checked, self.expires) = (checked, expires)
        scope = object["scope"]?.string
        key = object["key"]?.string
        trouble = object["trouble"]?.string
        let known = FeedTag(tag: object["etag"]?.string, date: object["last_modified"]?.string)
        tag = known.tag == nil && known.date == nil ? nil : known
    }

    init(
        source: String, manifest: FeedManifest, key: String?, tag: FeedTag?, checked: Int64,
        stamp: String
    ) {
        (self.source, self.key, self.tag) = (source, key, tag)
        (self.checked, self.stamp) = (checked, stamp)
        scope = manifest.scope?.name
        (sequence, revision, expires) = (manifest.sequence, manifest.revision, manifest.expires)
    }

    /// Writes the state of a catalog.
    func write(for catalog: String) throws(FeedError) {
        func time(_ seconds: Int64) -> JSONValue { .string(RFC3339.text(seconds * 1_000_000)) }
        var object: JSONObject = ["source": .string(source)]
        let texts = [
            ("scope", scope), ("key", key), ("etag", tag?.tag), ("last_modified", tag?.date),
            ("trouble", trouble),
        ]
        for case (let key, let text?) in texts { object.append(key, .string(text)) }
        object.append("sequence", .integer(sequence))
        object.append("revision", .string("\(revision)"))
        object.append("checked", time(checked))
        object.append("expires", time(expires))
        object.append("stamp", .string(stamp))
        var bytes: [UInt8] = []
        JSONWriter.append(object, to: &bytes)
        try FileBytes.replace(Self.path(of: catalog), with: bytes + [0x0A])
    }

    /// What a catalog's file and the log beside it are like: another one after every change.
    static func stamp(of catalog: String) -> String {
        [catalog, catalog + "-wal"].map { path in
            var file = stat()
            // An empty log and none are the same.
            guard stat(path, &file) == 0, file.st_size > 0 else { return "-" }
            return "\(file.st_dev):\(file.st_ino):\(file.st_size):\(file.st_mtim.tv_sec)."
                + "\(file.st_mtim.tv_nsec)"
        }.joined(separator: " ")
    }
}
