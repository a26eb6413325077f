package import Catalog
package import Crypto
import Foundation
import Glibc
import WireText

/// Publishes a catalog as files in a folder, which any web server can serve.
///
/// The catalog is compared with the last full file, so nothing is kept but the folder. Readers see the
/// feed as it was or as it is: data files come first, the manifest takes its place at the end.
package struct FeedPublisher {
    /// How long files that no manifest names any more are kept for readers of the last one.
    private static let grace: Int64 = 3600
    /// The most deltas that a manifest names: each makes it 200 bytes longer.
    private static let mostDeltas = 250

    /// What was done.
    package enum Outcome: Equatable, Sendable {
        /// So many products of the catalog have changed.
        case published(FeedManifest, changed: Int, removed: Int)
        /// The catalog is as it was published, and the manifest will last.
        case unchanged(FeedManifest)
        /// The catalog is as it was published, and the manifest has a new time to expire.
        case renewed(FeedManifest)
    }

    private let folder: String
    private let key: Curve25519.Signing.PrivateKey?
    private let validity: Int64
    private let now: Int64

    /// Makes a publisher into a folder, which is made if there is none; nil signs nothing, `now` is in
    /// seconds since 1970.
    package init(
        into folder: String, signing key: Curve25519.Signing.PrivateKey? = nil,
        validity: Duration = .seconds(7 * 86_400), now: Int64
    ) {
        (self.folder, self.key, self.now) = (folder, key, now)
        self.validity = validity.components.seconds
    }

    /// Publishes what the catalog has, or what a shop of it has, if that is not what was published last.
    ///
    /// A feed that had products gets none only if it `mayEmpty`.
    ///
    /// - Throws: ``FeedError``, `CatalogError`, `CancellationError`; the feed is as it was then.
    package func publish(
        _ catalog: CatalogFile, scope: CatalogScope? = nil, allowingEmpty mayEmpty: Bool = false
    ) throws -> Outcome {
        mkdir(folder, 0o755)
        let lock = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        try lock.lock()
        defer { withExtendedLifetime(lock) {} }
        let last = try lastManifest()
        if let last, last.scope != scope?.name {
            throw FeedError.scope(scope?.name, known: last.scope)
        }
        let draft = try FeedDraft(in: folder) { last.flatMap(readable) }
        defer { draft.remove() }
        try catalog.forEachProduct(in: scope) { product in
            try Task.checkCancellation()
            try draft.add(product)
        }
        guard draft.count > 0 || last?.count ?? 0 == 0 || mayEmpty else { throw FeedError.empty }
        let outcome =
            if let files = try draft.finish(since: last?.revision) {
                try publish(files, of: draft, scope, after: last)
            } else {
                try renew(last)
            }
        try sweep()
        return outcome
    }

    /// Writes the manifest of new files.
    private func publish(
        _ files: (full: FeedManifest.File, delta: FeedManifest.File?), of draft: FeedDraft,
        _ scope: CatalogScope?, after last: FeedManifest?
    ) throws(FeedError) -> Outcome {
        let (full, delta) = files
        var manifest = FeedManifest(
            sequence: max((last?.sequence ?? 0) + 1, now), revision: draft.revision,
            count: draft.count, scope: scope?.name, expires: FeedTime(now + validity), full: full)
        if let last, let delta {
            manifest.deltas = last.deltas + [.init(from: last.revision, file: delta)]
            // Nobody takes a chain that is longer than the whole.
            while manifest.deltas.reduce(0, { $0 + $1.file.size }) > full.size
                || manifest.deltas.count > Self.mostDeltas
            {
                manifest.deltas.removeFirst()
            }
        }
        // From now on nobody finds the others: their time to go begins.
        for name in last?.names.subtracting(manifest.names) ?? [] {
            utimensat(AT_FDCWD, path(name), nil, 0)
        }
        try write(manifest)
        return .published(manifest, changed: draft.changed, removed: draft.removed)
    }

    /// Writes a manifest with a new time to expire once half of the last one's is over.
    private func renew(_ last: FeedManifest?) throws(FeedError) -> Outcome {
        guard let last else { throw .empty }
        guard last.expires.seconds - now < validity / 2 || !isSigned(last) else {
            return .unchanged(last)
        }
        var manifest = last
        manifest.sequence = max(last.sequence + 1, now)
        manifest.expires = FeedTime(now + validity)
        try write(manifest)
        return .renewed(manifest)
    }

    /// Whether a manifest has the signature that it is to have.
    private func isSigned(_ manifest: FeedManifest) -> Bool {
        let signature = try? SmallFile.read(path(FeedManifest.signatureName), limit: 64)
        guard let key else { return signature == nil }
        return key.publicKey.isValidSignature(signature ?? [], for: manifest.bytes)
    }

    /// Puts a manifest in place of the last one.
    ///
    /// Its date is its sequence, since web servers tell two versions of a file apart by the second.
    private func write(_ manifest: FeedManifest) throws(FeedError) {
        let signature = path(FeedManifest.signatureName)
        if let signed = try? key?.signature(for: manifest.bytes) {
            try FileReplacement.write(Array(signed), to: signature)
        } else {
            unlink(signature)
        }
        try FileReplacement.write(
            manifest.bytes, to: path(FeedManifest.name), dated: manifest.sequence)
    }

    private func lastManifest() throws(FeedError) -> FeedManifest? {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path(FeedManifest.name), limit: FeedManifest.longest)
        } catch {
            guard error.errno == ENOENT else { throw .file(error) }
            return nil
        }
        return try FeedManifest.read(bytes)
    }

    /// The last full file; nil if it is not what its manifest says, so that all is published anew.
    private func readable(_ last: FeedManifest) -> FeedFileReader? {
        guard (try? last.full.check(path(last.fullName), last.fullName)) != nil else { return nil }
        return try? FeedFileReader(path: path(last.fullName), name: last.fullName, last.full)
    }

    /// Removes files that no manifest has named for an hour.
    private func sweep() throws {
        let named = try lastManifest()?.names ?? []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where FeedManifest.isFileName(name) && !named.contains(name) {
            var status = stat()
            guard stat(path(name), &status) == 0,
                now - Int64(status.st_mtim.tv_sec) > Self.grace
            else { continue }
            unlink(path(name))
        }
    }

    private func path(_ name: String) -> String { folder + "/" + name }
}

