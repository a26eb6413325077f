import WireText

/// A path whose data cannot leave its segment.
///
/// It is written as a text. What stands in it literally is taken as it is; what is interpolated is
/// percent-encoded:
///
/// ```swift
/// let path: Path = "/users/\(login)/repos"   // login "a/b" gives /users/a%2Fb/repos
/// ```
///
/// A path that cannot be, such as one with an empty interpolation or one that makes a segment
/// `..`, is an ``AddressError`` when the request is made.
public struct Path: Equatable, Sendable {
    let encoded: Result<String, AddressError>

    /// The path with nothing in it.
    public static let empty = Path(encoded: .success(""))

    /// Takes a path that is percent-encoded already.
    ///
    /// - Parameter text: For example `/users/a%2Fb`.
    /// - Throws: ``AddressError`` for a character that must be encoded, and for `.` and `..`.
    public init(encoded text: String) throws(AddressError) {
        if let problem = Self.problem(in: text) { throw AddressError(problem, in: text) }
        encoded = .success(text)
    }

    private init(encoded: Result<String, AddressError>) {
        self.encoded = encoded
    }

    private init(checking text: String) {
        encoded =
            Self.problem(in: text).map { .failure(AddressError($0, in: text)) } ?? .success(text)
    }

    static func problem(in text: some StringProtocol) -> AddressError.Problem? {
        AddressError.Problem(inPath: text) ?? (hasDotSegment(text) ? .dotSegment : nil)
    }

    /// Says whether a segment is `.` or `..`, encoded or not; the text is encoded rightly.
    private static func hasDotSegment(_ text: some StringProtocol) -> Bool {
        var length = 0
        var isDots = true
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "/") {
                if isDots, length == 1 || length == 2 { return true }
                (length, isDots) = (0, true)
                continue
            }
            let isEncodedDot =
                byte == UInt8(ascii: "%") && rest.popFirst() == UInt8(ascii: "2")
                && rest.popFirst().map { $0 | 0x20 } == UInt8(ascii: "e")
            isDots = isDots && (byte == UInt8(ascii: ".") || isEncodedDot)
            length += 1
        }
        return isDots && (length == 1 || length == 2)
    }
}

extension Path: ExpressibleByStringInterpolation {
    /// Collects the pieces of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        var path = ""
        var problem: AddressError?

        /// Makes room for the pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            path.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Takes what stands in the path literally.
        public mutating func appendLiteral(_ literal: String) {
            path += literal
        }

        /// Takes data, percent-encoded.
        ///
        /// - Parameter value: Any text but an empty one.
        public mutating func appendInterpolation(_ value: String) {
            if value.isEmpty { problem = problem ?? AddressError(.emptySegment, in: value) }
            path += PercentEncoding.encoded(value)
        }

        /// Takes a number.
        ///
        /// - Parameter value: The number.
        public mutating func appendInterpolation(_ value: some BinaryInteger) {
            path += String(value)
        }
    }

    /// Makes a path of its pieces.
    public init(stringInterpolation pieces: StringInterpolation) {
        if let problem = pieces.problem {
            self.init(encoded: .failure(problem))
        } else {
            self.init(checking: pieces.path)
        }
    }

    /// Makes a path without data.
    public init(stringLiteral path: String) {
        self.init(checking: path)
    }
}
