package import Catalog
import Crypto
import Glibc
package import WireText

/// Keeps a catalog exactly as a feed says.
package struct FeedFollower: Sendable {
    /// How much the chain of deltas may take in memory, in bytes; the full file takes none.
    private static let largestChain: Int64 = 64 << 20
    /// How often a manifest and its signature are read until they belong together.
    private static let signatureTries = 3

    /// How the catalog was brought up to date.
    package enum Way: Equatable, Sendable {
        /// It was so already.
        case unchanged
        /// With so many deltas.
        case deltas(Int)
        /// With all products; why not with deltas that there were.
        case full(insteadOf: FeedError?)
    }

    /// What was done.
    package struct Outcome: Sendable {
        package let way: Way
        package let state: FollowerState
        /// Products that are new, have changed or are gone.
        package var added = 0
        package var updated = 0
        package var removed = 0
    }

    let source: FeedSource
    private let key: FeedKey.Public?
    let path: String
    private let now: @Sendable () -> Int64
    private let clock: any Clock<Duration>

    /// Makes a follower.
    ///
    /// - Parameters:
    ///   - source: Where the feed is.
    ///   - key: Whose signature the manifest must have; nil for none.
    ///   - path: The catalog's file; it is made if there is none.
    ///   - now: The time, in seconds since 1970.
    ///   - clock: What waits until a manifest and its signature belong together.
    package init(
        of source: FeedSource, trusting key: FeedKey.Public? = nil, into path: String,
        now: @escaping @Sendable () -> Int64, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.source, self.key, self.path, self.now, self.clock) = (source, key, path, now, clock)
    }

    /// Brings the catalog to what the feed is now.
    ///
    /// - Throws: ``FeedError``, `CatalogError`, `CancellationError`; the catalog is as it was then.
    package func follow() async throws -> Outcome {
        guard let lock = try FileBytes.lock(path + ".feed.lock", O_RDWR | O_CREAT) else {
            throw FeedError.following(catalog: path)
        }
        defer { withExtendedLifetime(lock) {} }
        let known = FollowerState(of: path)
        do {
            return try await follow(since: known)
        } catch {
            if var known, !(error is CancellationError) {
                known.trouble = "\(error)"
                try? known.write(for: path)
            }
            throw error
        }
    }

    private func follow(since known: FollowerState?) async throws -> Outcome {
        let current = known.flatMap { isOurs($0) ? $0 : nil }
        guard let (manifest, tag) = try await manifest(since: known, unless: current?.tag) else {
            // There is a tag only of a state that there is.
            guard var state = current else { throw FeedError.signature(isMissing: true) }
            (state.checked, state.trouble) = (now(), nil)
            try state.write(for: path)
            return Outcome(way: .unchanged, state: state)
        }
        var outcome: (way: Way, summary: WriteSummary?, stamp: String)
        let base = try current?.revision ?? presentRevision()
        if base == manifest.revision {
            outcome = (.unchanged, nil, FollowerState.stamp(of: path))
        } else {
            outcome = try await bring(to: manifest, from: base)
        }
        let state = FollowerState(
            source: source.name, manifest: manifest, key: keyText, tag: tag, checked: now(),
            stamp: outcome.stamp)
        try state.write(for: path)
        removeDownloads()
        return Outcome(
            way: outcome.way, state: state, added: outcome.summary?.added ?? 0,
            updated: outcome.summary?.updated ?? 0, removed: outcome.summary?.removed ?? 0)
    }

    /// Whether a state still speaks of this catalog and this feed.
    private func isOurs(_ state: FollowerState) -> Bool {
        state.source == source.name && state.key == keyText && access(path, F_OK) == 0
            && state.stamp == FollowerState.stamp(of: path)
    }

    private var keyText: String? { key.map { Hexadecimal.text($0.rawRepresentation) } }

    /// The feed's manifest, if it may be followed; nil if it is as it was.
    private func manifest(
        since known: FollowerState?, unless tag: FeedTag?
    ) async throws -> (FeedManifest, FeedTag?)? {
        var tries = 0
        while true {
            guard case .content(let bytes, let newTag) = try await source.manifest(unless: tag) else {
                return nil
            }
            do {
                try await checkSignature(of: bytes)
            } catch let error as FeedError {
                // A manifest may take its place between its own answer and that of its signature.
                tries += 1
                guard case .signature = error, tries < Self.signatureTries else { throw error }
                try await clock.sleep(for: .milliseconds(500))
                continue
            }
            let manifest = try FeedManifest(bytes)
            try check(manifest, since: known)
            return (manifest, newTag)
        }
    }

    /// The feed's manifest as it is now; what the catalog had before does not matter.
    func currentManifest() async throws -> FeedManifest {
        guard let (manifest, _) = try await manifest(since: nil, unless: nil) else {
            throw FeedError.manifest(field: "the file", expected: "an answer with content")
        }
        return manifest
    }

    private func checkSignature(of bytes: [UInt8]) async throws {
        guard let key else { return }
        guard let signature = try await source.signature() else {
            throw FeedError.signature(isMissing: true)
        }
        guard key.isValidSignature(signature, for: bytes) else {
            throw FeedError.signature(isMissing: false)
        }
    }

    private func check(
        _ manifest: FeedManifest, since known: FollowerState?
    ) throws(FeedError) {
        guard let known else { return }
        guard manifest.scope?.name == known.scope else {
            throw .otherScope(manifest.scope?.name, known: known.scope)
        }
        guard manifest.sequence >= known.sequence else {
            throw .olderSequence(manifest.sequence, known: known.sequence)
        }
        guard manifest.sequence > known.sequence || manifest.revision == known.revision else {
            throw .repeatedSequence(manifest.sequence)
        }
    }

    /// The revision of the catalog's rows; nil if there is no catalog.
    func presentRevision() throws -> Revision? {
        guard access(path, F_OK) == 0 else { return nil }
        var revision = Revision()
        try EmbeddedCatalog(path: path).forEachProduct { product in
            try Task.checkCancellation()
            revision.add(FeedRow.line(of: product))
        }
        return revision
    }

    /// Brings the catalog to a revision, with the fewest bytes.
    private func bring(
        to manifest: FeedManifest, from base: Revision?
    ) async throws -> (way: Way, summary: WriteSummary?, stamp: String) {
        var reason: FeedError?
        if let base, let chain = manifest.chain(from: base),
            chain.reduce(0, { $0 + $1.file.size }) < manifest.full.size,
            chain.reduce(0, { $0 + $1.file.unpacked }) <= Self.largestChain
        {
            do {
                let (summary, stamp) = try await take(chain, to: manifest, from: base)
                return (.deltas(chain.count), summary, stamp)
            } catch let error as FeedError where error.isOfContent {
                reason = error
            }
        }
        let (summary, stamp) = try await takeAll(of: manifest)
        return (.full(insteadOf: reason), summary, stamp)
    }

    private func take(
        _ chain: [(name: String, file: FeedManifest.File)], to manifest: FeedManifest,
        from base: Revision
    ) async throws -> (WriteSummary, String) {
        var changes: [[UInt8]: FeedRow] = [:]
        for (name, file) in chain {
            let path = try await source.fetch(name, file, beside: downloads)
            let rows = try FeedRows(path: path, name: name, file, inDelta: true)
            while let row = try rows.next() { changes[Array(row.id.utf8)] = row }
        }
        let catalog = try EmbeddedCatalog(path: path, access: .writing, busyTimeout: .seconds(60))
        var gone: [String] = []
        for case .removed(let id) in changes.values { gone.append(id) }
        let summary = try catalog.write(whole: false, removing: gone) { add in
            for case .product(let product) in changes.values { try add(product) }
        } check: { summary in
            var revision = base
            try summary.forEachChange { change in
                try Task.checkCancellation()
                if let before = change.before { revision.subtract(FeedRow.line(of: before)) }
                if let after = change.after { revision.add(FeedRow.line(of: after)) }
            }
            guard revision == manifest.revision else {
                throw FeedError.content(expected: manifest.revision, found: revision)
            }
        }
        return (summary, FollowerState.stamp(of: path))
    }

    private func takeAll(of manifest: FeedManifest) async throws -> (WriteSummary, String) {
        let name = FeedManifest.fullName(manifest.revision)
        guard manifest.full.unpacked <= FileBytes.free(beside: path) / 2 else {
            throw FeedError.noSpace(file: name)
        }
        let file = try await source.fetch(name, manifest.full, beside: downloads)
        // Lookups find no empty catalog: a new one gets its name once it is filled.
        let isNew = access(path, F_OK) != 0
        let draft = path + ".new"
        if isNew { for end in ["", "-wal", "-shm"] { unlink(draft + end) } }
        let summary = try write(file, of: manifest, into: isNew ? draft : path)
        if isNew { try FileBytes.move(draft, to: path) }
        return (summary, FollowerState.stamp(of: path))
    }

    private func write(
        _ file: String, of manifest: FeedManifest, into path: String
    ) throws -> WriteSummary {
        let name = FeedManifest.fullName(manifest.revision)
        let catalog = try EmbeddedCatalog(path: path, access: .writing, busyTimeout: .seconds(60))
        return try catalog.write(whole: true) { add in
            let rows = try FeedRows(path: file, name: name, manifest.full, inDelta: false)
            var revision = Revision()
            while let row = try rows.next() {
                try Task.checkCancellation()
                revision.add(rows.line)
                if case .product(let product) = row { try add(product) }
            }
            guard revision == manifest.revision else {
                throw FeedError.content(expected: manifest.revision, found: revision)
            }
        } check: { _ in }
    }

    /// What the names of downloads begin with.
    var downloads: String { path + ".fetch-" }

    /// Removes downloads: those that were used, and those of files that are no longer asked for.
    func removeDownloads() {
        let folder = FileBytes.folder(of: path)
        let prefix = String(downloads.split(separator: "/").last ?? "")
        for name in FileBytes.names(in: folder) where name.hasPrefix(prefix) {
            unlink(folder + "/" + name)
        }
    }
}

/// Reads the rows of a file, in order.
final class FeedRows {
    private let lines: FeedFileReader
    private let name: String
    private let isDelta: Bool
    private var last: String?
    /// The line of the last row.
    private(set) var line: [UInt8] = []

    init(
        path: String, name: String, _ file: FeedManifest.File, inDelta isDelta: Bool
    ) throws(FeedError) {
        lines = try FeedFileReader(path: path, name: name, file)
        (self.name, self.isDelta) = (name, isDelta)
    }

    /// The next row; nil at the end.
    func next() throws(FeedError) -> FeedRow? {
        guard let line = try lines.next() else { return nil }
        self.line = line
        do throws(FeedRow.Problem) {
            let row = try FeedRow(line, inDelta: isDelta)
            if let last, !last.isBefore(row.id) { throw .order(id: row.id, after: last) }
            last = row.id
            return row
        } catch {
            throw .row(file: name, line: lines.line, error)
        }
    }
}
