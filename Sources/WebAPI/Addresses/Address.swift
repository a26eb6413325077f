import FoundationEssentials
import WireText

/// An absolute `http` or `https` URL without a query or fragment.
///
/// Every address is valid: its path is percent-encoded, starts with a slash, and has no `.` or `..` segments. To append
/// data to the path, use ``appending(segment:)`` or a ``Path``; both percent-encode it.
///
/// Rule: RFC 3986.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The server's scheme, host and port.
    public let origin: Origin
    /// The percent-encoded path, which starts with a slash.
    public let path: String

    init(origin: Origin, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Parses a URL such as `https://api.example.com/items`, and drops its fragment.
    ///
    /// Invalid text is not repaired: a space, a character outside ASCII, or a percent sign without two hexadecimal
    /// digits is an error. The scheme and host are converted to lower case.
    ///
    /// - Throws: ``AddressError`` if the text is invalid or has a query, a user name or a password.
    public init(_ text: String) throws(AddressError) {
        let location = try Location(text)
        guard location.queries.isEmpty else { throw AddressError(.query, in: text) }
        self = location.address
    }

    /// Percent-encodes a segment and returns the address with the segment appended.
    ///
    /// - Throws: ``AddressError`` if the segment is empty, or if it is `.` or `..`, because servers resolve these
    ///   segments even if they are percent-encoded.
    public func appending(segment: String) throws(AddressError) -> Address {
        try appending("/\(segment)")
    }

    /// Returns the address with `further` appended to its path; an empty `further` changes nothing.
    ///
    /// - Throws: ``AddressError`` if `further` is invalid.
    public func appending(_ further: Path) throws(AddressError) -> Address {
        let encoded = try further.encoded.get()
        guard !encoded.isEmpty else { return self }
        let head = path.hasSuffix("/") ? String(path.dropLast()) : path
        return Address(
            origin: origin, path: head + (encoded.hasPrefix("/") ? encoded : "/" + encoded))
    }

    /// The address as text, such as `https://api.example.com/items`.
    public var description: String { origin.description + path }
}

/// A URL with or without a query, such as the target of a link or a redirect.
public struct Location: Hashable, Sendable, CustomStringConvertible {
    /// The URL without its query.
    public let address: Address
    /// The query items; items parsed from a URL keep their original encoding.
    public let queries: [Query]

    /// Creates a location from an address, with no query items by default.
    public init(address: Address, queries: [Query] = []) {
        self.address = address
        self.queries = queries
    }

    /// Parses an absolute URL such as `https://api.example.com/items?page=2`, and drops its fragment.
    public init(_ text: String) throws(AddressError) {
        guard let end = text.firstRange(of: "://")?.lowerBound else {
            throw AddressError(.noScheme, in: text)
        }
        let scheme = text[..<end].lowercased()
        guard let scheme = Origin.Scheme(rawValue: scheme) else {
            throw AddressError(.otherScheme(scheme), in: text)
        }
        let rest = text[end...].dropFirst(3)
        let authority = rest.prefix { !"/?#".contains($0) }
        let origin = try Origin(scheme: scheme, authority: authority, of: text)
        let target = rest[authority.endIndex...].prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        if let problem = Path.problem(in: path) { throw AddressError(problem, in: text) }
        address = Address(origin: origin, path: path.isEmpty ? "/" : String(path))
        queries = try Query.list(encoded: target[path.endIndex...].dropFirst(), of: text)
    }

    /// The URL, with secret values in the query replaced by `***`.
    public var description: String { "\(address)\(Query.text(of: queries, redacted: true))" }
}

extension Location {
    /// Resolves a URL reference from a `Location` or `Link` header against this location.
    ///
    /// The reference may be an absolute URL, `//host/path`, `/path`, `path`, `../path` or `?query`.
    ///
    /// - Throws: ``AddressError`` if the reference or the resulting URL is invalid.
    ///
    /// Rule: RFC 3986, section 5.2.
    public func resolving(_ reference: String) throws(AddressError) -> Location {
        let scheme = reference.prefix { !":/?#".contains($0) }
        if scheme.first?.isLetter == true, reference[scheme.endIndex...].first == ":" {
            return try Location(reference)
        }
        if reference.hasPrefix("//") {
            return try Location("\(address.origin.scheme.rawValue):\(reference)")
        }
        let target = String(reference.prefix { $0 != "#" })
        guard !target.isEmpty else { return self }
        // Foundation would silently encode invalid characters.
        if let problem = AddressError.Problem(in: target, isQuery: true) {
            throw AddressError(problem, in: reference)
        }
        let base = URL(string: address.description + Query.text(of: queries, redacted: false))
        return try Location(URL(string: target, relativeTo: base)?.absoluteString ?? target)
    }
}
