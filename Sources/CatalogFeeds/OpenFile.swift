import Glibc
import WireText

final class OpenFile {
    private let path: String
    private let descriptor: Int32

    init(_ path: String, _ flags: Int32) throws(FeedError) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(flags & O_CREAT == 0 ? "open" : "create") }
        if flags & O_CREAT != 0 { FolderOwner.give(descriptor, at: path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Opens and locks a file for this object's lifetime; throws `busy` if it is locked already.
    convenience init(locking path: String, _ flags: Int32) throws(FeedError) {
        try self.init(path, flags)
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        throw errno == EWOULDBLOCK ? .busy(path: path) : failure("lock")
    }

    /// Reads the next bytes, and returns how many were read; 0 at the end of the file.
    func read(_ buffer: inout [UInt8]) throws(FeedError) -> Int {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw failure("read") }
        return count
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(FeedError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            rest = rest.dropFirst(count)
        }
    }

    func empty() throws(FeedError) {
        guard ftruncate(descriptor, 0) == 0 else { throw failure("truncate") }
    }

    func synchronise() throws(FeedError) {
        guard fsync(descriptor) == 0 else { throw failure("fsync") }
    }

    private func failure(_ operation: String) -> FeedError {
        .file(SystemCallError(operation: operation, path: path, errno: errno))
    }
}

/// Functions for replacing files that other processes may be reading.
enum FileReplacement {
    /// Replaces a file's content atomically, even in the event of a power failure.
    static func write(_ bytes: [UInt8], to path: String) throws(FeedError) {
        try move(draft(bytes, of: path), to: path)
    }

    /// Writes a draft for ``move(_:to:)``, dated `time` (a Unix time) if given, and returns its path.
    static func draft(
        _ bytes: [UInt8], of path: String, dated time: Int64? = nil
    ) throws(FeedError) -> String {
        let draft = path + ".new"
        let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        try file.write(bytes[...])
        if let time {
            let date = timespec(tv_sec: Int(time), tv_nsec: 0)
            utimensat(AT_FDCWD, draft, [date, date], 0)
        }
        try file.synchronise()
        return draft
    }

    /// Renames a file, and waits until the new name is on the disk.
    static func move(_ draft: String, to path: String) throws(FeedError) {
        guard rename(draft, path) == 0 else {
            throw .file(SystemCallError(operation: "rename", path: path, errno: errno))
        }
        try OpenFile(path.folder, O_RDONLY | O_DIRECTORY).synchronise()
    }

    /// Returns the number of free bytes on a file's disk; `Int64.max` if unknown.
    static func free(beside path: String) -> Int64 {
        var status = statvfs()
        guard statvfs(path.folder, &status) == 0 else { return .max }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
