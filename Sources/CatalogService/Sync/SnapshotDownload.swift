import Catalog
import Glibc
import HTTPTypes
import WireText

/// A file that is fetched part by part and kept beside the catalog: who was interrupted goes on there.
///
/// What it is a part of stands in front. Its lock is held as long as this value lives.
final class SnapshotDownload {
    /// How many bytes stand ahead of the content.
    private static let headSize: Int64 = 4096

    let path: String
    private let url: String
    private let descriptor: Int32
    /// What the file is that is being fetched; nil where nothing has come.
    private(set) var head: SnapshotHead?
    /// How many bytes have come.
    private(set) var count: Int64 = 0

    /// Whether all has come.
    var isWhole: Bool { head.map { $0.size == count } ?? false }

    /// Opens what an interrupted process has left, or an empty file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - url: Where the parts are from; what is from elsewhere is dropped.
    /// - Throws: ``SyncError/file(_:)``, ``SyncError/busy(path:)``.
    init(path: String, url: String) throws(SyncError) {
        self.path = path
        self.url = url
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.error("create", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .busy(path: path) : Self.error("lock", path)
        }
        recover()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - head: What they are a part of; where that is another file than before, it begins anew.
    /// - Returns: Whether they go on behind what was there.
    /// - Throws: ``SyncError/file(_:)``.
    func take(_ bytes: [UInt8], of head: SnapshotHead) throws(SyncError) -> Bool {
        if let known = self.head, !known.isSameFile(as: head) { try clear() }
        guard head.start == count, count + Int64(bytes.count) <= head.size else { return false }
        do throws(SystemCallError) {
            if self.head == nil { try write(head) }
            guard lseek(descriptor, off_t(Self.headSize + count), SEEK_SET) >= 0 else {
                throw SystemCallError(operation: "seek", path: path, errno: errno)
            }
            try FilePieces.write(bytes, to: descriptor)
        } catch {
            throw .file(error)
        }
        self.head = head
        count += Int64(bytes.count)
        return true
    }

    /// Forgets everything.
    func clear() throws(SyncError) {
        guard ftruncate(descriptor, 0) == 0 else { throw Self.error("truncate", path) }
        (head, count) = (nil, 0)
    }

    /// Takes the file away.
    func remove() { unlink(path) }

    /// Whether what has come is what the service has, by its digest.
    func isSound() throws(SyncError) -> Bool {
        do {
            return try FilePieces.digest(of: descriptor, from: Self.headSize).digest == head?.digest
        } catch {
            throw .file(error)
        }
    }

    /// Decompresses what has come.
    ///
    /// - Parameters:
    ///   - output: The file it goes into.
    ///   - limit: How many bytes there may be.
    /// - Throws: `GzipReader.Failure`.
    func decompress(into output: Int32, limit: Int64) throws(GzipReader.Failure) {
        lseek(descriptor, off_t(Self.headSize), SEEK_SET)
        try GzipReader.decompress(descriptor, into: output, limit: limit)
    }

    private func write(_ head: SnapshotHead) throws(SystemCallError) {
        let digest = head.digest.map { "\($0)" }.joined(separator: " ")
        let chain = head.chain.joined(separator: ",")
        let lines = [
            "keywedge catalog snapshot 1", url, head.tag, "\(head.size)", digest,
            "\(head.revision)", chain, "",
        ]
        let text = Array(lines.joined(separator: "\n").utf8).prefix(Int(Self.headSize))
        lseek(descriptor, 0, SEEK_SET)
        try FilePieces.write(
            Array(text) + [UInt8](repeating: 0, count: Int(Self.headSize) - text.count),
            to: descriptor)
    }

    /// Reads what stands in front of the content, and drops what is of no use.
    private func recover() {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return }
        if let found = try? FilePieces.read(Int(Self.headSize), at: 0, of: descriptor),
            let head = Self.head(found, url), Int64(status.st_size) - Self.headSize <= head.size
        {
            self.head = head
            count = max(0, Int64(status.st_size) - Self.headSize)
        } else {
            ftruncate(descriptor, 0)
        }
    }

    private static func head(_ bytes: [UInt8], _ url: String) -> SnapshotHead? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 8, lines[0] == "keywedge catalog snapshot 1", lines[1] == url,
            let size = Int64(lines[3]), let revision = CatalogRevision(lines[5]),
            let chain = ServiceChain.read(lines[6])
        else { return nil }
        let digest = lines[4].split(separator: " ").compactMap { UInt8($0) }
        return SnapshotHead(
            tag: lines[2], size: size, digest: digest,
            revision: revision, chain: chain)
    }

    private static func error(_ operation: String, _ path: String) -> SyncError {
        .file(SystemCallError(operation: operation, path: path, errno: errno))
    }
}

extension SnapshotHead {
    fileprivate init(
        tag: String, size: Int64, digest: [UInt8], revision: CatalogRevision, chain: [String]
    ) {
        (self.tag, self.size, self.digest, self.revision) = (tag, size, digest, revision)
        (self.chain, start) = (chain, 0)
    }
}
