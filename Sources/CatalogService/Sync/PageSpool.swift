import Glibc
import WireText

/// Keeps pages on disk until all of them are there, so that neither memory nor the catalog's lock is
/// held while the network is waited for.
///
/// The file outlives the process: who was interrupted goes on behind the last page it has. Each page
/// has its length and a sum in front, so that one that was cut short is not taken for a whole one.
/// Its lock is held as long as this value lives.
final class PageSpool {
    /// The longest page that is taken from a file: what is longer was never put there.
    static let longestPage = 64 << 20
    private static let headSize = 24

    private let path: String?
    private let source: [UInt8]
    private var descriptor: Int32 = -1
    private var size: Int64 = 0
    private var position: Int64 = 0
    /// How many pages there are.
    private(set) var count = 0
    /// The last page; nil where there is none.
    private(set) var last: [UInt8]?

    /// How many bytes there are.
    var byteCount: Int64 { size }

    /// Opens what an interrupted process has left, or an empty spool.
    ///
    /// - Parameters:
    ///   - path: The file; it is made with the first page. Nil for one without a name, which is gone
    ///     with this value.
    ///   - source: Where the pages are from, in one line; pages from elsewhere are dropped.
    /// - Throws: ``SyncError/file(_:)``, ``SyncError/busy(path:)``.
    init(path: String?, source: String) throws(SyncError) {
        self.path = path
        self.source = Array((source + "\n").utf8)
        guard let path else { return }
        descriptor = Self.open(path, O_RDWR)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .file(error("open")) }
            return
        }
        try lock()
        try recover()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Puts a page behind the others.
    func append(_ page: [UInt8]) throws(SyncError) {
        if descriptor < 0 { try create() }
        var record = withUnsafeBytes(of: UInt64(page.count).littleEndian) { Array($0) }
        record += withUnsafeBytes(of: ContentSum.of(page).littleEndian) { Array($0) }
        record += page
        try write(record, at: size)
        size += Int64(record.count)
        count += 1
        last = page
    }

    /// The next page from the first on; nil behind the last.
    func take() throws(SyncError) -> [UInt8]? {
        if position == 0 { position = Int64(source.count) }
        return try page()
    }

    /// Drops all pages.
    func clear() throws(SyncError) {
        guard descriptor >= 0 else { return }
        guard ftruncate(descriptor, 0) == 0 else { throw .file(error("truncate")) }
        try write(source, at: 0)
        (size, position, count, last) = (Int64(source.count), 0, 0, nil)
    }

    /// Takes the file away.
    func remove() {
        if descriptor >= 0, let path { unlink(path) }
    }

    private func create() throws(SyncError) {
        if let path {
            descriptor = Self.open(path, O_RDWR | O_CREAT)
            guard descriptor >= 0 else { throw .file(error("create")) }
            try lock()
        } else {
            var name = Array("/tmp/keywedge-sync-XXXXXX".utf8CString)
            descriptor = mkstemp(&name)
            guard descriptor >= 0 else { throw .file(error("create")) }
            unlink(name)
        }
        try clear()
    }

    /// Takes the file's lock, which is let go with the process, however it ends.
    private func lock() throws(SyncError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .busy(path: path ?? "") : .file(error("lock"))
        }
        // Who had the lock before may just have taken the file away: it is nobody's then, but it
        // is not under this name any more either.
        var (found, named) = (stat(), stat())
        guard fstat(descriptor, &found) == 0, let path, stat(path, &named) == 0,
            found.st_ino == named.st_ino, found.st_dev == named.st_dev
        else { throw .busy(path: path ?? "") }
    }

    /// Counts the whole pages of an older file, and cuts off what comes behind them.
    private func recover() throws(SyncError) {
        guard try read(source.count, at: 0) == source else { return try clear() }
        position = Int64(source.count)
        while let page = try page() {
            count += 1
            last = page
        }
        size = position
        position = 0
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .file(error("truncate")) }
    }

    /// The page at the position, which moves behind it; nil where there is no whole one.
    private func page() throws(SyncError) -> [UInt8]? {
        guard descriptor >= 0, let head = try read(Self.headSize, at: position) else { return nil }
        let length = head[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let sum = head[8...].reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        guard length <= UInt64(Self.longestPage),
            let page = try read(Int(length), at: position + Int64(Self.headSize)),
            ContentSum.of(page) == sum
        else { return nil }
        position += Int64(Self.headSize + page.count)
        return page
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws(SyncError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
                    off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file(error("write")) }
            done += count
        }
    }

    /// So many bytes; nil where the file ends before.
    private func read(_ count: Int, at offset: Int64) throws(SyncError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
                    off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .file(error("read")) }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    private func error(_ operation: String) -> SystemCallError {
        SystemCallError(operation: operation, path: path ?? "/tmp", errno: errno)
    }
}

/// A sum that tells one content from another.
enum ContentSum {
    /// The sum of some bytes.
    ///
    /// It has 128 bits: FNV-1a (draft-eastlake-fnv, section 5), which no chance makes equal.
    static func of(_ bytes: [UInt8]) -> UInt128 {
        bytes.reduce(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D) { sum, byte in
            (sum ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
    }
}
