import WireText

/// An absolute `http` or `https` URL without query and fragment.
///
/// What exists is valid: the path is percent-encoded, starts with a slash, and holds neither `.`
/// nor `..` as a segment. Data gets into it through ``appending(segment:)`` or a ``Path``, which
/// encode it, so that no text can leave its segment.
///
/// Rule: RFC 3986.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host and port.
    public let origin: Origin
    /// The path, percent-encoded, with its leading slash.
    public let path: String

    init(origin: Origin, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Reads an address.
    ///
    /// Nothing is repaired: a space, a letter beyond ASCII or a percent sign without two
    /// hexadecimal digits is an error. Letters of scheme and host become small.
    ///
    /// - Parameter text: For example `https://api.example.com/v2`.
    /// - Throws: ``AddressError``; also for a query, a user name or a password.
    public init(_ text: String) throws(AddressError) {
        let location = try Location(text)
        guard location.queries.isEmpty else { throw AddressError(.query, in: text) }
        self = location.address
    }

    /// The address one segment further down.
    ///
    /// - Parameter segment: Any text; what is not unreserved in RFC 3986 is percent-encoded.
    /// - Returns: The longer address.
    /// - Throws: ``AddressError`` for an empty segment, which would ask for the collection, and for
    ///   `.` and `..`, which servers resolve even if they are encoded.
    public func appending(segment: String) throws(AddressError) -> Address {
        guard !segment.isEmpty else { throw AddressError(.emptySegment, in: segment) }
        guard segment != ".", segment != ".." else { throw AddressError(.dotSegment, in: segment) }
        return appending(encoded: PercentEncoding.encoded(segment))
    }

    /// The address with a path after its own; an empty one changes nothing.
    ///
    /// - Throws: ``AddressError`` of a path that was written wrongly.
    public func appending(_ further: Path) throws(AddressError) -> Address {
        let encoded = try further.encoded.get()
        return encoded.isEmpty ? self : appending(encoded: encoded)
    }

    private func appending(encoded: String) -> Address {
        let head = path.hasSuffix("/") ? String(path.dropLast()) : path
        return Address(
            origin: origin, path: head + (encoded.hasPrefix("/") ? encoded : "/" + encoded))
    }

    /// The address as it is sent.
    public var description: String { origin.description + path }
}

/// An address with its query, as links and redirects give it.
public struct Location: Hashable, Sendable, CustomStringConvertible {
    /// The part before the question mark.
    public let address: Address
    /// The query, each name and value encoded as it was.
    public let queries: [Query]

    /// Puts together what is valid by itself.
    public init(address: Address, queries: [Query] = []) {
        self.address = address
        self.queries = queries
    }

    /// Reads an absolute URL, as `https://api.example.com/items?page=2`.
    ///
    /// Its fragment is dropped, for it is never sent.
    ///
    /// - Throws: ``AddressError``.
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
        try self.init(origin: origin, relative: rest[authority.endIndex...], of: text)
    }

    /// Reads path and query.
    private init(origin: Origin, relative: Substring, of text: String) throws(AddressError) {
        let target = relative.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        if let problem = Path.problem(in: path) { throw AddressError(problem, in: text) }
        address = Address(origin: origin, path: path.isEmpty ? "/" : String(path))
        queries = try Query.list(encoded: target[path.endIndex...].dropFirst(), of: text)
    }

    /// The URL, with what may be secret in its query left out.
    public var description: String { "\(address)\(Query.text(of: queries, redacted: true))" }
}

extension Location {
    /// Reads a URL that may be relative to this one, as `Location` and `Link` headers hold it.
    ///
    /// - Parameter reference: An absolute URL, `//host/path`, `/path`, `path`, `../path` or `?query`.
    /// - Returns: The absolute location.
    /// - Throws: ``AddressError``.
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
        let target = reference.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let rest = target[path.endIndex...]
        guard !target.isEmpty else { return self }
        var whole = address.path
        if !path.isEmpty {
            // What is relative stays in the folder.
            let folder = whole.lastIndex(of: "/").map { String(whole[...$0]) } ?? "/"
            whole = Self.removingDotSegments(path.hasPrefix("/") ? String(path) : folder + path)
        }
        return try Location(origin: address.origin, relative: (whole + rest)[...], of: reference)
    }

    private static func removingDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if segment == ".." { _ = kept.popLast() }
            if segment != ".", segment != ".." {
                kept.append(segment)
            } else if index == segments.count - 1 {
                kept.append("")
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
