import WireText

/// Why a text is no address.
public struct AddressError: Error, Equatable, Sendable, CustomStringConvertible {
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
        /// A user name or a password is before the host.
        case userInformation
        /// The port is no number from 1 to 65535.
        case port(String)
        /// There is a query where none may be.
        case query
        /// A character cannot be there; 0-based, in bytes.
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
    /// The text, if it can hold no password.
    public let text: String?

    init(_ problem: Problem, in text: String) {
        self.problem = problem
        self.text = problem == .userInformation || text.contains("@") ? nil : text
    }

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
        case .noHost: "expected a host after the scheme"
        case .host(let found):
            "expected a host of ASCII letters, digits, '-', '_' and '.', or an IP address, found "
                + found.quoted(upTo: 120)
        case .userInformation:
            "expected no user name and no password in it; they belong into a header"
        case .port(let found): "expected a port from 1 to 65535, found \(found.quoted(upTo: 120))"
        case .query: "expected no query; it is given apart"
        case .character(let found, let offset):
            "expected a percent-encoded character at byte \(offset), found "
                + String(found).quoted(upTo: 120)
        case .percentSign(let offset):
            "expected two hexadecimal digits after the percent sign at byte \(offset)"
        case .dotSegment: "expected no segment '.' or '..', which servers resolve"
        case .emptySegment: "expected a segment with at least one character"
        }
    }

    /// What is wrong with the encoding of a path, or of a query, which may hold a question mark too.
    ///
    /// Rule: RFC 3986, section 3.3.
    init?(in text: some StringProtocol, isQuery: Bool = false) {
        let fault = PercentEncoding.fault(in: text) { byte in
            PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
                || isQuery && byte == UInt8(ascii: "?")
        }
        switch fault {
        case nil: return nil
        case .percentSign(let offset): self = .percentSign(offset: offset)
        case .character(let character, let offset): self = .character(character, offset: offset)
        }
    }
}
