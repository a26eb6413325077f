import HTTPCatalog
import WireText

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
    /// Placeholders with the places their values are at.
    fileprivate static let captured = Codec<[(String, [Place])]>.pairs(
        "a mapping of placeholders to places",
        of: .oneOrMany(
            "places in an answer, or {each: /list, where: /code, is: \"{code}\", take: /id}",
            of: .captured), keys: .placeholder, key: Codec<String>.placeholder, name: \.self
    ).map({ $0.map { FollowUp.Captured($0, $1) } }, { $0.map { ($0.name, $0.places) } }).whole
}

extension Codec<Place> {
    /// A place, or `{each: …, where: …, is: "{code}", take: …}`.
    fileprivate static let captured = either(
        Codec<JSONPointer>.pointer.map(
            { .at(.item, $0) }, { if case .at(.item, let pointer) = $0 { pointer } else { nil } }),
        Section<PlaceParts>("coded-element", PlaceParts(), onOneLine: { _ in true }) {
            Setting(
                "each", \.listPointer, .pointer, "The list.", needed: "where the list is")
            Setting(
                "where", \.key, .pointer, "Where each element has its code.",
                needed: "where each element has its code")
            Setting(
                "is", \.isTheCode, .theCode, "The code that was asked: \"{code}\".",
                needed: "\"{code}\"")
            Setting(
                "take", \.take, .pointer, "What is taken of the element.",
                needed: "what is taken of the element")
        }.codec.map(
            { .element(of: $0.list, where: $0.key, is: nil, take: $0.take) },
            { if case .element(_, _, nil, _) = $0 { PlaceParts($0) } else { nil } }))
}

extension PlaceParts {
    fileprivate var listPointer: JSONPointer {
        get { if case .at(_, let pointer) = list { pointer } else { JSONPointer() } }
        set { list = .at(.item, newValue) }
    }

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

extension Codec<[(String, [Place])]> {
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

extension Codec<[Place]> {
    fileprivate static var ofSecondAnswer: Self {
        var codec = places
        codec.read = { reader in
            guard let places = Self.places.read(reader) else { return nil }
            guard places.contains(where: \.isInFirstAnswer) else { return places }
            reader.report(
                expected: "places in the second answer such as /id", found: "one in the first")
            return nil
        }
        return codec
    }
}

extension Place {
    fileprivate var isInFirstAnswer: Bool {
        if case .at(.firstAnswer, _) = self { true } else { false }
    }
}
