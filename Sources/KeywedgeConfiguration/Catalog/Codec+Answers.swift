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

extension Codec<Place> {
    /// A place in the answers to one lookup.
    static let place = text(
        "\(pointerText), perhaps with # or first# in front",
        .string(pattern: "^(#|first#)?(/([^~]|~[01])*)?$"), read: { Place($0) }, write: \.text)

    /// Where a field comes from: a place, a text, or `{each: …, where: …, is: …, take: …}`.
    fileprivate static let source = either(
        text(
            "a place in an answer such as /name, or a text", .text(minimum: 1),
            read: { Place(source: $0) }, write: \.text),
        Section<PlaceParts>("joined", PlaceParts(), onOneLine: { _ in true }) {
            Setting("each", \.list, .place, "The list.", needed: "where the list is")
            Setting(
                "where", \.key, .pointer, "Where each element says who it is.",
                needed: "where each element says who it is")
            Setting(
                "is", \.reference, .place, "Where the product says which element is its own.",
                needed: "where the product says which element is its own")
            Setting(
                "take", \.take, .pointer, "Where the field is in that element.",
                needed: "where the field is in that element")
        }.codec.map(
            { .element(of: $0.list, where: $0.key, is: $0.reference, take: $0.take) },
            { if case .element = $0 { PlaceParts($0) } else { nil } }))

    /// Where codes are: a place, or `{each: /list, take: /code}`.
    fileprivate static let codes = either(
        place,
        Section<PlaceParts>("code-list", PlaceParts(), onOneLine: { _ in true }) {
            Setting("each", \.list, .place, "The list.", needed: "where the list is")
            Setting(
                "take", \.optionalTake, .pointer, "Where the code is in each element.",
                needed: "where the code is in each element")
        }.codec.map(
            { parts in parts.optionalTake.map { .each(of: parts.list, take: $0) } ?? parts.list },
            { if case .each = $0 { PlaceParts($0) } else { nil } }))

    /// A place on one line, or a mapping.
    static func either(_ short: Self, _ long: Self) -> Self {
        Self(
            read: { reader in
                if case .mapping = reader.tree.content { return long.read(reader) }
                return short.read(reader)
            }, write: { long.write($0) ?? short.write($0) },
            schema: { .any(of: short.schema(&$0), long.schema(&$0)) }, merge: long.merge)
    }
}

/// The parts of a place that is written as a mapping.
struct PlaceParts: Equatable {
    var list = Place.at(.item, JSONPointer())
    var key = JSONPointer()
    var reference = Place.at(.item, JSONPointer())
    var optionalTake: JSONPointer?
    var take: JSONPointer {
        get { optionalTake ?? JSONPointer() }
        set { optionalTake = newValue }
    }

    init() {}

    init(_ place: Place) {
        switch place {
        case .each(let list, let take): (self.list, optionalTake) = (list, take)
        case .element(let list, let key, let reference, let take):
            (self.list, self.key, optionalTake) = (list, key, take)
            self.reference = reference ?? self.reference
        case .constant, .at: break
        }
    }
}

extension Codec<[Place]> {
    /// Places in the answers to one lookup.
    static let places = oneOrMany("places in an answer", of: .place)

    /// Where a field comes from; nothing is written for nowhere.
    static let sources = oneOrMany("places in an answer, or texts", of: .source)

    /// Where codes are; nothing is written for nowhere.
    static let codePlaces = oneOrMany(
        "places in an answer, or {each: /list, take: /code}", of: .codes)
}

extension Codec<JSONValue> {
    /// A text, number, word or nothing, as JSON has them.
    static let scalar = Self(
        read: { reader in
            guard reader.isUndecorated() else { return nil }
            if reader.tree.isNull { return .null }
            guard let text = reader.text("a text, a number, true, false or null") else {
                return nil
            }
            guard case .scalar(_, isPlain: true) = reader.tree.content else { return .string(text) }
            switch text {
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: return JSONNumber(text).map(JSONValue.number) ?? .string(text)
            }
        },
        write: { scalar in
            switch scalar {
            case .null: Node(word: "null")
            case .bool(let bool): Node(word: String(bool))
            case .number(let number): Node(word: number.literal)
            case .integer(let number): Node(word: String(number))
            case .string(let text): Node(text: text)
            case .array, .object: nil
            }
        }, schema: { _ in ["type": ["string", "number", "boolean", "null"]] })
}
