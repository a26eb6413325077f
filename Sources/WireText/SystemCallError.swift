internal import Glibc

/// A failed system call: its name, the object that it was applied to, and the error number.
public struct SystemCallError: Error, Hashable, Sendable {
    /// The name of the call, such as `open` or `EVIOCGRAB`.
    public let operation: String
    /// The object of the call: a path, or a name such as `standard output`; nil if the call has no object.
    public let path: String?
    /// The error number, such as `ENOENT`.
    public let errno: Int32

    /// Creates an error; `path` is the file or other object that the call used, or nil if it used none.
    public init(operation: String, path: String? = nil, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// The system's description of the error number, such as `No space left on device`.
    public var text: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "unknown error" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SystemCallError: CustomStringConvertible {
    /// The error on one line, such as `standard output: write failed: No space left on device (errno 28)`.
    public var description: String {
        let place = path.map { Escaping.line.escaped($0) + ": " } ?? ""
        return "\(place)\(operation) failed: \(text) (errno \(errno))"
    }
}

extension StringProtocol {
    /// Returns the text in quotation marks, safe to show in a sentence.
    ///
    /// Unsafe characters, quotation marks and backslashes are escaped, and the text is shortened to `limit` scalars.
    /// Every sentence must quote texts from outside the program in this way.
    package func quoted(upTo limit: Int = 80) -> String {
        let head = unicodeScalars.prefix(limit)
        var output = [UInt8(ascii: "\"")]
        Escaping.quoted.append(String(String.UnicodeScalarView(head)), to: &output)
        if head.endIndex < unicodeScalars.endIndex { output.append("…") }
        output.append(UInt8(ascii: "\""))
        return String(decoding: output, as: UTF8.self)
    }
}
