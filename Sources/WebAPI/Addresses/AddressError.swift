import WireText

/// Why a text is no address.
public struct AddressError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Problem: Equatable, Sendable {
        /// There is no `http://` or `https://` in front.
        case noScheme
        /// The scheme is neither `http` nor `https`.
        case otherScheme(String)
        /// There is no host.
        case noHost
        /// The host is neither a name of letters, digits, `-`, `_` and `.`, nor an IP address.
        case host(String)
        /// A user name or a password stands before the host.
        case userInformation
        /// The port is no number from 1 to 65535.
        case port(String)
        /// There is a query where none may be.
        case query
        /// There is a fragment.
        case fragment
        /// A character cannot stand there; 0-based, in bytes.
        case character(Unicode.Scalar, offset: Int)
        /// A percent sign is not followed by two hexadecimal digits; 0-based, in bytes.
        case percentSign(offset: Int)
        /// A segment is `.` or `..`.
        case dotSegment
        /// A value that makes a segment of its own is empty.
        case emptySegment
    }

    /// What is wrong.
    public let problem: Problem

    /// The text, where it can hold no password.
    public let text: String?

    /// Makes an error; a text with user information is dropped.
    ///
    /// - Parameters:
    ///   - problem: What is wrong.
    ///   - text: The text it was found in.
    init(_ problem: Problem, in text: String) {
        self.problem = problem
        self.text = problem == .userInformation || text.contains("@") ? nil : text
    }
}

extension AddressError: CustomStringConvertible {
    /// One sentence, all of it escaped.
    public var description: String {
        "\(text.map { $0.quoted(upTo: 120) } ?? "the URL") is no address: \(problem)"
    }
}

extension AddressError.Problem: CustomStringConvertible {
    /// The problem in words.
    public var description: String {
        switch self {
        case .noScheme: "expected http:// or https:// in front"
        case .otherScheme(let found): "expected http or https, found \(found.quoted(upTo: 120))"
        case .noHost: "expected a host behind the scheme"
        case .host(let found):
            "expected a host of ASCII letters, digits, '-', '_' and '.', or an IP address, found "
                + found.quoted(upTo: 120)
        case .userInformation:
            "expected no user name and no password in it; they belong into a header"
        case .port(let found): "expected a port from 1 to 65535, found \(found.quoted(upTo: 120))"
        case .query: "expected no query; it is given apart"
        case .fragment: "expected no fragment"
        case .character(let found, let offset):
            "expected a percent-encoded character at byte \(offset), found "
                + String(found).quoted(upTo: 120)
        case .percentSign(let offset):
            "expected two hexadecimal digits behind the percent sign at byte \(offset)"
        case .dotSegment: "expected no segment '.' or '..', which servers resolve"
        case .emptySegment: "expected a segment with at least one character"
        }
    }
}

extension AddressError.Problem {
    /// Says what is wrong with the encoding of a path.
    ///
    /// - Parameter text: The path, encoded.
    init?(inPath text: some StringProtocol) {
        self.init(PercentEncoding.fault(in: text, allowing: Self.isPathCharacter))
    }

    /// Says what is wrong with the encoding of a query.
    ///
    /// - Parameter text: The query, encoded.
    init?(inQuery text: some StringProtocol) {
        self.init(
            PercentEncoding.fault(in: text) { byte in
                Self.isPathCharacter(byte) || byte == UInt8(ascii: "?")
            })
    }

    private init?(_ fault: PercentEncoding.Fault?) {
        switch fault {
        case nil: return nil
        case .percentSign(let offset): self = .percentSign(offset: offset)
        case .character(let character, let offset): self = .character(character, offset: offset)
        }
    }

    /// What may stand in a path, besides percent-encoded bytes.
    ///
    /// Rule: RFC 3986, section 3.3.
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
    }
}
