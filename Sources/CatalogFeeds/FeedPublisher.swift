package import Catalog
import Crypto
import Glibc
import WireText

/// Publishes a catalog as files in a folder, which any web server can serve.
///
/// The last full file is what the catalog is compared with, so the folder is all that is kept. Readers
/// see the feed as it was or as it is: data files come first, the manifest takes its place at the end.
package struct FeedPublisher {
    /// How long files that no manifest names any more are kept for readers of the last one.
    private static let grace: Int64 = 3600
    /// The most deltas that a manifest names: each makes it 200 bytes longer.
    private static let mostDeltas = 250

    /// What was done.
    package enum Outcome: Equatable, Sendable {
        /// The catalog has changed, by so many products.
        case published(FeedManifest, changed: Int, removed: Int)
        /// The catalog is as it was published, and the manifest will last.
        case unchanged(FeedManifest)
        /// The catalog is as it was published, and the manifest has a new time to expire.
        case renewed(FeedManifest)
    }

    private let folder: String
    private let key: FeedKey.Private?
    private let validity: Int64
    private let now: Int64

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; it is made if there is none.
    ///   - key: What signs the manifest; nil for no signature.
    ///   - validity: How long a manifest is valid.
    ///   - now: The time, in seconds since 1970.
    package init(
        into folder: String, signing key: FeedKey.Private? = nil,
        validity: Duration = .seconds(7 * 86_400), now: Int64
    ) {
        self.folder = folder
        self.key = key
        self.validity = validity.components.seconds
        self.now = now
    }

    /// Publishes what the catalog has, if that is not what was published last.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - scope: The shop whose assortment and prices are published; nil for all products.
    ///   - mayEmpty: Whether a feed that had products may have none.
    /// - Returns: What was done.
    /// - Throws: ``FeedError``, `CatalogError`, `CancellationError`; the feed is as it was then.
    package func publish(
        _ catalog: EmbeddedCatalog, scope: CatalogScope? = nil, allowingEmpty mayEmpty: Bool = false
    ) throws -> Outcome {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw FileBytes.failure("create", folder)
        }
        guard let lock = try FileBytes.lock(folder, O_RDONLY | O_DIRECTORY) else {
            throw FeedError.publishing(folder: folder)
        }
        defer { withExtendedLifetime(lock) {} }
        let last = try lastManifest()
        if let last, last.scope != scope {
            throw FeedError.otherScope(scope?.name, known: last.scope?.name)
        }
        let draft = try FeedDraft(in: folder, since: last.map { try readable($0) } ?? nil)
        try catalog.forEachProduct(in: scope) { product in
            try Task.checkCancellation()
            try draft.add(product)
        }
        guard draft.count > 0 || last?.count ?? 0 == 0 || mayEmpty else { throw FeedError.empty }
        defer { sweep() }
        if let last, try draft.isSame { return try renew(last) }
        return try finish(draft, scope, after: last)
    }

    /// Gives the draft its names, and writes the manifest.
    private func finish(
        _ draft: FeedDraft, _ scope: CatalogScope?, after last: FeedManifest?
    ) throws(FeedError) -> Outcome {
        let (full, delta) = try draft.finish()
        var manifest = FeedManifest(
            sequence: max((last?.sequence ?? 0) + 1, now), revision: draft.revision,
            count: draft.count, scope: scope, published: now, expires: now + validity, full: full,
            deltas: [])
        if let last, let delta {
            manifest.deltas = last.deltas + [.init(from: last.revision, file: delta)]
            // Nobody takes a chain that is longer than the whole.
            while manifest.deltas.reduce(0, { $0 + $1.file.size }) > full.size
                || manifest.deltas.count > Self.mostDeltas
            {
                manifest.deltas.removeFirst()
            }
        }
        try draft.name(in: folder, from: last?.revision)
        try write(manifest, after: last)
        return .published(manifest, changed: draft.changed, removed: draft.removed)
    }

    /// Writes a manifest with a new time to expire once half of the last one's is over.
    private func renew(_ last: FeedManifest) throws(FeedError) -> Outcome {
        let isLasting = last.expires - now >= validity / 2
        guard !isLasting || !isSigned(last) else { return .unchanged(last) }
        var manifest = last
        manifest.sequence = max(last.sequence + 1, now)
        manifest.published = now
        manifest.expires = now + validity
        try write(manifest, after: last)
        return .renewed(manifest)
    }

    /// Puts a manifest in place of the last one.
    ///
    /// Its date is its sequence: web servers tell two manifests apart by the second.
    private func write(
        _ manifest: FeedManifest, after last: FeedManifest?
    ) throws(FeedError) {
        let names = Set(manifest.files.map(\.name))
        for (name, _) in last?.files ?? [] where !names.contains(name) {
            // From now on nobody finds it: its time to go begins.
            utimensat(AT_FDCWD, path(name), nil, 0)
        }
        let bytes = manifest.bytes
        let signature = path(FeedManifest.signatureName)
        if let key {
            guard let signed = try? key.signature(for: bytes) else {
                throw .key(path: folder, expected: "a key that signs")
            }
            try FileBytes.replace(signature, with: Array(signed))
        } else {
            unlink(signature)
        }
        try FileBytes.replace(path(FeedManifest.name), with: bytes, dated: manifest.sequence)
    }

    /// Whether a manifest has the signature that it is to have.
    private func isSigned(_ manifest: FeedManifest) -> Bool {
        let signature = try? SmallFile.read(path(FeedManifest.signatureName), limit: 64)
        guard let key else { return signature == nil }
        return key.publicKey.isValidSignature(signature ?? [], for: manifest.bytes)
    }

    private func lastManifest() throws(FeedError) -> FeedManifest? {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path(FeedManifest.name), limit: FeedManifest.longest)
        } catch {
            guard error.errno == ENOENT else { throw .file(error) }
            return nil
        }
        return try FeedManifest(bytes)
    }

    /// The last full file; nil if it is not what its manifest says, so that all is published anew.
    private func readable(_ last: FeedManifest) throws(FeedError) -> FeedFileReader? {
        let name = FeedManifest.fullName(last.revision)
        do throws(FeedError) {
            try FileBytes.check(path(name), name, last.full)
            return try FeedFileReader(path: path(name), name: name, last.full)
        } catch {
            return nil
        }
    }

    /// Removes files that no manifest has named for an hour, and what a killed publisher has left.
    private func sweep() {
        guard let manifest = try? lastManifest() else { return }
        let named = Set(manifest.files.map(\.name))
        for name in FileBytes.names(in: folder) where FeedManifest.isFileName(name) {
            var status = stat()
            guard !named.contains(name), stat(path(name), &status) == 0,
                now - Int64(status.st_mtim.tv_sec) > Self.grace
            else { continue }
            unlink(path(name))
        }
        FeedDraft.remove(in: folder)
    }

    private func path(_ name: String) -> String { folder + "/" + name }
}

