import WireText

/// A path whose data cannot leave its segment.
///
/// It is written as a text. Its literal parts are taken as they are; what is interpolated is
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
    public static let empty: Path = ""

    /// Takes a path that is percent-encoded already, as `/users/a%2Fb`.
    ///
    /// - Throws: ``AddressError`` for a character that must be encoded, and for `.` and `..`.
    public init(encoded text: String) throws(AddressError) {
        if let problem = Self.problem(in: text) { throw AddressError(problem, in: text) }
        encoded = .success(text)
    }

    static func problem(in text: some StringProtocol) -> AddressError.Problem? {
        AddressError.Problem(in: text) ?? (hasDotSegment(text) ? .dotSegment : nil)
    }

    /// Says whether a segment is `.` or `..`, encoded or not; the text is encoded rightly.
    private static func hasDotSegment(_ text: some StringProtocol) -> Bool {
        // Most paths have neither, and are not taken apart.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") })
        else { return false }
        return text.split(separator: "/").contains { segment in
            [".", ".."].contains(PercentEncoding.decoded(segment))
        }
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

        /// Takes a literal part of the path.
        public mutating func appendLiteral(_ literal: String) { path += literal }

        /// Takes data, percent-encoded: any text but an empty one.
        public mutating func appendInterpolation(_ value: String) {
            if value.isEmpty { problem = problem ?? AddressError(.emptySegment, in: value) }
            path += PercentEncoding.encoded(value)
        }

        /// Takes a number.
        public mutating func appendInterpolation(_ value: some BinaryInteger) {
            path += String(value)
        }
    }

    /// Makes a path of its pieces.
    public init(stringInterpolation pieces: StringInterpolation) {
        encoded = Result { () throws(AddressError) in
            if let problem = pieces.problem { throw problem }
            return try Path(encoded: pieces.path).encoded.get()
        }
    }

    /// Makes a path without data.
    public init(stringLiteral path: String) {
        encoded = Result { () throws(AddressError) in try Path(encoded: path).encoded.get() }
    }
}
