import HTTPCatalog
import WebAPI
import WireText
import Yams

extension Codec<RequestDeclaration> {
    static let request = Section("request", RequestDeclaration(path: .root)) {
        Setting(oneOf: .needed("a path such as /products/{code}")) {
            Setting(
                "link", \.link, .link,
                "The address: a placeholder of then.with, in braces.")
            Setting(
                "path", \.path, .path, "The path after the catalog's URL; {code} is the code.")
        }
        Setting("query", \.query, .fields.omitting(\.isEmpty), "The query.")
        Setting("headers", \.headers, .headers, "Header fields.")
        Setting(oneOf: .oneAtMost) {
            Setting(
                "json", \.body,
                Codec<JSONTemplate>.json.whole.map(
                    RequestDeclaration.Body.json,
                    { if case .json(let json) = $0 { json } else { nil } }),
                "A body of JSON.")
            Setting(
                "form", \.body,
                Codec<[Named<Template>]>.fields.whole.map(
                    RequestDeclaration.Body.form,
                    { if case .form(let form) = $0 { form } else { nil } }),
                "A body of names and values, as HTML forms send it.")
            Setting(
                "graphql", \.body, Codec<RequestDeclaration.Body>.graphQL.whole,
                "A GraphQL document and its variables.")
        }
        Setting(
            "repeatable", \.postIsRepeatable, .flag,
            "Whether a request with a body changes nothing and may be resent.")
    } check: { request, _ in
        // A GET can always be sent again.
        if request.body == nil { request.isRepeatable = false }
    }.codec
}

extension RequestDeclaration {
    /// Whether a POST request may be sent again; nil for a GET request, which may always be sent again.
    fileprivate var postIsRepeatable: Bool? {
        get { body == nil ? nil : isRepeatable }
        set { isRepeatable = newValue ?? false }
    }
}

extension Codec<PathTemplate> {
    fileprivate static let path = parsed(
        "a path such as /products/{code}", .string(pattern: "^/"), read: PathTemplate.init,
        write: \.template.text)
}

extension Codec<RequestDeclaration.Body> {
    fileprivate static let graphQL: Self = Section(
        "graphql", (document: "", variables: JSONTemplate?.none)
    ) {
        Setting(
            "document", \.document, .text("a GraphQL document"),
            "The document, as it is: the code is one of its variables.",
            needed: "a GraphQL document")
        Setting("variables", \.variables, .json, "The variables.")
    }.codec.map(
        { .graphQL($0.document, variables: $0.variables) },
        {
            guard case .graphQL(let document, let variables) = $0 else { return nil }
            return (document, variables)
        })
}

extension Codec<JSONTemplate> {
    /// The codec for any JSON value; its string values may contain placeholders.
    fileprivate static let json = Self(read: read, write: write, schema: { _ in JSONObject() })

    @Sendable private static func read(_ reader: ConfigurationReader) -> JSONTemplate? {
        switch reader.tree {
        case .sequence:
            return reader.list("a list").map { .array($0.compactMap(read)) }
        case .mapping:
            return reader.entries("a mapping").map { entries in
                .object(
                    entries.compactMap { key, value in
                        read(value).map { Named(key, $0) }
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
                    write(member.value).map { (Node(text: member.name), $0) }
                }, .implicit, .flow)
        }
    }
}

extension Codec<Template> {
    fileprivate static let template = parsed("a text", read: Template.init, write: \.text)
}

extension Codec<[Named<Template>]> {
    fileprivate static let fields = named("a mapping of names to texts", of: .template)
}

extension Codec<String> {
    /// A placeholder in braces, such as `{href}`; the codec's value is the name without the braces.
    fileprivate static let link = text(
        "a placeholder of then.with in braces such as {href}",
        matching: .string(pattern: "^\\{[a-z][a-z0-9_]*\\}$")
    ).map({ String($0.dropFirst().dropLast()) }, { "{\($0)}" })

    /// The name of a header field, used as a key in a mapping.
    fileprivate static let fieldName = parsed(
        "the name of a header field that may be set", node: { Node($0) },
        read: { name throws(HeaderFieldError) in
            _ = try HeaderField.make(name, "")
            return name
        }, write: \.self)
}

extension Codec<[Named<HeaderTemplate>]> {
    fileprivate static let headers = named(
        "a mapping of header fields to texts",
        of: .parsed(
            "a header field's value", read: HeaderTemplate.init, write: \.template.text),
        keys: .fieldName
    ).omitting(\.isEmpty)
}

extension Codec<FollowUp> {
    static let followUp = Section(
        "then",
        FollowUp(request: RequestDeclaration(path: .root))
    ) {
        Setting(
            "with", \.captured, .captured,
            "Placeholders, and where their values are in the first answer.",
            needed: "what the first answer gives, such as {id: /id}")
        Setting("request", \.request, .request, "The second request.", needed: "what is asked")
        Setting(
            "verify", \.repeats, .repeats,
            "Where the second answer repeats what it was asked for.")
        AnswerRules.settings.map { $0.inside(\.rules) }
    } check: { followUp, section in
        guard let repeats = section["verify"], let pairs = repeats.tree.pairs else { return }
        if pairs.isEmpty { repeats.report(expected: placesText, found: "an empty one") }
        let names = followUp.captured.map(\.name)
        for key in pairs.keys.compactMap(\.text) where !names.isEmpty && !names.contains(key) {
            repeats[key]?.report(
                expected: "one of the placeholders \(Words.either(names)) of with",
                found: "\(quoted: key)")
        }
        for (name, places) in followUp.repeats {
            let isInFirst = places.contains {
                if case .at(.firstAnswer, _) = $0 { true } else { false }
            }
            guard isInFirst else { continue }
            repeats[name]?.report(
                expected: "places in the second answer such as /id", found: "one in the first")
        }
    }.codec
}

private let placesText = "a mapping of placeholders to places"

extension FollowUp {
    /// The placeholders whose values must recur in the second answer, each with the places to look for the value.
    fileprivate var repeats: [(String, [Place])] {
        get { captured.filter { !$0.repeated.isEmpty }.map { ($0.name, $0.repeated) } }
        set {
            for index in captured.indices {
                let name = captured[index].name
                captured[index].repeated = newValue.first { $0.0 == name }?.1 ?? []
            }
        }
    }
}

extension Codec<[FollowUp.Captured]> {
    fileprivate static let captured = Codec<[(String, [Place])]>.pairs(
        placesText,
        of: .oneOrMany(
            "places in an answer, or {each: /list, where: /code, is: \"{code}\", take: /id}",
            of: .captured), keys: .placeholder
    ).map({ $0.map { FollowUp.Captured($0, $1) } }, { $0.map { ($0.name, $0.places) } }).whole
}

extension Codec<[(String, [Place])]> {
    /// The codec of the setting `verify`: for each placeholder, where to look for its value in the second answer.
    fileprivate static let repeats = pairs(placesText, of: .places, keys: .anyKey)
        .adding(["minProperties": 1]).omitting(\.isEmpty)
}
