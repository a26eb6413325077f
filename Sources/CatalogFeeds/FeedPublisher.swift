package import Catalog
package import Crypto
import Foundation
import Glibc
import WireText

/// A publisher that writes a catalog into a folder, as files that any web server can serve.
///
/// The publisher compares the catalog with the last full file, so the folder is its only state. Readers see either the
/// old feed or the new one, because the manifest is replaced only after all data files are written.
package struct FeedPublisher {
    /// How many seconds followers may still read files that the manifest no longer names.
    private static let grace: Int64 = 3600
    /// The tolerated clock error, in seconds.
    private static let clockSlack: Int64 = 300
    /// The maximum number of deltas in a manifest; each takes about 200 bytes.
    private static let mostDeltas = 250
    private static let drafts = [".full.new", ".delta.new", "feed.json.new", "feed.json.sig.new"]

    package enum Outcome: Equatable, Sendable {
        /// The catalog was published; `changed` counts new products, too.
        case published(FeedManifest, changed: Int, removed: Int)
        /// The catalog has not changed, and at least half of the manifest's validity period is left.
        case unchanged(FeedManifest)
        /// The catalog has not changed, but the manifest was signed again or has a new expiry.
        case renewed(FeedManifest)
    }

    private let folder: String
    private let key: Curve25519.Signing.PrivateKey?
    private let validity: Int64
    private let now: Int64

    /// Creates a publisher for a folder, which need not exist yet; `now` is in seconds since 1970.
    package init(
        into folder: String, signing key: Curve25519.Signing.PrivateKey? = nil,
        validity: Duration = .seconds(7 * 86_400), now: Int64
    ) {
        (self.folder, self.key, self.now) = (folder, key, now)
        self.validity = validity.components.seconds
    }

    /// Publishes the catalog if it has changed; otherwise renews the manifest if necessary.
    package func publish(
        _ catalog: CatalogFile, scope: CatalogScope? = nil, allowingEmpty mayEmpty: Bool = false
    ) throws -> Outcome {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw FeedError.file(SystemCallError(operation: "create", path: folder, errno: errno))
        }
        let lock = try OpenFile(locking: folder, O_RDONLY | O_DIRECTORY)
        // This also removes the drafts of a killed publisher.
        defer { for name in Self.drafts { unlink(path(name)) } }
        defer { withExtendedLifetime(lock) {} }
        let last = try lastManifest()
        if let last, last.scope != scope?.name {
            throw FeedError.scope(scope?.name, known: last.scope)
        }
        if last != nil, key == nil, access(path(FeedManifest.signatureName), F_OK) == 0 {
            throw FeedError.unsigned
        }
        let outcome =
            if let last, try !hasChanged(catalog, scope, since: last) {
                try renew(last)
            } else {
                try publish(catalog, scope, since: last, allowingEmpty: mayEmpty)
            }
        try sweep()
        return outcome
    }

    /// Whether the catalog differs from the last full file; also true if that file is missing or does not match its
    /// manifest.
    private func hasChanged(
        _ catalog: CatalogFile, _ scope: CatalogScope?, since last: FeedManifest
    ) throws -> Bool {
        struct Change: Error {}
        guard let old = reader(of: last) else { return true }
        do {
            try catalog.compare(in: scope, with: old) { if $1 != $2 { throw Change() } }
        } catch is Change {
            return true
        }
        return false
    }

    private func publish(
        _ catalog: CatalogFile, _ scope: CatalogScope?, since last: FeedManifest?,
        allowingEmpty mayEmpty: Bool
    ) throws -> Outcome {
        let old = last.flatMap(reader)
        let full = try FeedFileWriter(path: path(Self.drafts[0]))
        let delta = try old.map { _ in try FeedFileWriter(path: path(Self.drafts[1])) }
        var (revision, count, changed, removed) = (Revision(), 0, 0, 0)
        try catalog.compare(in: scope, with: old) { id, before, line in
            if let line {
                revision.add(line)
                count += 1
                try full.append(line)
                guard line != before else { return }
                changed += 1
                try Self.check(line, id)
            } else {
                removed += 1
            }
            try delta?.append(line ?? FeedRow.line(removing: id))
        }
        guard count > 0 || last?.count ?? 0 == 0 || mayEmpty else { throw FeedError.empty }
        var manifest = FeedManifest(
            sequence: max((last?.sequence ?? 0) + 1, now), revision: revision, count: count,
            scope: scope?.name, expires: FeedTime(now + validity),
            full: try full.finish(as: path(FeedManifest.fullName(revision))))
        if let last, let delta {
            let name = FeedManifest.deltaName(last.revision, revision)
            let file = try delta.finish(as: path(name))
            manifest.deltas = last.deltas + [.init(from: last.revision, file: file)]
            // No follower uses a chain that is larger than the full file.
            while manifest.deltas.reduce(0, { $0 + $1.file.size }) > manifest.full.size
                || manifest.deltas.count > Self.mostDeltas
            {
                manifest.deltas.removeFirst()
            }
        }
        // Starts the grace period of the files that the manifest no longer names.
        for name in last?.names.subtracting(manifest.names) ?? [] {
            utimensat(AT_FDCWD, path(name), nil, 0)
        }
        try write(manifest)
        return .published(manifest, changed: changed, removed: removed)
    }

    /// Throws if followers would refuse the product's line, because they would then refuse the whole feed.
    private static func check(_ line: [UInt8], _ id: String) throws(FeedError) {
        do throws(InvalidRow.Reason) {
            _ = try FeedRow(line, inDelta: false)
        } catch {
            throw .product(id: id, error)
        }
    }

    /// Renews the manifest if its expiry is too near or too far, or if it was not signed with the publisher's key.
    ///
    /// Too near means less than half of the validity period. Too far means more than all of it plus ``clockSlack``,
    /// which happens if the clock was ahead at the last publication, or if the validity period was longer then.
    private func renew(_ last: FeedManifest) throws(FeedError) -> Outcome {
        let isValid = (validity / 2...validity + Self.clockSlack).contains(
            last.expires.seconds - now)
        guard !isValid || !isSigned(last) else { return .unchanged(last) }
        var manifest = last
        manifest.sequence = max(last.sequence + 1, now)
        manifest.expires = FeedTime(now + validity)
        try write(manifest)
        return .renewed(manifest)
    }

    /// Whether the signature in the folder matches the manifest; true if the publisher has no key.
    private func isSigned(_ manifest: FeedManifest) -> Bool {
        let signature = try? SmallFile.read(path(FeedManifest.signatureName), limit: 64)
        guard let key else { return true }
        return key.publicKey.isValidSignature(signature ?? [], for: manifest.bytes)
    }

    /// Replaces the manifest and its signature.
    ///
    /// Both are written before either is replaced, so the old pair remains if the disk is full. Web servers compare
    /// modification times only to the second, so the manifest's modification time is set to its sequence number, a Unix
    /// time that grows with each manifest.
    private func write(_ manifest: FeedManifest) throws(FeedError) {
        let draft = try FileReplacement.draft(
            manifest.bytes, of: path(FeedManifest.name), dated: manifest.sequence)
        if let key {
            let file = path(FeedManifest.signatureName)
            guard let signature = try? key.signature(for: manifest.bytes) else {
                throw .key(path: file, "a key that can sign")
            }
            try FileReplacement.write(Array(signature), to: file)
        }
        try FileReplacement.move(draft, to: path(FeedManifest.name))
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

    /// Opens the last full file; nil if it does not match the manifest.
    private func reader(of last: FeedManifest) -> FeedFileReader? {
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
