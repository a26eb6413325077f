/// The first mistake in text that is not valid JSON, and its position.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// The mistakes that ``JSONReader`` reports.
    public enum Problem: Equatable, Sendable {
        /// An unexpected byte; `found` is nil at the end of the text.
        case unexpected(found: UInt8?, expected: String)
        case notUTF8
        /// A backslash starts an escape that JSON does not have.
        case wrongEscape
        case loneSurrogate
        case repeatedKey(String)
        case tooDeep(limit: Int)
    }

    /// The kind of mistake, with details such as the unexpected byte.
    public let problem: Problem
    /// The line of the mistake, counted from 1.
    public let line: Int
    /// The offset of the mistake in bytes, counted from 0.
    public let offset: Int

    /// Creates an error; `line` counts from 1, and `offset` from 0.
    public init(problem: Problem, line: Int, offset: Int) {
        self.problem = problem
        self.line = line
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The position and the mistake, with unsafe characters escaped: `line 3, byte 17: …`.
    public var description: String { "line \(line), byte \(offset): \(problem)" }
}

extension JSONSyntaxError.Problem: CustomStringConvertible {
    /// The mistake in words, with unsafe characters escaped: `expected ':', found ']'`.
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
