/// An address with its query, as links and redirects give it.
public struct Location: Hashable, Sendable {
    /// The part before the question mark.
    public let address: Address

    /// The query, each name and value encoded as it was.
    public let queries: [Query]

    /// Puts together what has been checked.
    ///
    /// - Parameters:
    ///   - address: The part before the question mark.
    ///   - queries: The query.
    public init(address: Address, queries: [Query] = []) {
        self.address = address
        self.queries = queries
    }

    /// Reads an absolute URL.
    ///
    /// Its fragment is dropped, for it is never sent.
    ///
    /// - Parameter text: For example `https://api.example.com/items?page=2`.
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
    init(origin: Origin, relative: Substring, of text: String) throws(AddressError) {
        let target = relative.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let query = target[path.endIndex...].dropFirst()
        if let problem = Path.problem(in: path) { throw AddressError(problem, in: text) }
        address = Address(origin: origin, path: path.isEmpty ? "/" : String(path))
        queries = try Query.list(encoded: query, of: text)
    }
}

extension Location: CustomStringConvertible {
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
        if Self.hasScheme(reference) { return try Location(reference) }
        if reference.hasPrefix("//") {
            return try Location("\(address.origin.scheme.rawValue):\(reference)")
        }
        let target = reference.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let rest = target[path.endIndex...]
        guard !path.isEmpty else {
            guard !rest.isEmpty else { return self }
            let text = address.path + rest
            return try Location(origin: address.origin, relative: text[...], of: reference)
        }
        let merged = path.hasPrefix("/") ? String(path) : folder + path
        let text = Self.removingDotSegments(merged) + rest
        return try Location(origin: address.origin, relative: text[...], of: reference)
    }

    /// The path up to and with its last slash.
    private var folder: String {
        String(address.path[...(address.path.lastIndex(of: "/") ?? address.path.startIndex)])
    }

    private static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":") else { return false }
        let scheme = reference[..<colon]
        return scheme.first?.isLetter == true && !scheme.contains { "/?#".contains($0) }
    }

    private static func removingDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
