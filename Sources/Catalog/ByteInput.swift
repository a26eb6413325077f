import WireText

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Bytes of a file, a pipe or an array, one piece after the other.
final class ByteInput {
    /// What the input is called in messages.
    let path: String
    /// How many bytes there are in all; nil where that is not known, as with a pipe.
    let size: Int?

    private let descriptor: CInt
    private var bytes: ArraySlice<UInt8>

    /// Opens a file.
    init(path: String) throws {
        self.path = path
        bytes = []
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw ImportError.unreadable(
                SystemCallError(operation: "open", path: path, errno: errno))
        }
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// Takes bytes at hand.
    init(bytes: [UInt8], name: String) {
        path = name
        size = bytes.count
        self.bytes = bytes[...]
        descriptor = -1
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the next bytes; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        guard descriptor >= 0 else {
            let piece = bytes.prefix(target.count)
            target.copyBytes(from: piece)
            bytes = bytes.dropFirst(piece.count)
            return piece.count
        }
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, target.baseAddress, target.count)
            #else
                let count = Musl.read(descriptor, target.baseAddress, target.count)
            #endif
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw ImportError.unreadable(
                    SystemCallError(operation: "read", path: path, errno: errno))
            }
        }
    }
}
