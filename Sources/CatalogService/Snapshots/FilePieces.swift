import Crypto
import Glibc
import WireText

/// How much room there is on a disk.
enum DiskSpace {
    /// Bytes that are free where a file is, or would be.
    static func free(beside path: String) -> Int64 {
        var status = statvfs()
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = end.map { String(path[...$0]) } ?? "."
        guard statvfs(folder, &status) == 0 else { return .max }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}

/// Reads and writes files piece by piece.
enum FilePieces {
    /// The next bytes of a file; fewer than asked for at its end, none behind it.
    static func read(_ count: Int, from descriptor: Int32) throws(SystemCallError) -> [UInt8] {
        try read(count) { bytes, done in
            Glibc.read(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        }
    }

    /// The bytes at a place of a file; fewer than asked for at its end.
    static func read(
        _ count: Int, at offset: Int64, of descriptor: Int32
    ) throws(SystemCallError) -> [UInt8] {
        try read(count) { bytes, done in
            pread(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                off_t(offset) + off_t(done))
        }
    }

    /// Writes bytes where the file stands.
    static func write(
        _ bytes: some RandomAccessCollection<UInt8>, to descriptor: Int32
    ) throws(SystemCallError) {
        let all = Array(bytes)
        var done = 0
        while done < all.count {
            let count = all.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemCallError(operation: "write", errno: errno) }
            done += count
        }
    }

    /// The SHA-256 of a file from a place to its end, and how many bytes that are.
    static func digest(
        of descriptor: Int32, from start: Int64 = 0
    ) throws(SystemCallError) -> (digest: [UInt8], size: Int64) {
        var hash = SHA256()
        var offset = start
        while true {
            let bytes = try read(256 << 10, at: offset, of: descriptor)
            guard !bytes.isEmpty else { return (Array(hash.finalize()), offset - start) }
            hash.update(data: bytes)
            offset += Int64(bytes.count)
        }
    }

    private static func read(
        _ count: Int, _ next: (UnsafeMutableRawBufferPointer, Int) -> Int
    ) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { next($0, done) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw SystemCallError(operation: "read", errno: errno) }
            guard got > 0 else { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}
