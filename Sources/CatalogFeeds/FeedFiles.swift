import CZstd
import Crypto
import Glibc
import WireText

/// Writes a file of a feed: lines, compressed.
final class FeedFileWriter {
    let path: String
    private let descriptor: Int32
    private let context: OpaquePointer?
    private var (hash, size, unpacked) = (SHA256(), Int64(0), Int64(0))
    private var pending: [UInt8] = []
    private var output = [UInt8](repeating: 0, count: 1 << 17)

    /// Makes the file, or empties it.
    init(path: String) throws(FeedError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        context = ZSTD_createCCtx()
        guard descriptor >= 0 else {
            throw .file(SystemCallError(operation: "create", path: path, errno: errno))
        }
        // At this level a million products take a second, and deltas a tenth more than at the highest.
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 6)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCCtx(context)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Appends a line.
    func append(_ line: [UInt8]) throws(FeedError) {
        pending += line
        pending.append(0x0A)
        unpacked += Int64(line.count + 1)
        if pending.count >= 1 << 17 { try compress(ZSTD_e_continue) }
    }

    /// Ends the file, and waits until it is on the disk.
    func finish() throws(FeedError) -> FeedManifest.File {
        try compress(ZSTD_e_end)
        guard fsync(descriptor) == 0 else {
            throw .file(SystemCallError(operation: "fsync", path: path, errno: errno))
        }
        let digest = Hexadecimal.text(hash.finalize())
        return FeedManifest.File(size: size, sha256: digest, unpacked: unpacked)
    }

    private func compress(_ directive: ZSTD_EndDirective) throws(FeedError) {
        var position = 0
        var isDone = false
        while !isDone {
            var produced = 0
            let rest = pending.withUnsafeBytes { input in
                output.withUnsafeMutableBytes { output in
                    var source = ZSTD_inBuffer(
                        src: input.baseAddress, size: input.count, pos: position)
                    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                    let rest = ZSTD_compressStream2(context, &target, &source, directive)
                    (position, produced) = (source.pos, target.pos)
                    return rest
                }
            }
            guard ZSTD_isError(rest) == 0 else { throw .damaged(file: path) }
            do {
                try FileBytes.write(output[..<produced], to: descriptor, path)
            } catch {
                throw .file(error)
            }
            hash.update(data: output[..<produced])
            size += Int64(produced)
            isDone = directive == ZSTD_e_end ? rest == 0 : position == pending.count
        }
        pending.removeAll(keepingCapacity: true)
    }
}

/// Reads a file of a feed line by line, never further than it may be long.
final class FeedFileReader {
    private let name: String
    private let limit: Int64
    private let descriptor: Int32
    private let context: OpaquePointer?
    private var (input, position, end) = ([UInt8](repeating: 0, count: 1 << 17), 0, 0)
    private var output = [UInt8](repeating: 0, count: 1 << 17)
    /// What is decompressed and not read; the first ``taken`` bytes are read.
    private var (text, taken, searched) = ([UInt8](), 0, 0)
    private var unpacked: Int64 = 0
    private var isInFrame = false
    /// How many lines were read.
    private(set) var line = 0

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - name: What errors call it.
    ///   - file: What the manifest says of it.
    init(path: String, name: String, _ file: FeedManifest.File) throws(FeedError) {
        self.name = name
        limit = file.unpacked
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        context = ZSTD_createDCtx()
        guard descriptor >= 0 else {
            throw .file(SystemCallError(operation: "open", path: path, errno: errno))
        }
        // A frame says how much memory its reader needs: 8 MB are what the highest levels take.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
    }