/// The files of the next publication, before they have their names.
private final class FeedDraft {
    private static let (fullName, deltaName) = (".full.new", ".delta.new")

    private let full: FeedFileWriter
    private let delta: FeedFileWriter?
    private let old: FeedFileReader?
    /// The next row of the last publication.
    private var oldLine: [UInt8]?
    private(set) var revision = Revision()
    private(set) var (count, changed, removed) = (0, 0, 0)
    private var isFinished = false

    /// Whether the catalog is as it was published.
    var isSame: Bool {
        get throws(FeedError) {
            try finishOld()
            return old != nil && changed == 0 && removed == 0
        }
    }

    init(in folder: String, since old: FeedFileReader?) throws(FeedError) {
        full = try FeedFileWriter(path: folder + "/" + Self.fullName)
        delta = old == nil ? nil : try FeedFileWriter(path: folder + "/" + Self.deltaName)
        self.old = old
        oldLine = try old?.next()
    }

    /// Takes the next product, sorted by id.
    func add(_ product: Product) throws(FeedError) {
        let line = FeedRow.line(of: product)
        revision.add(line)
        count += 1
        try full.append(line)
        if oldLine == line {
            oldLine = try old?.next()
            return
        }
        // What a follower would refuse shall not keep all of them from every later change.
        do throws(FeedRow.Problem) {
            guard line.count <= FeedRow.longest else { throw .tooLong }
            _ = try FeedRow(line, inDelta: false)
        } catch {
            throw .product(id: product.id, error)
        }
        while let id = try oldID(), id.isBefore(product.id) { try remove(id) }
        if let id = try oldID(), !product.id.isBefore(id) { oldLine = try old?.next() }
        changed += 1
        try delta?.append(line)
    }

    /// Ends both files; those that are not needed are left to ``remove(in:)``.
    func finish() throws(FeedError) -> (full: FeedManifest.File, delta: FeedManifest.File?) {
        try finishOld()
        return (try full.finish(), try delta?.finish())
    }

    /// Gives the files their names.
    func name(in folder: String, from last: Revision?) throws(FeedError) {
        try FileBytes.move(full.path, to: folder + "/" + FeedManifest.fullName(revision))
        guard let delta, let last else { return }
        let name = FeedManifest.deltaName(from: last, to: revision)
        try FileBytes.move(delta.path, to: folder + "/" + name)
    }

    static func remove(in folder: String) {
        for name in [fullName, deltaName] { unlink(folder + "/" + name) }
    }

    private func finishOld() throws(FeedError) {
        while let id = try oldID() { try remove(id) }
    }

    private func oldID() throws(FeedError) -> String? {
        guard let oldLine else { return nil }
        do throws(FeedRow.Problem) {
            return try FeedRow(oldLine, inDelta: false).id
        } catch {
            throw .row(file: "the last full file", line: old?.line ?? 0, error)
        }
    }

    private func remove(_ id: String) throws(FeedError) {
        removed += 1
        try delta?.append(FeedRow.line(removing: id))
        oldLine = try old?.next()
    }
}

extension String {
    /// Whether a text stands before another, byte by byte.
    func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
