import Glibc
import WireText

/// Bytes of a file, a pipe or an array, one piece after the other.
final class ByteInput {
    /// What the input is called in messages.
    let path: String
    /// How many bytes there are in all; nil if that is not known, as with a pipe.
    let size: Int?
    /// How the input writes its letters; what `read(into:)` gives is UTF-8.
    var encoding = TextEncoding.utf8 {
        didSet { converter = encoding == .utf8 ? nil : TextConverter(encoding) }
    }

    private let descriptor: CInt
    private let isOwned: Bool
    private var bytes: ArraySlice<UInt8> = []
    private var converter: TextConverter?

    /// Opens a file.
    init(path: String) throws {
        self.path = path
        isOwned = true
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.unreadable(path) }
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// Reads from an open descriptor, which it does not close.
    init(descriptor: CInt, name: String) {
        (path, size, isOwned, self.descriptor) = (name, nil, false, descriptor)
    }

    /// Reads bytes in memory.
    init(bytes: [UInt8], name: String) {
        (path, size, isOwned, descriptor) = (name, bytes.count, false, -1)
        self.bytes = bytes[...]
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Reads the next bytes; 0 at the end.
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
        guard descriptor >= 0 else {
            let piece = bytes.prefix(target.count)
            target.copyBytes(from: piece)
            bytes = bytes.dropFirst(piece.count)
            return piece.count
        }
        if size == nil { try waitForBytes() }
        while true {
            let count = Glibc.read(descriptor, target.baseAddress, target.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.unreadable(path) }
        }
    }

    private static func unreadable(_ path: String) -> ImportError {
        let text = SystemCallError(operation: "read", errno: errno).text
        var error = ImportError("cannot be read: \(words: text).")
        error.path = path
        return error
    }

    /// Waits until there is something to read, or the task is cancelled.
    private func waitForBytes() throws {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        repeat {
            try Task.checkCancellation()
        } while poll(&request, 1, 100) == 0
    }
}