    deinit {
        ZSTD_freeDCtx(context)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next line, without its line break; nil at the end.
    func next() throws(FeedError) -> [UInt8]? {
        while true {
            if let found = text[searched...].firstIndex(of: 0x0A) {
                defer { (taken, searched) = (found + 1, found + 1) }
                line += 1
                return Array(text[taken..<found])
            }
            searched = text.count
            guard text.count - taken <= FeedRow.longest else {
                throw .row(file: name, line: line + 1, .tooLong)
            }
            guard try decompress() else {
                // The file ends with a line break, and is as long as the manifest says.
                guard taken == text.count, unpacked == limit else { throw .damaged(file: name) }
                return nil
            }
        }
    }

    /// Decompresses some more; false at the end of the file.
    private func decompress() throws(FeedError) -> Bool {
        text.removeFirst(taken)
        (searched, taken) = (searched - taken, 0)
        while true {
            if position == end {
                (position, end) = (0, read(descriptor, &input, input.count))
                guard end >= 0 else {
                    throw .file(SystemCallError(operation: "read", path: name, errno: errno))
                }
                guard end > 0 else {
                    guard !isInFrame else { throw .damaged(file: name) }
                    return false
                }
            }
            var produced = 0
            let rest = input.withUnsafeBytes { input in
                output.withUnsafeMutableBytes { output in
                    var source = ZSTD_inBuffer(src: input.baseAddress, size: end, pos: position)
                    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                    let rest = ZSTD_decompressStream(context, &target, &source)
                    (position, produced) = (source.pos, target.pos)
                    return rest
                }
            }
            guard ZSTD_isError(rest) == 0 else { throw .damaged(file: name) }
            isInFrame = rest != 0
            unpacked += Int64(produced)
            guard unpacked <= limit else { throw .damaged(file: name) }
            if produced > 0 {
                text += output[..<produced]
                return true
            }
        }
    }
}

/// Files, byte for byte.
enum FileBytes {
    /// Writes bytes where the file stands.
    static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
    ) throws(SystemCallError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemCallError(operation: "write", path: path, errno: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Puts a file in place of another, whole: readers see the old one or the new one, also after a
    /// power failure.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The file.
    ///   - time: When it was changed, in seconds since 1970; nil for now.
    static func replace(
        _ path: String, with bytes: [UInt8], dated time: Int64? = nil
    ) throws(FeedError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure("create", draft) }
        defer { close(descriptor) }
        do throws(SystemCallError) {
            try write(bytes[...], to: descriptor, draft)
        } catch {
            throw .file(error)
        }
        if let time { try date(descriptor, draft, time) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", draft) }
        try move(draft, to: path)
    }

    /// Gives a file its name, for good.
    static func move(_ draft: String, to path: String) throws(FeedError) {
        guard rename(draft, path) == 0 else { throw failure("rename", path) }
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("fsync", path) }
    }

    /// The SHA-256 of a file, if it has as many bytes as it should.
    static func check(_ path: String, _ name: String, _ file: FeedManifest.File) throws(FeedError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) == file.size else {
            throw .size(file: name, expected: file.size)
        }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { break }
            hash.update(data: buffer[..<count])
        }
        guard Hexadecimal.text(hash.finalize()) == file.sha256 else { throw .digest(file: name) }
    }

    /// Takes a lock that ends with the process; nil if another process has it.
    ///
    /// - Returns: The lock, held as long as the value lives.
    static func lock(_ path: String, _ flags: Int32) throws(FeedError) -> FileLock? {
        let descriptor = open(path, flags | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("open", path) }
        let lock = FileLock(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw failure("lock", path) }
            return nil
        }
        return lock
    }

    /// Bytes that are free where a file is, or would be.
    static func free(beside path: String) -> Int64 {
        var status = statvfs()
        guard statvfs(folder(of: path), &status) == 0 else { return .max }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    }

    private static func date(_ descriptor: Int32, _ path: String, _ time: Int64) throws(FeedError) {
        let times = [timespec(tv_sec: Int(time), tv_nsec: 0), timespec(tv_sec: Int(time), tv_nsec: 0)]
        guard futimens(descriptor, times) == 0 else { throw failure("date", path) }
    }

    static func failure(_ operation: String, _ path: String) -> FeedError {
        .file(SystemCallError(operation: operation, path: path, errno: errno))
    }
}

/// A lock on a file, released when the value goes.
final class FileLock {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}

extension FileBytes {
    /// The names of what is in a folder.
    static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
