package import Catalog
package import Crypto
import Foundation
import Glibc
import HTTPTypes
import WebAPI
import WireText

/// A follower that keeps a catalog equal to a feed.
package struct FeedFollower: Sendable {
    /// The maximum total size of decompressed deltas in bytes, as they are loaded into memory.
    private static let largestChain: Int64 = 64 << 20
    /// How many times to fetch the manifest and its signature if they do not match.
    private static let signatureTries = 3

    /// How ``FeedFollower/follow()`` changed the catalog, if at all.
    package enum Way: Sendable {
        case unchanged
        /// The catalog was updated with this many deltas.
        case deltas(Int)
        /// All products were replaced; `insteadOf` is the error that ruled out deltas, if any.
        case full(insteadOf: FeedError?)
    }

    /// How a product differs between the catalog and the feed, as a phrase for a message.
    package enum Difference: String, Sendable {
        case missing = "is missing here"
        case additional = "is only here"
        case different = "is another one here"
    }

    package struct Outcome: Sendable {
        package var way = Way.unchanged
        package var state: FollowerState
        package var summary = ImportSummary()
    }

    private let source: FeedSource
    private let path: String
    private let key: Curve25519.Signing.PublicKey?
    private let now: @Sendable () -> Int64
    private let clock: any Clock<Duration>

    /// Creates a follower that updates the catalog at `path` from `source`; a missing catalog is created.
    ///
    /// The feed must be signed with `key`, unless `key` is nil; `now` returns seconds since 1970.
    package init(
        of source: FeedSource, trusting key: Curve25519.Signing.PublicKey? = nil, into path: String,
        now: @escaping @Sendable () -> Int64, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.source, self.key, self.path, self.now, self.clock) = (source, key, path, now, clock)
    }

    /// Updates the catalog to match the feed, in one transaction.
    ///
    /// If the update fails, the products are unchanged. If only the follower's state cannot be written afterwards,
    /// this throws although the products have been updated.
    package func follow() async throws -> Outcome {
        let lock = try OpenFile(locking: lockPath, O_RDWR | O_CREAT)
        defer { withExtendedLifetime(lock) {} }
        let known = FollowerState.read(of: path)
        do {
            var outcome = try await outcome(since: known)
            (outcome.state.checked, outcome.state.trouble) = (FeedTime(now()), nil)
            try outcome.state.write(of: path)
            return outcome
        } catch {
            if var known, !(error is CancellationError), known.trouble != "\(error)" {
                known.trouble = "\(error)"
                try known.write(of: path)
            }
            throw error
        }
    }

    /// Reports the ID of each product that differs from the feed, and returns the manifest.
    package func compare(
        _ report: (String, Difference) throws -> Void
    ) async throws -> FeedManifest {
        let lock = try OpenFile(locking: lockPath, O_RDWR | O_CREAT)
        defer { withExtendedLifetime(lock) {} }
        guard let (manifest, _) = try await manifest(since: nil, unless: nil) else {
            throw FeedError.content(of: FeedManifest.name, .missing)
        }
        guard try presentRevision() != manifest.revision else { return manifest }
        let file = try await source.fetch(manifest.fullName, manifest.full, to: downloads)
        defer { removeDownloads() }
        let rows = try FeedFileReader(path: file, name: manifest.fullName, manifest.full)
        try CatalogFile(path: path).compare(with: rows) { id, theirs, ours in
            guard theirs != ours else { return }
            try report(
                id, theirs == nil ? .additional : ours == nil ? .missing : .different)
        }
        return manifest
    }

    private func outcome(since known: FollowerState?) async throws -> Outcome {
        // A state is current only if its source, its key and the catalog's file are unchanged.
        let current = known.flatMap {
            $0.source == source.name && $0.key == keyText && $0.stamp == stamp ? $0 : nil
        }
        guard let (manifest, state) = try await manifest(since: known, unless: current) else {
            if let current { return Outcome(state: current) }
            throw FeedError.content(of: FeedManifest.name, .missing)
        }
        var outcome = Outcome(state: state)
        let base = try current?.revision ?? presentRevision()
        if let base, base == manifest.revision {
            try manifest.check(base, CatalogFile(path: path).count())
        } else {
            (outcome.way, outcome.summary) = try await bring(to: manifest, from: base)
            removeDownloads()
        }
        outcome.state.stamp = stamp
        return outcome
    }

    private var keyText: String? { key?.rawRepresentation.base64EncodedString() }
    private var stamp: String { FollowerState.stamp(of: path) }
    private var lockPath: String { path + ".feed.lock" }

    /// Returns the verified manifest and the new state; nil if the source reports no change.
    private func manifest(
        since known: FollowerState?, unless current: FollowerState?
    ) async throws -> (FeedManifest, FollowerState)? {
        var pause = Backoff(first: .seconds(1), longest: .seconds(1))
        for isLast in (1...Self.signatureTries).map({ $0 == Self.signatureTries }) {
            let answer = try await source.manifest(unless: current)
            if answer.status == .notModified { return nil }
            if let key {
                let signature = try await source.signature()
                guard key.isValidSignature(signature ?? [], for: answer.payload) else {
                    // A new manifest may have been published between the requests for the manifest and its signature.
                    if isLast { throw FeedError.signature(isMissing: signature == nil) }
                    try await clock.sleep(for: pause.next())
                    continue
                }
            }
            let manifest = try FeedManifest.read(answer.payload)
            if let known { try manifest.check(since: known) }
            let state = FollowerState(
                source: source.name, scope: manifest.scope, key: keyText,
                sequence: manifest.sequence, revision: manifest.revision,
                tag: answer.headers[.eTag], modified: answer.headers[.lastModified],
                checked: FeedTime(now()), expires: manifest.expires, stamp: "")
            return (manifest, state)
        }
        return nil
    }

    private func presentRevision() throws -> Revision? {
        guard access(path, F_OK) == 0 else { return nil }
        var revision = Revision()
        // Opening a catalog that an older keywedge wrote converts it.
        try open(path).forEachProduct { product in
            try Task.checkCancellation()
            revision.add(FeedRow.line(of: product))
        }
        return revision
    }

    /// Updates the catalog to the manifest's revision, with deltas if possible.
    private func bring(
        to manifest: FeedManifest, from base: Revision?
    ) async throws -> (Way, ImportSummary) {
        var reason: FeedError?
        if let base, let chain = manifest.chain(from: base),
            chain.reduce(0, { $0 + $1.file.size }) < manifest.full.size,
            chain.reduce(0, { $0 + $1.file.unpacked }) <= Self.largestChain
        {
            do {
                return (.deltas(chain.count), try await apply(chain, to: manifest, from: base))
            } catch let error as FeedError where error.isOfContent {
                reason = error
            }
        }
        return (.full(insteadOf: reason), try await applyAll(of: manifest))
    }

    /// Applies a chain of deltas in one transaction.
    private func apply(
        _ chain: [(name: String, file: FeedManifest.File)], to manifest: FeedManifest,
        from base: Revision
    ) async throws -> ImportSummary {
        var changes: [[UInt8]: FeedRow] = [:]
        for (name, file) in chain {
            let path = try await source.fetch(name, file, to: downloads)
            let rows = try FeedFileReader(path: path, name: name, file, inDelta: true)
            while let row = try rows.next() { changes[Array(row.id.utf8)] = row }
        }
        let catalog = try open(path)
        var (revision, count) = (base, try catalog.count())
        for row in changes.values {
            try Task.checkCancellation()
            if let old = try catalog.product(id: row.id) {
                revision.subtract(FeedRow.line(of: old))
                count -= 1
            }
            if let new = row.product {
                revision.add(FeedRow.line(of: new))
                count += 1
            }
        }
        try manifest.check(revision, count)
        let gone = changes.values.filter { $0.product == nil }.map(\.id)
        return try catalog.write(whole: false, removing: gone) { add in
            for product in changes.values.compactMap(\.product) { try add(product) }
        }
    }

    private func applyAll(of manifest: FeedManifest) async throws -> ImportSummary {
        let file = try await source.fetch(manifest.fullName, manifest.full, to: downloads)
        // A new catalog gets its name only when it is complete, so that lookups never find it empty.
        let isNew = access(path, F_OK) != 0
        let target = isNew ? path + ".new" : path
        if isNew { for end in ["", "-wal", "-shm"] { unlink(target + end) } }
        let summary = try open(target).write(whole: true) { add in
            let rows = try FeedFileReader(path: file, name: manifest.fullName, manifest.full)
            var revision = Revision()
            while let product = try rows.next()?.product {
                try Task.checkCancellation()
                revision.add(rows.line ?? [])
                try add(product)
            }
            try manifest.check(revision, rows.count)
        }
        if isNew {
            // A removed catalog may have left its log, which SQLite would apply to the new one.
            for end in ["-wal", "-shm"] { unlink(path + end) }
            try FileReplacement.move(target, to: path)
        }
        return summary
    }

    private func open(_ path: String) throws -> CatalogFile {
        try CatalogFile(path: path, access: .writing, busyTimeout: .seconds(60))
    }

    /// The folder for downloads; an interrupted download stays in it for the next attempt.
    private var downloads: String { path + ".fetch" }

    private func removeDownloads() { try? FileManager.default.removeItem(atPath: downloads) }
}

extension FeedManifest {
    fileprivate func check(since known: FollowerState) throws(FeedError) {
        guard scope == known.scope else { throw .scope(scope, known: known.scope) }
        guard sequence > known.sequence || sequence == known.sequence && revision == known.revision
        else { throw .sequence(sequence, known: known.sequence) }
    }

    fileprivate func check(_ revision: Revision, _ count: Int) throws(FeedError) {
        guard revision == self.revision, count == self.count else {
            throw .rows(count, revision, expected: self.count, self.revision)
        }
    }
}
