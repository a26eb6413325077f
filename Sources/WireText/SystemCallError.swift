internal import Glibc

/// A system call that failed: what was called, on what, and the kernel's answer.
public struct SystemCallError: Error, Hashable, Sendable {
    /// The call, for instance `open` or `EVIOCGRAB`.
    public let operation: String
    /// What it worked on: a path, or a name such as `standard output`; nil if there is nothing.
    public let path: String?
    /// The number of the error, as in `errno`.
    public let errno: Int32

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - operation: The call.
    ///   - path: What it worked on.
    ///   - errno: The number of the error.
    public init(operation: String, path: String? = nil, errno: Int32) {
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
        let place = path.map { Escaping.line.escaped($0) + ": " } ?? ""
        return "\(place)\(operation) failed: \(text) (errno \(errno))"
    }
}

extension StringProtocol {
    /// The text between quotation marks, as a sentence may show it: on one line, nothing unsafe, its
    /// own quotation marks and backslashes escaped, and not too long.
    ///
    /// It is the one way in which texts of others get into our sentences. What stands between the
    /// quotation marks can be typed back where escapes are read. It is cut after `limit` scalars.
    package func quoted(upTo limit: Int = 80) -> String {
        let head = unicodeScalars.prefix(limit)
        var output = [UInt8(ascii: "\"")]
        Escaping.quoted.append(String(String.UnicodeScalarView(head)), to: &output)
        if head.endIndex < unicodeScalars.endIndex { output.append("…") }
        output.append(UInt8(ascii: "\""))
        return String(decoding: output, as: UTF8.self)
    }
}
