import WireText

/// A URL path in which each interpolated value stays within one segment.
///
/// Write a path as a string literal. Literal parts are used as they are, and interpolated values are percent-encoded:
///
/// ```swift
/// let path: Path = "/users/\(login)/repos"   // login "a/b" becomes /users/a%2Fb/repos
/// ```
///
/// An invalid path, for example with a `..` segment or an empty value, makes requests fail with an ``AddressError``.
public struct Path: Equatable, Sendable {
    let encoded: Result<String, AddressError>

    /// The empty path, which adds nothing to the base URL.
    public static let empty: Path = ""

    /// Creates a path from text that is already percent-encoded, such as `/users/a%2Fb`.
    ///
    /// - Throws: ``AddressError`` for an invalid character or percent sign, or for a `.` or `..` segment.
    public init(encoded text: String) throws(AddressError) {
        if let problem = Self.problem(in: text) { throw AddressError(problem, in: text) }
        encoded = .success(text)
    }

    static func problem(in text: some StringProtocol) -> AddressError.Problem? {
        AddressError.Problem(in: text) ?? (hasDotSegment(text) ? .dotSegment : nil)
    }

    /// Whether a path contains a `.` or `..` segment, plain or percent-encoded.
    private static func hasDotSegment(_ text: some StringProtocol) -> Bool {
        // Most paths contain neither character, and need not be split.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") })
        else { return false }
        return text.split(separator: "/").contains { segment in
            [".", ".."].contains(PercentEncoding.decoded(segment))
        }
    }
}

extension Path: ExpressibleByStringInterpolation {
    /// The literal parts and interpolated values of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        var path = ""
        var problem: AddressError?

        /// Creates an empty interpolation, and reserves memory for the path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            path.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends a literal part unchanged.
        public mutating func appendLiteral(_ literal: String) { path += literal }

        /// Percent-encodes a value and appends it; an empty value makes the path invalid.
        public mutating func appendInterpolation(_ value: String) {
            if value.isEmpty { problem = problem ?? AddressError(.emptySegment, in: value) }
            path += PercentEncoding.encoded(value)
        }

        /// Appends an integer in decimal notation.
        public mutating func appendInterpolation(_ value: some BinaryInteger) {
            path += String(value)
        }
    }

    /// Creates a path from a literal with interpolated values; requests with an invalid path fail.
    public init(stringInterpolation pieces: StringInterpolation) {
        encoded = Result { () throws(AddressError) in
            if let problem = pieces.problem { throw problem }
            return try Path(encoded: pieces.path).encoded.get()
        }
    }

    /// Creates a path from a literal without interpolated values; requests with an invalid path fail.
    public init(stringLiteral path: String) {
        encoded = Result { () throws(AddressError) in try Path(encoded: path).encoded.get() }
    }
}