/// The files of the next publication, before they have their names; they begin with the first change.
private final class FeedDraft {
    private static let (fullName, deltaName) = ("/.full.new", "/.delta.new")

    private let folder: String
    private let reopen: () -> FeedFileReader?
    /// The last publication; its line is the next to compare.
    private let old: FeedFileReader?
    private var full: FeedFileWriter?
    private var delta: FeedFileWriter?
    private(set) var revision = Revision()
    private(set) var (count, changed, removed) = (0, 0, 0)

    init(in folder: String, since reopen: @escaping () -> FeedFileReader?) throws(FeedError) {
        (self.folder, self.reopen, old) = (folder, reopen, reopen())
        try old?.nextLine()
        if old == nil { full = try FeedFileWriter(path: folder + Self.fullName) }
    }

    /// Adds the next product, sorted by id.
    func add(_ product: Product) throws {
        let line = FeedRow.line(of: product)
        if try old?.meet(product.id, line, passing: remove) != .same {
            // What followers refuse would keep them from every later change.
            do throws(FeedRow.Problem) {
                guard line.count <= FeedRow.longest else { throw .tooLong }
                _ = try FeedRow(line, inDelta: false)
            } catch {
                throw FeedError.product(id: product.id, error)
            }
            try begin()
            changed += 1
            try delta?.append(line)
        }
        revision.add(line)
        count += 1
        try full?.append(line)
    }

    /// Ends both files and gives them their names; nil if the catalog is as it was published.
    func finish(
        since last: Revision?
    ) throws -> (full: FeedManifest.File, delta: FeedManifest.File?)? {
        try old?.pass(before: nil, remove)
        guard let full else { return nil }
        let files = (try full.finish(), try delta?.finish())
        let name = FeedManifest.fullName(revision)
        try FileReplacement.move(full.path, to: folder + "/" + name)
        if let delta, let last {
            let name = FeedManifest.deltaName(last, revision)
            try FileReplacement.move(delta.path, to: folder + "/" + name)
        }
        return files
    }

    /// Removes the files that have no names, also those of a publisher that was killed.
    func remove() {
        for name in [Self.fullName, Self.deltaName] { unlink(folder + name) }
    }

    private func remove(_ id: String) throws(FeedError) {
        try begin()
        removed += 1
        try delta?.append(FeedRow.line(removing: id))
    }

    /// Begins the files; what was the same so far comes from the last publication.
    private func begin() throws(FeedError) {
        guard full == nil else { return }
        guard let same = reopen() else { throw .content(of: "the last full file", .missing) }
        let full = try FeedFileWriter(path: folder + Self.fullName)
        for _ in 0..<count {
            try same.nextLine()
            try full.append(same.line ?? [])
        }
        self.full = full
        delta = try FeedFileWriter(path: folder + Self.deltaName)
    }
}
