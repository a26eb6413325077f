import Glibc
import HTTPTypes
import WebAPI
import WireText

/// What a follower knows of the feed and of the catalog; it lies beside the catalog, never in it.
package struct FollowerState: Codable, Equatable, Sendable {
    /// Where the feed is.
    package var source: String
    /// The shop whose feed it is; nil for the whole catalog.
    package var scope: String?
    /// The key that has signed it, in Base64; nil if none was asked for.
    var key: String?
    /// The manifest's sequence.
    package var sequence: Int64
    /// The catalog's revision.
    package var revision: Revision
    /// The server's `ETag` of the manifest.
    var tag: String?
    /// The server's `Last-Modified` of the manifest.
    var modified: String?
    /// When the feed was read last.
    package var checked: FeedTime
    /// Until when there should be another manifest.
    package var expires: FeedTime
    /// What the catalog's file was like when it had the revision.
    var stamp: String
    /// Why the feed could not be followed since; nil if it could.
    package var trouble: String?

    /// Reads the state of a catalog.
    ///
    /// - Parameter catalog: The catalog's file.
    /// - Returns: The state; nil if the catalog follows no feed, or the state is damaged.
    package static func read(of catalog: String) -> FollowerState? {
        guard let bytes = try? SmallFile.read(path(of: catalog), limit: 1 << 16) else { return nil }
        return try? Response(status: .ok, payload: bytes).decoded()
    }

    func write(of catalog: String) throws(FeedError) {
        try FileReplacement.write(FeedJSON.bytes(of: self), to: Self.path(of: catalog))
    }

    private static func path(of catalog: String) -> String { catalog + ".feed.json" }

    /// What a catalog's file and the log beside it are like: another one after every change.
    static func stamp(of catalog: String) -> String {
        [catalog, catalog + "-wal"].map { path in
            var file = stat()
            // An empty log and none are the same.
            guard stat(path, &file) == 0, file.st_size > 0 else { return "-" }
            let time = "\(file.st_mtim.tv_sec).\(file.st_mtim.tv_nsec)"
            return "\(file.st_dev):\(file.st_ino):\(file.st_size):\(time)"
        }.joined(separator: " ")
    }
}
