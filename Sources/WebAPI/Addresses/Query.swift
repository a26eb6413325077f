import WireText

/// An item of a URL's query: a name and usually a value, such as `page=2`.
///
/// An item made from a name and a value is percent-encoded. An item parsed from a URL keeps its encoding, because the
/// server that wrote the URL might not recognise the value in another encoding.
public struct Query: Hashable, Sendable, Redacted {
    /// The name as sent, percent-encoded.
    public let encodedName: String
    /// The value as sent, percent-encoded; nil if the item has no equals sign.
    public let encodedValue: String?

    private var isMarkedSecret: Bool

    /// Creates an item, and percent-encodes its name and value.
    ///
    /// The value can be text, a number or a Boolean. If `isSecret` is true, descriptions do not show the value.
    public init(_ name: String, _ value: some LosslessStringConvertible, isSecret: Bool = false) {
        encodedName = PercentEncoding.encoded(name)
        encodedValue = PercentEncoding.encoded(value.description)
        isMarkedSecret = isSecret
    }

    /// Creates an item; returns nil if the value is nil.
    public init?(
        _ name: String, _ value: (some LosslessStringConvertible)?, isSecret: Bool = false
    ) {
        guard let value else { return nil }
        self.init(name, value, isSecret: isSecret)
    }

    private init(encoded item: Substring) {
        let name = item.prefix { $0 != "=" }
        let value = item[name.endIndex...]
        encodedName = String(name)
        encodedValue = value.isEmpty ? nil : String(value.dropFirst())
        isMarkedSecret = false
    }

    /// Returns the item, marked as secret if an item of the same name in `others` is marked as secret.
    func marked(like others: [Query]) -> Query {
        var copy = self
        copy.isMarkedSecret =
            isMarkedSecret || others.contains { $0.isMarkedSecret && $0.name == name }
        return copy
    }

    /// Whether the item is marked as secret or has a secret's name, such as `api_key`.
    public var isSecret: Bool { isMarkedSecret || SecretNames.contains(name) }

    /// The percent-decoded name; a `+` does not become a space.
    public var name: String { PercentEncoding.decoded(encodedName) }

    /// The percent-decoded value, with `+` unchanged; nil if the item has no equals sign.
    public var value: String? { encodedValue.map { PercentEncoding.decoded($0) } }

    /// Parses a URL's encoded query into its items; `text` is the whole URL, for error messages.
    static func list(encoded query: Substring, of text: String) throws(AddressError) -> [Query] {
        if let problem = AddressError.Problem(in: query, isQuery: true) {
            throw AddressError(problem, in: text)
        }
        return query.split(separator: "&").map { Query(encoded: $0) }
    }

    /// Returns the query items as text for a URL, such as `?page=2&size=10`.
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

    /// The item as sent, such as `page=2`, but with a secret value replaced by `***`.
    public var description: String { String(Self.text(of: [self], redacted: true).dropFirst()) }
}
