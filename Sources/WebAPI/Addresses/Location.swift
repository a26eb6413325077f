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
