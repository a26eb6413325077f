import WireText

/// One name of a query with its value.
///
/// Name and value are percent-encoded when they come in as data, and kept as they are when they
/// come out of a URL, for a server's cursor may not survive being written otherwise.
public struct Query: Hashable, Sendable, Redacted {
    /// The name as it is sent.
    public let encodedName: String
    /// The value as it is sent; nil if there is no equals sign.
    public let encodedValue: String?

    private var isMarkedSecret: Bool

    /// Makes an item of data: a text, a number, `true` or `false`.
    ///
    /// - Parameters:
    ///   - name: Any text; everything but unreserved characters is percent-encoded.
    ///   - value: Any text, encoded likewise.
    ///   - isSecret: Whether the value stays out of every description.
    public init(_ name: String, _ value: some LosslessStringConvertible, isSecret: Bool = false) {
        encodedName = PercentEncoding.encoded(name)
        encodedValue = PercentEncoding.encoded(value.description)
        isMarkedSecret = isSecret
    }

    /// Makes an item of data; nil if there is no value.
    public init?(
        _ name: String, _ value: (some LosslessStringConvertible)?, isSecret: Bool = false
    ) {
        guard let value else { return nil }
        self.init(name, value, isSecret: isSecret)
    }

    /// Takes an item as a URL holds it.
    private init(encoded item: Substring) {
        let name = item.prefix { $0 != "=" }
        let value = item[name.endIndex...]
        encodedName = String(name)
        encodedValue = value.isEmpty ? nil : String(value.dropFirst())
        isMarkedSecret = false
    }

    /// The item, marked as secret if one of the same name is.
    func marked(like others: [Query]) -> Query {
        var copy = self
        copy.isMarkedSecret =
            isMarkedSecret || others.contains { $0.isMarkedSecret && $0.name == name }
        return copy
    }

    /// Whether the value stays out of every description.
    ///
    /// It does if it was marked as secret, and if the name tells, as `api_key` does.
    public var isSecret: Bool { isMarkedSecret || SecretNames.contains(name) }

    /// The name, decoded.
    public var name: String { PercentEncoding.decoded(encodedName) }

    /// The value, decoded; a plus sign stays one.
    public var value: String? { encodedValue.map { PercentEncoding.decoded($0) } }

    /// Reads the items of a query as a URL holds it.
    static func list(encoded query: Substring, of text: String) throws(AddressError) -> [Query] {
        if let problem = AddressError.Problem(in: query, isQuery: true) {
            throw AddressError(problem, in: text)
        }
        return query.split(separator: "&").map { Query(encoded: $0) }
    }

    /// The query of a URL with its question mark; empty for no items.
    static func text(of queries: [Query], redacted: Bool) -> String {
        var text = ""
        for (index, query) in queries.enumerated() {
            text += index == 0 ? "?" : "&"
            text += query.encodedName
            guard let value = query.encodedValue else { continue }
            text += "="
            text += redacted && query.isSecret ? SecretNames.mark : value
        }
        return text
    }

    /// Name and value as they are sent, a secret one left out.
    public var description: String { String(Self.text(of: [self], redacted: true).dropFirst()) }
}
