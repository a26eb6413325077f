import Events
import Glibc

/// A file written from start to end, or standard output for `-`.
enum OutputFile {
    /// Writes what `body` writes; a file that existed is replaced.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: Who may read and write a file that is made.
    ///   - body: Writes.
    /// - Throws: What the file or `body` throws.
    static func write(
        to path: String, mode: mode_t = 0o644, _ body: (inout DescriptorWriter) throws -> Void
    ) throws {
        var descriptor = STDOUT_FILENO
        if path != "-" {
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
            guard descriptor >= 0 else {
                throw SystemCallError(operation: "open", path: path, errno: errno)
            }
        }
        defer { if descriptor != STDOUT_FILENO { close(descriptor) } }
        var output = DescriptorWriter(
            descriptor: descriptor, name: path == "-" ? "standard output" : path)
        try body(&output)
        try output.flush()
    }

    /// Writes `bytes`; a file that existed is replaced.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try write(to: path) { try $0.write(bytes) }
    }
}
