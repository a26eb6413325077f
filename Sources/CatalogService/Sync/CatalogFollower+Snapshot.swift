import Catalog
import WebAPI
import WireText

extension CatalogFollower {
    /// What became of the file of a catalog.
    enum SnapshotOutcome {
        /// It was taken over.
        case taken(FollowSummary, revision: String)
        /// There is none, or none that is of use; why, where that should be known.
        case none(String?)
    }

    /// How many bytes are asked for at once: in two minutes they come over 300 kbit/s.
    static let snapshotPart = 4 << 20
    /// What comes in much smaller parts is no file.
    private static let smallestPart: Int64 = 64 << 10
    private static let partLimit = Duration.seconds(120)
    /// The largest catalog that is taken, in bytes.
    private static let largestCatalog: Int64 = 16 << 30
    /// How many times as long as the compressed file a catalog may be: those of shops are three to
    /// eight times as long.
    private static let mostExpansion: Int64 = 64
    /// How often the file may become another one while it is fetched.
    private static let snapshotStarts = 4

    /// Takes over the whole catalog as a file.
    ///
    /// - Parameters:
    ///   - target: What is filled; a new catalog is there at the end.
    ///   - mayEmpty: Whether all products of the service may go, where there were some.
    ///   - requests: Counts the requests.
    /// - Returns: What became of it.
    /// - Throws: ``SyncError``, `FollowError`, `CatalogError`, `CancellationError`.
    func takeSnapshot(
        into target: inout SyncTarget, allowingEmpty mayEmpty: Bool, counting requests: inout Int
    ) async throws -> SnapshotOutcome {
        guard let path = target.path else { return .none(nil) }
        let download = try SnapshotDownload(path: path + ".fetch", url: "\(url)")
        let head: SnapshotHead?
        do {
            head = try await fetch(into: download, counting: &requests)
        } catch let full as NoSpace {
            download.remove()
            return .none("\(full)")
        }
        guard let head else {
            download.remove()
            return .none(nil)
        }
        // Whatever is wrong with it shall not be met again.
        defer { download.remove() }
        try refuseLoop(head.chain, at: path)
        guard try download.isSound() else {
            return .none("its content is not what its digest says")
        }
        let draft = try target.draft() ?? DraftFile(path: path + ".new")
        do {
            try download.decompress(
                into: draft.descriptor,
                limit: min(
                    Self.largestCatalog, max(1 << 24, head.size * Self.mostExpansion),
                    DiskSpace.free(beside: path) / 2))
            try SnapshotCheck.check(draft.path, is: head.revision)
        } catch GzipReader.Failure.file(let error) {
            throw SyncError.file(error)
        } catch {
            try draft.clear()
            return .none((error as? GzipReader.Failure)?.reason ?? "\(error)")
        }
        let summary = try take(draft, head, into: &target, allowingEmpty: mayEmpty)
        return .taken(summary, revision: "\(head.revision)")
    }

    /// Makes a sound file the catalog, or the content of one that is there.
    private func take(
        _ draft: DraftFile, _ head: SnapshotHead, into target: inout SyncTarget,
        allowingEmpty mayEmpty: Bool
    ) throws -> FollowSummary {
        let upstream = Upstream(url: "\(url)", revision: "\(head.revision)")
        let source = try EmbeddedCatalog(path: draft.path, access: .writing)
        switch target {
        case .draft:
            try source.settle(upstream, through: head.chain)
            target = .catalog(source)
            var summary = FollowSummary()
            summary.added = try source.count()
            return summary
        case .catalog(let catalog):
            let next = source.parts()
            do {
                return try catalog.follow(
                    upstream, since: nil, allowingEmpty: mayEmpty, through: head.chain
                ) {
                    try Task.checkCancellation()
                    return try next()
                }
            } catch FollowError.emptied {
                throw SyncError.emptied(url: "\(url)")
            }
        }
    }

    /// Fetches what is missing of the file.
    ///
    /// - Returns: What it is; nil where the service has none.
    private func fetch(
        into download: SnapshotDownload, counting requests: inout Int
    ) async throws -> SnapshotHead? {
        var parts: Int64 = 0
        for _ in 0..<Self.snapshotStarts {
            while !download.isWhole {
                try Task.checkCancellation()
                let endpoint = SnapshotEndpoint(
                    base: url, offset: download.count, count: Self.snapshotPart, token: token,
                    scope: scope)
                let outcome = await client.call(endpoint, within: Self.partLimit)
                requests += outcome.attempts.count
                switch outcome.result {
                case .failure(let error):
                    try Task.checkCancellation()
                    throw SyncError.call(error, url: "\(url)")
                case .success(.none): return nil
                case .success(.part(let head, let bytes)):
                    guard head.size <= DiskSpace.free(beside: download.path) / 2 else {
                        throw NoSpace()
                    }
                    parts += 1
                    guard parts <= 100 + head.size / Self.smallestPart else {
                        throw SyncError.endless(url: "\(url)")
                    }
                    if try !bytes.isEmpty && download.take(bytes, of: head) { continue }
                case .success(.outside): break
                }
                try download.clear()
                break
            }
            if download.isWhole { return download.head }
        }
        throw SyncError.unsteady(url: "\(url)")
    }

    /// Refuses a service that gets its products from this very catalog.
    func refuseLoop(_ chain: [String], at path: String?) throws(SyncError) {
        let id = path.flatMap { ServiceChain.id(path: $0) }
        guard let id, chain.contains(id) else { return }
        throw .loop(url: "\(url)")
    }
}

/// The file would take more than half of what is free on the disk, of which a till needs the rest.
private struct NoSpace: Error, CustomStringConvertible {
    var description: String { "it would take more than half of what is free on the disk" }
}

extension GzipReader.Failure {
    /// What is wrong, as the end of a sentence.
    fileprivate var reason: String {
        switch self {
        case .damaged: "it cannot be decompressed"
        case .tooLarge: "it is too large when it is decompressed"
        case .file(let error): "\(error)"
        }
    }
}
