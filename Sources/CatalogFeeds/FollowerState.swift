import Catalog
import HTTPTypes
import WebAPI
import WireText

/// A follower's record of its feed and its catalog, stored in a file beside the catalog.
package struct FollowerState: Codable, Equatable, Sendable {
    package var source: String
    /// The shop that the feed is for; nil for the whole catalog.
    package var scope: String?
    /// The trusted key in Base64; nil if no signature is required.
    var key: String?
    package var sequence: Int64
    package var revision: Revision
    /// The manifest's `ETag`; ``modified`` is its `Last-Modified`.
    var tag: String?
    var modified: String?
    package var checked: FeedTime
    package var expires: FeedTime
    /// The ``stamp(of:)`` of the catalog at ``revision``, to detect later changes.
    var stamp: String
    package var trouble: String?

    /// Reads the state of the catalog at a path; nil if it follows no feed, or if the state is damaged.
    package static func read(of catalog: String) -> FollowerState? {
        guard let bytes = try? SmallFile.read(path(of: catalog), limit: 1 << 16) else { return nil }
        return try? Response(status: .ok, payload: bytes).decoded()
    }

    func write(of catalog: String) throws(FeedError) {
        try FileReplacement.write(FeedJSON.bytes(of: self), to: Self.path(of: catalog))
    }

    private static func path(of catalog: String) -> String { catalog + ".feed.json" }

    /// Returns a stamp that changes whenever the catalog's file or write-ahead log changes.
    static func stamp(of catalog: String) -> String {
        // An empty log counts as missing.
        [catalog, catalog + "-wal"].map { path in
            FileStamp(path: path).flatMap { $0.size > 0 ? "\($0)" : nil } ?? "-"
        }.joined(separator: " ")
    }
}
