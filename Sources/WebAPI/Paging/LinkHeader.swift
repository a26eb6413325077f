public import HTTPTypes

/// The links of a response's `Link` headers.
///
/// Rule: RFC 8288, section 3.
public struct LinkHeader: Hashable, Sendable {
    /// One link.
    public struct Link: Hashable, Sendable {
        /// Where it leads, as written; it may be relative.
        public let target: String

        /// What it is for, in small letters, such as `next`.
        public let relations: [String]
    }

    /// The links, in order.
    public let links: [Link]

    /// Reads the links of a response.
    ///
    /// What is no link is passed over.
    ///
    /// - Parameter headers: The response's.
    public init(_ headers: HTTPFields) {
        guard let link = HTTPField.Name("Link") else {
            links = []
            return
        }
        links = headers[values: link].flatMap { Self.links(in: $0) }
    }

    /// Where the first link for a purpose leads; `nil` where there is none.
    ///
    /// - Parameter relation: The purpose, in small letters.
    public subscript(relation: String) -> String? {
        links.first { $0.relations.contains(relation) }?.target
    }

    private static func links(in value: String) -> [Link] {
        var links: [Link] = []
        var rest = value[...]
        while let open = rest.firstIndex(of: "<"),
            let close = rest[open...].firstIndex(of: ">")
        {
            let target = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            let parameters = parameters(from: &rest)
            let relation = parameters.first { $0.name == "rel" }?.value ?? ""
            links.append(
                Link(
                    target: String(target),
                    relations: relation.lowercased().split(separator: " ").map(String.init)))
        }
        return links
    }

    /// Reads parameters up to the comma that ends the link.
    private static func parameters(
        from rest: inout Substring
    ) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while let character = rest.first, character != "," {
            rest.removeFirst()
            guard character == ";" else { continue }
            let name = rest.prefix { !"=;,".contains($0) }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            parameters.append((trimmed(name).lowercased(), value(from: &rest)))
        }
        if !rest.isEmpty { rest.removeFirst() }
        return parameters
    }

    private static func value(from rest: inout Substring) -> String {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == "\"" else {
            let token = rest.prefix { !";,".contains($0) }
            rest = rest[token.endIndex...]
            return trimmed(token)
        }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        return value
    }

    private static func trimmed(_ text: Substring) -> String {
        let head = text.drop { $0 == " " || $0 == "\t" }
        return String(head.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
