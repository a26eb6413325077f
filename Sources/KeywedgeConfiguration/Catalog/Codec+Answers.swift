import HTTPCatalog
import WireText
import Yams

private let pointerText = "a JSON pointer such as /product/name (RFC 6901)"

extension JSONObject {
    /// The name of a placeholder.
    static let placeholder = string(pattern: "^(?!code$)[a-z][a-z0-9_]*$")
}

extension Codec<String> {
    /// The name of a placeholder, as the key of a mapping.
    @Sendable static func placeholder(_ name: String, _ reader: ConfigurationReader) -> String? {
        if Template.isName(name), name != "code" { return name }
        reader.report(expected: "a name of a-z, 0-9 and \"_\" other than code", found: "it")
        return nil
    }
}

extension Codec<JSONPointer> {
    /// A place in an answer.
    static let pointer = text(
        pointerText, .string(pattern: "^(/([^~]|~[01])*)?$"), read: { JSONPointer($0) },
        write: \.description)
}

extension Codec<[JSONPointer]> {
    /// Places in an answer.
    static let pointers = oneOrMany("JSON pointers", of: .pointer)
}

extension Codec<AnswerPlace> {
    /// A place in the answers to one lookup.
    static let place = text(
        "\(pointerText), perhaps with # or first# in front",
        .string(pattern: "^(#|first#)?(/([^~]|~[01])*)?$"), read: { AnswerPlace($0) }, write: \.text
    )
}

extension Codec<[AnswerPlace]> {
    /// Places in the answers to one lookup.
    static let places = oneOrMany("places in an answer", of: .place)
}

extension Codec<[FieldSource]> {
    /// Where a field comes from; nothing is written for nowhere.
    static let sources = oneOrMany("places in an answer, or texts", of: .source)
}

extension Codec<FieldSource> {
    /// Where a field comes from: a place, a text, or `{each: …, where: …, is: …, take: …}`.
    fileprivate static let source = Self(
        read: { reader in
            if case .mapping = reader.tree.content {
                return joined.read(reader).map(FieldSource.joined)
            }
            return word.read(reader)
        },
        write: { source in
            if case .joined(let place) = source { joined.write(place) } else { word.write(source) }
        }, schema: { .any(of: word.schema(&$0), joined.schema(&$0)) }, merge: joined.merge)

    private static let word = text(
        "a place in an answer such as /name, or a text", .text(minimum: 1),
        read: { FieldSource($0) }, write: \.text)

    private static let joined = Section(
        "joined",
        JoinedPlace(
            in: AnswerPlace(.item, JSONPointer()), where: JSONPointer(),
            is: AnswerPlace(.item, JSONPointer()),
            take: JSONPointer()), onOneLine: { _ in true }
    ) {
        Setting("each", \.list, .place, "The list.", needed: "where the list is")
        Setting(
            "where", \.key, .pointer, "Where each element says who it is.",
            needed: "where each element says who it is")
        Setting(
            "is", \.reference, .place, "Where the product says which element is its own.",
            needed: "where the product says which element is its own")
        Setting(
            "take", \.taken, .pointer, "Where the field is in that element.",
            needed: "where the field is in that element")
    }.codec
}

extension Codec<[CodePlace]> {
    /// Where codes are; nothing is written for nowhere.
    static let codePlaces = oneOrMany(
        "places in an answer, or {each: /list, take: /code}", of: .place)
}

extension Codec<CodePlace> {
    /// A place, or `{each: /list, take: /code}`.
    fileprivate static let place = Self(
        read: { reader in
            if case .mapping = reader.tree.content { return codeList.read(reader) }
            return Codec<AnswerPlace>.place.read(reader).map { CodePlace($0) }
        },
        write: {
            $0.element == nil ? Codec<AnswerPlace>.place.write($0.place) : codeList.write($0)
        },
        schema: { .any(of: Codec<AnswerPlace>.place.schema(&$0), codeList.schema(&$0)) },
        merge: codeList.merge)

    private static let codeList = Section(
        "code-list", CodePlace(AnswerPlace(.item, JSONPointer())), onOneLine: { _ in true }
    ) {
        Setting("each", \.place, .place, "The list.", needed: "where the list is")
        Setting(
            "take", \.element, .pointer, "Where the code is in each element.",
            needed: "where the code is in each element")
    }.codec
}

extension Codec<JSONScalar> {
    /// A text, number, word or nothing, as JSON has them.
    static let scalar = Self(
        read: { reader in
            guard reader.isUndecorated() else { return nil }
            if reader.tree.isNull { return .null }
            guard let text = reader.text("a text, a number, true, false or null") else {
                return nil
            }
            guard case .scalar(_, isPlain: true) = reader.tree.content else { return .text(text) }
            switch text {
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: return JSONNumber(text).map(JSONScalar.number) ?? .text(text)
            }
        },
        write: { scalar in
            switch scalar {
            case .null: Node(word: "null")
            case .bool(let bool): Node(word: String(bool))
            case .number(let number): Node(word: number.literal)
            case .text(let text): Node(text: text)
            }
        }, schema: { _ in ["type": ["string", "number", "boolean", "null"]] })
}
