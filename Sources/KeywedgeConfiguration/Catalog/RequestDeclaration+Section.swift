import HTTPCatalog
import WebAPI
import WireText
import Yams

extension Codec<RequestDeclaration> {
    static let request = Section("request", RequestDeclaration(path: .root)) {
        Setting(
            \.place,
            oneOf: [
                Alternative(
                    "link", .link,
                    "A placeholder of then.with whose value is the address, in braces."),
                Alternative(
                    "path", .path, "The path behind the catalog's URL; {code} is the code."),
            ], .needed("a path such as /products/{code}"))
        Setting("query", \.query, .fields.omitting(\.isEmpty), "The query.")
        Setting("headers", \.headers, .headers, "Header fields.")
        Setting(
            \.body,
            oneOf: [
                Alternative(
                    "json",
                    Codec<JSONTemplate>.json.whole.map(RequestDeclaration.Body.json, \.json),
                    "A body of JSON."),
                Alternative(
                    "form",
                    Codec<[RequestDeclaration.Field<Template>]>.fields.whole.map(
                        RequestDeclaration.Body.form, \.form),
                    "A body of names and values, as HTML forms send it."),
                Alternative(
                    "graphql", Codec<RequestDeclaration.Body>.graphQL.whole.map({ $0 }, { $0 }),
                    "A GraphQL document and its variables."),
            ], .oneAtMost)
        Setting(
            "repeatable", \.postIsRepeatable, .flag,
            "Whether a request with a body only asks, and may be sent again.")
    } check: { request, _ in
        // A GET always may.
        if request.body == nil { request.isRepeatable = false }
    }.codec
}

extension RequestDeclaration {
    /// Where it goes: to a path, or to where a link leads.
    fileprivate var place: (path: PathTemplate, link: String?) {
        get { (path, link) }
        set { (path, link) = newValue }
    }

    /// Whether a request with a body can be sent again; nil without a body, when it always can.
    fileprivate var postIsRepeatable: Bool? {
        get { body == nil ? nil : isRepeatable }
        set { isRepeatable = newValue ?? false }
    }
}

extension RequestDeclaration.Body? {
    fileprivate var json: JSONTemplate? { if case .json(let json) = self { json } else { nil } }

    fileprivate var form: [RequestDeclaration.Field<Template>]? {
        if case .form(let fields) = self { fields } else { nil }
    }
}

extension Codec<(path: PathTemplate, link: String?)> {
    fileprivate static let path: Self = Codec<PathTemplate>.parsed(
        "a path such as /products/{code}", .string(pattern: "^/"), read: PathTemplate.init,
        write: \.template.text
    ).map({ ($0, nil) }, { $0.link == nil ? $0.path : nil })

    fileprivate static let link: Self = Codec<String>.text(
        "a placeholder of then.with in braces such as {href}",
        .string(pattern: "^\\{[a-z][a-z0-9_]*\\}$"),
        read: { text in
            let name = String(text.dropFirst().dropLast())
            return text == "{\(name)}" && Template.isName(name) ? name : nil
        }, write: { "{\($0)}" }
    ).map({ (.root, $0) }, \.link)
}

extension Codec<RequestDeclaration.Body> {
    private typealias GraphQL = (document: String, variables: JSONTemplate?)

    fileprivate static let graphQL: Self = Section<GraphQL>(
        "graphql", (document: "", variables: nil)
    ) {
        Setting(
            "document", \.document, .text("a GraphQL document"),
            "The document, as it is: the code is one of its variables.",
            needed: "a GraphQL document")
        Setting("variables", \.variables, .json, "The variables.")
    }.codec.map(
        { .graphQL($0.document, variables: $0.variables) },
        {
            if case .graphQL(let document, let variables) = $0 {
                (document, variables)
            } else {
                nil
            }
        })
}

extension Codec<JSONTemplate> {
    /// Any value: plain numbers, `true`, `false` and `null` are what they are in JSON, all other
    /// scalars are texts with placeholders.
    fileprivate static let json = Self(read: read, write: write, schema: { _ in JSONObject() })

    @Sendable private static func read(_ reader: ConfigurationReader) -> JSONTemplate? {
        switch reader.tree.content {
        case .sequence:
            return reader.list("a list").map { .array($0.compactMap(read)) }
        case .mapping:
            return reader.entries("a mapping").map { entries in
                .object(
                    entries.compactMap { key, value in
                        read(value).map { JSONTemplate.Member(key, $0) }
                    })
            }
        case .scalar, .alias:
            switch Codec<JSONValue>.scalar.read(reader) {
            case nil: return nil
            case .null: return .null
            case .bool(let bool): return .bool(bool)
            case .number(let number): return .number(number)
            default: return Codec<Template>.template.read(reader).map(JSONTemplate.text)
            }
        }
    }

    @Sendable private static func write(_ value: JSONTemplate) -> Node? {
        switch value {
        case .null: Node(word: "null")
        case .bool(let bool): Node(word: String(bool))
        case .number(let number): Node(word: number.literal)
        case .text(let template): Node(text: template.text)
        case .array(let elements): Node(elements.compactMap(write), .implicit, .flow)
        case .object(let members):
            Node(
                members.compactMap { member in
                    write(member.value).map { (Node(text: member.key), $0) }
                }, .implicit, .flow)
        }
    }
}

extension Codec<Template> {
    fileprivate static let template = parsed("a text", read: Template.init, write: \.text)
}

extension Codec<[RequestDeclaration.Field<Template>]> {
    /// Names with templates, in order.
    fileprivate static let fields = Codec<[(String, Template)]>.pairs(
        "a mapping of names to texts", of: .template, key: { name, _ in name }, name: \.self
    ).map({ $0.map(RequestDeclaration.Field.init) }, { $0.map { ($0.name, $0.value) } })
}

extension Codec<[RequestDeclaration.Field<HeaderTemplate>]> {
    /// Names of header fields with templates, in order.
    fileprivate static let headers = Codec<[(String, HeaderTemplate)]>.pairs(
        "a mapping of header fields to texts",
        of: .parsed(
            "a header field's value", read: HeaderTemplate.init, write: \.template.text),
        key: { name, reader in
            do throws(HeaderFieldError) {
                _ = try HeaderField.make(name, "")
                return name
            } catch {
                reader.report(
                    expected: "the name of a header field that may be set",
                    found: "\(words: error.description)")
                return nil
            }
        }, name: \.self
    ).map({ $0.map(RequestDeclaration.Field.init) }, { $0.map { ($0.name, $0.value) } })
        .omitting(\.isEmpty)
}
