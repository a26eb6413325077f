import WireText

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Why a file cannot be used.
public struct FileError: Error, Equatable, Sendable {
    /// What was done: the system call's name.
    public let operation: String
    /// The file.
    public let path: String
    /// The system's error number; `EFBIG` for a file larger than anything that is expected there.
    public let errno: Int32
}

extension FileError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "Cannot \(operation) \"\(Escaping.line.escaped(path))\": \(String(cString: strerror(errno)))."
    }
}
