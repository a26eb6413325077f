import Catalog
import FoundationEssentials
import Glibc
import WireText

/// A catalog at one revision, as a compressed SQLite file that is open for reading.
///
/// The file may lose its name meanwhile: who is reading it has it to the end.
final class Snapshot: Sendable {
    /// What stands ahead of the content, and behind it the revision and the number of rereadings.
    private static let comment = "keywedge catalog 1 "

    let revision: CatalogRevision
    /// ``EmbeddedCatalog/rereadings()`` before it was made.
    let rereadings: Int64
    /// How many bytes there are.
    let size: Int64
    /// Their SHA-256.
    let digest: [UInt8]
    let made: ContinuousClock.Instant
    /// Reads the file: a disk that is slow shall hold up nothing else on the reader's thread.
    let reading = SerialQueue("snapshot reading", limit: .max)
    private let descriptor: Int32

    private init(
        _ descriptor: Int32, revision: CatalogRevision, rereadings: Int64,
        made: ContinuousClock.Instant
    ) throws(SystemCallError) {
        self.descriptor = descriptor
        self.revision = revision
        self.rereadings = rereadings
        self.made = made
        (digest, size) = try FilePieces.digest(of: descriptor)
    }

    deinit { close(descriptor) }

    /// Opens a file that was made before; nil where there is none.
    static func open(_ path: String, made: ContinuousClock.Instant) -> Snapshot? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        guard let head = try? FilePieces.read(256, at: 0, of: descriptor),
            let comment = GzipWriter.comment(in: head), comment.hasPrefix(Self.comment),
            let (revision, rereadings) = read(comment.dropFirst(Self.comment.count))
        else {
            close(descriptor)
            return nil
        }
        do {
            return try Snapshot(
                descriptor, revision: revision, rereadings: rereadings, made: made)
        } catch {
            close(descriptor)
            return nil
        }
    }

    private static func read(_ words: Substring) -> (CatalogRevision, Int64)? {
        let parts = words.split(separator: " ")
        guard parts.count == 2, let revision = CatalogRevision(String(parts[0])),
            let rereadings = Int64(parts[1])
        else { return nil }
        return (revision, rereadings)
    }

    /// Makes the file of a catalog as it is now.
    ///
    /// - Parameters:
    ///   - path: The file; what is there is replaced once the new one is whole and on the disk.
    ///   - catalog: The catalog.
    /// - Throws: `CatalogError`, ``SyncError``, `SystemCallError`.
    static func make(_ path: String, of catalog: EmbeddedCatalog) throws {
        let plain = try DraftFile(path: path + ".plain")
        let packed = try DraftFile(path: path + ".new")
        let rereadings = try catalog.rereadings()
        let revision = try catalog.writeSnapshot(to: plain.path)
        try GzipWriter.compress(
            plain.descriptor, into: packed.descriptor,
            comment: "\(comment)\(revision) \(rereadings)")
        // Whoever may read the catalog may read this.
        var status = stat()
        if stat(catalog.path, &status) == 0 { fchmod(packed.descriptor, status.st_mode & 0o666) }
        guard fsync(packed.descriptor) == 0, rename(packed.path, path) == 0 else {
            throw SystemCallError(operation: "write", path: path, errno: errno)
        }
    }

    /// Reads a part; fewer bytes at the end.
    func bytes(_ count: Int, at offset: Int64) async throws -> [UInt8] {
        try await reading.run { [self] in
            try FilePieces.read(count, at: offset, of: descriptor)
        }
    }

    /// What tells this file from others, with its quotation marks; another file never has it.
    var tag: String { digest.prefix(16).map { Self.hexadecimal($0) }.joined().quoted() }

    /// The value of the header field.
    ///
    /// Rule: RFC 9530, section 3.
    var representationDigest: String {
        "sha-256=:" + Data(digest).base64EncodedString() + ":"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.utf8.count < 2 ? "0" + text : text
    }
}
