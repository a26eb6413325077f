import WireText

/// An error that says why a text is not a valid address.
public struct AddressError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The first mistake found in the text of an address.
    public enum Problem: Equatable, Sendable {
        /// The text does not start with a scheme and `://`.
        case noScheme
        /// The scheme is neither `http` nor `https`.
        case otherScheme(String)
        case noHost
        /// The host is neither an IP address nor a valid ASCII host name.
        case host(String)
        /// A user name or password precedes the host.
        case userInformation
        /// The port is not a number from 1 to 65535.
        case port(String)
        /// The URL has a query, but an ``Address`` must not have one.
        case query
        /// The text has an invalid character; `offset` is its 0-based byte offset in the path or query.
        case character(Unicode.Scalar, offset: Int)
        /// The percent sign at byte `offset` of the path or query lacks its two hexadecimal digits.
        case percentSign(offset: Int)
        /// A path segment is `.` or `..`, plain or percent-encoded.
        case dotSegment
        /// An interpolated or appended path segment is empty.
        case emptySegment
    }

    /// The first mistake found in ``text``.
    public let problem: Problem
    /// The invalid text; nil if it has an `@` and so could contain a password.
    public let text: String?

    init(_ problem: Problem, in text: String) {
        self.problem = problem
        self.text = problem == .userInformation || text.contains("@") ? nil : text
    }

    /// The error message, without a full stop; unsafe characters are escaped.
    public var description: String {
        "\(text.map { $0.quoted(upTo: 120) } ?? "the URL") is not an address: \(problem)"
    }
}

extension AddressError.Problem: CustomStringConvertible {
    /// The problem as part of a message, such as `expected http or https, found "ftp"`.
    public var description: String {
        switch self {
        case .noScheme: "expected http:// or https:// in front"
        case .otherScheme(let found): "expected http or https, found \(found.quoted(upTo: 120))"
        case .noHost: "expected a host after the scheme"
        case .host(let found):
            "expected a host of ASCII letters, digits, '-', '_' and '.', or an IP address, found "
                + found.quoted(upTo: 120)
        case .userInformation:
            "expected no user name and no password in it; they belong in a header"
        case .port(let found): "expected a port from 1 to 65535, found \(found.quoted(upTo: 120))"
        case .query: "expected no query; pass it separately"
        case .character(let found, let offset):
            "expected a percent-encoded character at byte \(offset), found "
                + String(found).quoted(upTo: 120)
        case .percentSign(let offset):
            "expected two hexadecimal digits after the percent sign at byte \(offset)"
        case .dotSegment: "expected no segment '.' or '..', which servers resolve"
        case .emptySegment: "expected a segment with at least one character"
        }
    }

    /// Finds the first invalid character or percent sign in a percent-encoded path or query; nil if all are valid.
    ///
    /// If `isQuery` is true, question marks are allowed. Rule: RFC 3986, section 3.3.
    init?(in text: some StringProtocol, isQuery: Bool = false) {
        let fault = PercentEncoding.fault(in: Substring(text)) { byte in
            PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
                || isQuery && byte == UInt8(ascii: "?")
        }
        guard let (offset, character) = fault else { return nil }
        self = character.map { .character($0, offset: offset) } ?? .percentSign(offset: offset)
    }
}
