import Glibc
import WireText

/// A file or a pipe that is read in chunks and converted to UTF-8.
final class ByteInput {
    /// The name to show in messages: the file's path, or another name, such as `standard input`.
    let path: String
    /// The size in bytes; nil for a pipe or another special file.
    let size: Int?
    private let descriptor: CInt
    private let isOwned: Bool
    private let converter: TextConverter?

    /// Opens the file, or uses the given descriptor, which the caller must close.
    init(path: String, descriptor given: CInt?, encoding: TextEncoding) throws {
        self.path = path
        isOwned = given == nil
        converter = encoding == .utf8 ? nil : TextConverter(encoding)
        descriptor = given ?? open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if isOwned { close(descriptor) } }

    /// Reads the next bytes into `target` as UTF-8; returns their number, or 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let converter else { return try readRaw(into: target) }
        var raw = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let written = try converter.convert(into: target)
            guard written == 0 else { return written }
            let count = try raw.withUnsafeMutableBytes { try readRaw(into: $0) }
            guard count > 0 else {
                try converter.finish()
                return 0
            }
            converter.add(raw[..<count])
        }
    }

    private func readRaw(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        // Cancelling the task must end the wait for a silent pipe.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while size == nil {
            try Task.checkCancellation()
            if poll(&request, 1, 100) != 0 { break }
        }
        while true {
            let count = Glibc.read(descriptor, target.baseAddress, target.count)
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw SystemCallError(operation: "read", path: path, errno: errno)
            }
        }
    }
}
