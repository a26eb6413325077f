import Events
import Glibc
import WireText

/// A file written from start to end, or standard output for `-`.
enum OutputFile {
    /// Writes a file whole: it takes the place of one that existed only once all of it is written.
    ///
    /// What is no regular file, a pipe or a device, is written as it goes.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - body: Writes.
    /// - Throws: What the file or `body` throws; the file is as it was then.
    static func replace(
        _ path: String, _ body: (inout DescriptorWriter) throws -> Void
    ) throws {
        guard path != "-", isRegularOrMissing(path) else { return try write(to: path, body) }
        let temporary = path + ".new-\(getpid())"
        do {
            try write(to: temporary, name: path, body)
            guard rename(temporary, path) == 0 else {
                throw SystemCallError(operation: "rename", path: path, errno: errno)
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes a file as it goes; one that existed is emptied first.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: What errors call it; its path unless told.
    ///   - mode: Who may read and write a file that is made.
    ///   - body: Writes.
    /// - Throws: What the file or `body` throws.
    static func write(
        to path: String, name: String? = nil, mode: mode_t = 0o644,
        _ body: (inout DescriptorWriter) throws -> Void
    ) throws {
        if path == "-" {
            var output = DescriptorWriter.standardOutput()
            try body(&output)
            return try output.flush()
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: name ?? path, errno: errno)
        }
        defer { close(descriptor) }
        var output = DescriptorWriter(descriptor: descriptor, name: name ?? path)
        try body(&output)
        try output.flush()
    }

    /// Writes `bytes` as a whole file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - path: The file.
    /// - Throws: What the file throws.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try replace(path) { try $0.write(bytes) }
    }

    private static func isRegularOrMissing(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }
}
