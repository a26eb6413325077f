internal import Glibc
internal import WireText

/// Where a recording's bytes come from: a file descriptor, or memory.
struct ByteSource: ~Copyable {
    /// The path, or what messages call the source.
    let name: String
    private let descriptor: Int32
    private let isOwner: Bool
    private let memory: [UInt8]
    private var offset = 0

    /// Opens the file at `path`; it is closed with the source.
    init(path: String) throws(RecordingError) {
        descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        name = path
        isOwner = true
        memory = []
        if descriptor < 0 {
            throw .systemCall(SystemCallError(operation: "open", path: path, errno: errno))
        }
    }

    /// Reads from an open file descriptor, which stays the caller's.
    init(fileDescriptor: Int32, name: String) {
        self.name = name
        descriptor = fileDescriptor
        isOwner = false
        memory = []
    }

    /// Reads from memory.
    init(bytes: [UInt8], name: String) {
        self.name = name
        descriptor = -1
        isOwner = false
        memory = bytes
    }

    deinit {
        if isOwner, descriptor >= 0 { close(descriptor) }
    }

    /// Fills the start of `buffer`.
    ///
    /// - Parameter buffer: Where the bytes go; not empty.
    /// - Returns: How many bytes came; 0 at the end.
    /// - Throws: ``RecordingError/systemCall(_:)``.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
        if descriptor < 0 { return readMemory(into: buffer) }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR {
                throw .systemCall(SystemCallError(operation: "read", path: name, errno: errno))
            }
        }
    }

    private mutating func readMemory(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = memory[offset...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        offset += part.count
        return part.count
    }
}
