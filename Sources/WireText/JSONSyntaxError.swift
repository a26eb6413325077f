/// Why a text is no JSON, and where.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Problem: Equatable, Sendable {
        /// Something else stands there than what must come; `found` is nil at the end.
        case unexpected(found: UInt8?, expected: String)
        /// The bytes are no UTF-8.
        case notUTF8
        /// A backslash followed by what is no escape.
        case wrongEscape
        /// One half of a surrogate pair without the other.
        case loneSurrogate
        /// A key stands twice in one object.
        case repeatedKey(String)
        /// Lists and objects are nested more than this deep.
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    public let problem: Problem
    /// The line in the text, from 1.
    public let line: Int
    /// The byte in the text, from 0.
    public let offset: Int

    /// Makes an error; lines are counted from 1, bytes from 0.
    public init(problem: Problem, line: Int, offset: Int) {
        self.problem = problem
        self.line = line
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// One sentence with the place, all of it escaped.
    public var description: String { "line \(line), byte \(offset): \(problem)" }
}

extension JSONSyntaxError.Problem: CustomStringConvertible {
    /// The problem in words, all of it escaped.
    public var description: String {
        switch self {
        case .unexpected(let found, let expected):
            "expected \(expected), found \(Self.name(of: found))"
        case .notUTF8: "expected UTF-8, found other bytes"
        case .wrongEscape: #"expected one of \" \\ \/ \b \f \n \r \t \uXXXX, found another escape"#
        case .loneSurrogate: "expected both halves of a surrogate pair, found one"
        case .repeatedKey(let key):
            "expected each key once, found \(key.quoted()) again"
        case .tooDeep(let limit): "expected at most \(limit) levels of nesting, found more"
        }
    }

    private static func name(of byte: UInt8?) -> String {
        guard let byte else { return "the end" }
        guard byte > 0x20, byte < 0x7F else {
            return "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "'\(Unicode.Scalar(byte))'"
    }
}
