import HTTPCatalog
import WireText

extension Codec<FollowUp> {
    static let followUp = Section(
        "then",
        FollowUp(captured: [], request: RequestDeclaration(path: .root), rules: AnswerRules())
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
        let names = followUp.captured.map(\.name)
        guard !names.isEmpty, let repeats = section[\.repeats],
            case .mapping(let entries) = repeats.tree.content
        else { return }
        for key in entries.compactMap(\.name) where !names.contains(key) {
            repeats.child(key)?.report(
                expected: "one of the placeholders \(Words.either(names)) of with",
                found: "\(quoted: key)")
        }
    }.codec
}

extension FollowUp {
    /// Which placeholders the second answer repeats, and where.
    fileprivate var repeats: [(String, [AnswerPlace])] {
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
    /// Placeholders with the places their values are at.
    fileprivate static let captured = Codec<[(String, [FollowUp.Source])]>.pairs(
        "a mapping of placeholders to places",
        of: .oneOrMany(
            "places in an answer, or {each: /list, where: /code, is: \"{code}\", take: /id}",
            of: .source), keys: .placeholder, key: Codec<String>.placeholder, name: \.self
    ).map({ $0.map { FollowUp.Captured($0, $1) } }, { $0.map { ($0.name, $0.sources) } }).whole
}

extension Codec<FollowUp.Source> {
    /// A place, or `{each: …, where: …, is: "{code}", take: …}`.
    fileprivate static let source = Self(
        read: { reader in
            if case .mapping = reader.tree.content {
                return element.read(reader).map(FollowUp.Source.element)
            }
            return Codec<JSONPointer>.pointer.read(reader).map(FollowUp.Source.at)
        },
        write: { source in
            switch source {
            case .at(let pointer): Codec<JSONPointer>.pointer.write(pointer)
            case .element(let coded): element.write(coded)
            }
        },
        schema: { .any(of: Codec<JSONPointer>.pointer.schema(&$0), element.schema(&$0)) },
        merge: element.merge)

    private static let element = Section(
        "coded-element",
        FollowUp.CodedElement(in: JSONPointer(), where: JSONPointer(), take: JSONPointer()),
        onOneLine: { _ in true }
    ) {
        Setting("each", \.list, .pointer, "The list.", needed: "where the list is")
        Setting(
            "where", \.key, .pointer, "Where each element has its code.",
            needed: "where each element has its code")
        Setting(
            "is", \.isTheCode, .theCode, "The code that was asked: \"{code}\".",
            needed: "\"{code}\"")
        Setting(
            "take", \.taken, .pointer, "What is taken of the element.",
            needed: "what is taken of the element")
    }.codec
}

extension FollowUp.CodedElement {
    /// What the element must have; there is one possibility, and it is written out to be read.
    fileprivate var isTheCode: Bool {
        get { true }
        set {}
    }
}

extension Codec<Bool> {
    fileprivate static let theCode = text(
        "\"{code}\"", ["enum": ["{code}"]], read: { $0 == "{code}" ? true : nil },
        write: { $0 ? "{code}" : nil })
}

extension Codec<[(String, [AnswerPlace])]> {
    /// Where the second answer repeats what the first one gave.
    fileprivate static var repeats: Self {
        let expected = "a mapping of placeholders to places"
        var codec = pairs(
            expected, of: .ofSecondAnswer, key: { name, _ in name }, name: \.self)
        codec.read = { [read = codec.read] reader in
            if case .mapping([]) = reader.tree.content {
                reader.report(expected: expected, found: "an empty one")
            }
            return read(reader)
        }
        codec.schema = { [schema = codec.schema] writer in
            var schema = schema(&writer)
            schema.append("minProperties", 1)
            return schema
        }
        return codec.omitting(\.isEmpty)
    }
}

extension Codec<[AnswerPlace]> {
    fileprivate static var ofSecondAnswer: Self {
        var codec = places
        codec.read = { reader in
            guard let places = Self.places.read(reader) else { return nil }
            guard places.contains(where: { $0.start == .firstAnswer }) else { return places }
            reader.report(
                expected: "places in the second answer such as /id", found: "one in the first")
            return nil
        }
        return codec
    }
}
