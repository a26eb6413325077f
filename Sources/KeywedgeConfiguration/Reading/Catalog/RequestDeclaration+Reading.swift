import Catalog
import WebAPI
import WireText

extension RequestDeclaration {
    enum Key: String, CaseIterable {
        case path, query, headers, json, form, graphql, repeatable
    }

    /// Reads a request.
    ///
    /// It is nil where there is no path, which is reported as is everything else that is wrong.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let path: PathTemplate? = reader.required(
            mapping[.path], "a path such as /products/{code}", Key.path.rawValue
        ) { $0.template("a path such as /products/{code}", PathTemplate.init) }
        guard let path else { return nil }
        let bodies: [Body] = [
            mapping[.json].flatMap(JSONTemplate.init(reading:)).map(Body.json),
            mapping[.form].flatMap { $0.fields() }.map(Body.form),
            mapping[.graphql].flatMap(Body.init(graphQL:)),
        ].compactMap(\.self)
        if bodies.count > 1 {
            reader.report(expected: "one of json, form and graphql", found: "\(bodies.count)")
        }
        self.init(
            path: path, query: mapping[.query].flatMap { $0.fields() } ?? [],
            headers: mapping[.headers].flatMap { $0.headers() } ?? [], body: bodies.first,
            isRepeatable: mapping[.repeatable].flatMap { $0.flag() } ?? false)
    }
}

extension RequestDeclaration.Body {
    private enum Key: String, CaseIterable {
        case document, variables
    }

    /// Reads `{document: …, variables: {…}}`.
    fileprivate init?(graphQL reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let document: GraphQLTemplate? = reader.required(
            mapping[.document], "a GraphQL document", Key.document.rawValue
        ) { $0.template("a GraphQL document", GraphQLTemplate.init) }
        guard let document else { return nil }
        self = .graphQL(
            document, variables: mapping[.variables].flatMap(JSONTemplate.init(reading:)))
    }
}

extension JSONTemplate {
    /// Reads any value: plain numbers, `true`, `false` and `null` are what they are in JSON, all
    /// other scalars are texts with placeholders.
    init?(reading reader: ConfigurationReader) {
        switch reader.tree.content {
        case .sequence:
            guard let items = reader.list("a list") else { return nil }
            self = .array(items.compactMap(JSONTemplate.init(reading:)))
        case .mapping:
            guard let entries = reader.entries("a mapping") else { return nil }
            self = .object(
                entries.compactMap { key, value in
                    JSONTemplate(reading: value).map { Member(key, $0) }
                })
        case .scalar, .alias:
            guard let scalar = reader.scalar() else { return nil }
            switch scalar {
            case .null: self = .null
            case .bool(let bool): self = .bool(bool)
            case .number(let number): self = .number(number)
            case .text:
                let text: Template? = reader.template("a text", Template.init)
                guard let text else { return nil }
                self = .text(text)
            }
        }
    }
}

extension ConfigurationReader {
    /// Names with templates, in order.
    fileprivate func fields() -> [RequestDeclaration.Field<Template>]? {
        entries("a mapping of names to texts")?.compactMap { key, reader in
            let template: Template? = reader.template("a text", Template.init)
            return template.map { RequestDeclaration.Field(key, $0) }
        }
    }

    /// Names of header fields with templates, in order.
    fileprivate func headers() -> [RequestDeclaration.Field<HeaderTemplate>]? {
        entries("a mapping of header fields to texts")?.compactMap { key, reader in
            do throws(HeaderFieldError) {
                _ = try HeaderField.make(key, "")
            } catch {
                reader.report(
                    expected: "the name of a header field that may be set", found: "\(error)")
                return nil
            }
            let template: HeaderTemplate? = reader.template(
                "a header field's value", HeaderTemplate.init)
            return template.map { RequestDeclaration.Field(key, $0) }
        }
    }
}

extension FollowUp {
    enum Key: String, CaseIterable {
        case with, request, verify
        case notFound = "not_found"
        case failed, throttled, messages
    }

    /// Reads a second request.
    ///
    /// It is nil where anything needed is missing, which is reported.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let captured = reader.required(
            mapping[.with], "what the first answer gives, such as {id: /id}", Key.with.rawValue
        ) { $0.captured() }
        let request = reader.required(
            mapping[.request], "what is asked", Key.request.rawValue,
            RequestDeclaration.init(reading:))
        guard var captured, let request else { return nil }
        mapping[.verify]?.verify(&captured)
        self.init(
            captured: captured, request: request,
            rules: AnswerRules(
                throttled: mapping[.throttled].flatMap(AnswerRule.init(reading:)),
                failed: mapping[.failed].flatMap(AnswerRule.init(reading:)),
                notFound: mapping[.notFound].flatMap(AnswerRule.init(reading:)),
                messages: mapping[.messages].flatMap { $0.pointers() } ?? []))
    }
}

extension ConfigurationReader {
    /// Placeholders with the places their values are at.
    fileprivate func captured() -> [FollowUp.Captured]? {
        entries("a mapping of placeholders to places")?.compactMap { key, reader in
            guard Template.isName(key), key != "code" else {
                reader.report(
                    expected: "a name of a-z, 0-9 and \"_\" other than code", found: "it")
                return nil
            }
            return reader.pointers().map { FollowUp.Captured(key, $0) }
        }
    }

    /// Reads where the second answer repeats what the first one gave.
    fileprivate func verify(_ captured: inout [FollowUp.Captured]) {
        let names = captured.map(\.name)
        let expected = "a mapping of placeholders to places"
        guard let entries = entries(expected) else { return }
        if entries.isEmpty { report(expected: expected, found: "an empty one") }
        for (key, reader) in entries {
            guard let index = names.firstIndex(of: key) else {
                reader.report(
                    expected: "one of the placeholders \(Words.either(names)) of with",
                    found: Quoting.quoted(key))
                continue
            }
            guard let places = reader.places() else { continue }
            guard !places.contains(where: { $0.start == .firstAnswer }) else {
                reader.report(
                    expected: "places in the second answer such as /id",
                    found: "one in the first")
                continue
            }
            captured[index].repeated = places
        }
    }
}
