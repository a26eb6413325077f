internal import Glibc

/// A failed system call: its name, its object, and the kernel's error.
public struct SystemCallError: Error, Hashable, Sendable {
    /// The call, for instance `open` or `EVIOCGRAB`.
    public let operation: String
    /// The object of the call: a path, or a name such as `standard output`; nil if it has none.
    public let path: String?
    /// The error number from `errno`.
    public let errno: Int32

    /// Makes an error from a call and its error number.
    public init(operation: String, path: String? = nil, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// The system's text for the number: `No space left on device`.
    public var text: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "unknown error" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SystemCallError: CustomStringConvertible {
    /// A sentence: `standard output: write failed: No space left on device (errno 28)`.
    public var description: String {
        let place = path.map { Escaping.line.escaped($0) + ": " } ?? ""
        return "\(place)\(operation) failed: \(text) (errno \(errno))"
    }
}

extension StringProtocol {
    /// The text in quotation marks, safe to show in a sentence.
    ///
    /// It is on one line, with unsafe characters, quotation marks and backslashes escaped, and shortened to
    /// `limit` scalars. All texts from outside must enter our sentences this way. The result can be pasted
    /// wherever escapes are parsed.
    package func quoted(upTo limit: Int = 80) -> String {
        let head = unicodeScalars.prefix(limit)
        var output = [UInt8(ascii: "\"")]
        Escaping.quoted.append(String(String.UnicodeScalarView(head)), to: &output)
        if head.endIndex < unicodeScalars.endIndex { output.append("…") }
        output.append(UInt8(ascii: "\""))
        return String(decoding: output, as: UTF8.self)
    }
}
