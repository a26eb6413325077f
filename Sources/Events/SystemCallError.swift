import Glibc
import WireText

/// A system call that failed.
public struct SystemCallError: Error, Equatable, Sendable {
    /// The call: `write`, `read`, `poll`.
    public let operation: String

    /// What it worked on: a path, or a name such as `standard output`.
    public let path: String

    /// The number of the error, as in `errno`.
    public let errno: Int32

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - operation: The call.
    ///   - path: What it worked on.
    ///   - errno: The number of the error.
    public init(operation: String, path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// What the number means, in the system's words: `No space left on device`.
    public var text: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "unknown error" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SystemCallError: CustomStringConvertible {
    /// One sentence: `standard output: write failed: No space left on device (errno 28)`.
    public var description: String {
        "\(Escaping.line.escaped(path)): \(operation) failed: \(text) (errno \(errno))"
    }
}
