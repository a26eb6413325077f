import WireText
import Yams

/// A setting in a section: its keys, and how to read and write its value.
struct Setting<Root>: Sendable {
    /// The setting's keys; if there are several, each takes a different kind of value.
    let keys: [SettingKey]
    let presence: Presence
    var isNeeded: Bool { if case .needed = presence { true } else { false } }
    /// Reads the value into a struct; returns false if the value is invalid, or is required and missing.
    let read: @Sendable (inout Root, ConfigurationReader) -> Bool
    /// A closure that returns the key and the value as YAML, or nil to leave the setting out.
    let write: @Sendable (Root) -> (key: String, value: Node)?
}

extension Setting {
    /// Declares a setting; `about` explains it in a sentence.
    ///
    /// If `needed` is not nil, the setting is required, and `needed` describes its value in messages.
    init<Value>(
        _ key: String, _ place: any WritableKeyPath<Root, Value> & Sendable, _ codec: Codec<Value>,
        _ about: String, needed: String? = nil
    ) {
        keys = [SettingKey(name: key, about: about, schema: codec.schema, merge: codec.merge)]
        let presence = needed.map(Presence.needed) ?? .optional
        self.presence = presence
        read = { root, section in
            guard presence.holds(of: [key], in: section) else { return false }
            guard let reader = section[key] else { return true }
            guard let value = codec.read(reader) else { return false }
            root[keyPath: place] = value
            return true
        }
        write = { root in codec.write(root[keyPath: place]).map { (key, $0) } }
    }

    /// Declares a setting whose default is nil.
    init<Value>(
        _ key: String, _ place: any WritableKeyPath<Root, Value?> & Sendable, _ codec: Codec<Value>,
        _ about: String, needed: String? = nil
    ) {
        let perhaps: Codec<Value?> = codec.map({ .some(.some($0)) }, { $0 })
        self.init(key, place, perhaps, about, needed: needed)
    }

    /// Declares one setting with several keys, one for each of the `alternatives`.
    ///
    /// The codec of an alternative must write nothing for a value that belongs to another key.
    init(oneOf presence: Presence, @Settings<Root> _ alternatives: () -> [Self]) {
        let alternatives = alternatives()
        let keys = alternatives.flatMap(\.keys)
        self.keys = keys
        self.presence = presence
        read = { root, section in
            guard presence.holds(of: keys.map(\.name), in: section) else { return false }
            let chosen = zip(keys, alternatives).first { section[$0.0.name] != nil }?.1
            return chosen?.read(&root, section) ?? true
        }
        write = { root in alternatives.lazy.compactMap { $0.write(root) }.first }
    }

    /// Returns a copy of this setting for a struct that stores a `Root` at `part`.
    func inside<Whole>(
        _ part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> Setting<Whole> {
        Setting<Whole>(
            keys: keys, presence: presence,
            read: { [read] whole, section in read(&whole[keyPath: part], section) },
            write: { [write] whole in write(whole[keyPath: part]) })
    }
}

/// How many of a setting's keys must be present.
enum Presence: Equatable, Sendable {
    case optional
    /// Exactly one of the setting's keys must be present; if none is, the error shows this text.
    case needed(String)
    case oneAtMost
    /// Exactly one of the setting's keys must be present; the section has no other settings.
    case one
    /// If the section has the named key, exactly one of the setting's keys is required; otherwise, none is allowed.
    case beside(String)

    /// Returns whether `section` has the required number of `keys`; if not, a mistake was reported.
    fileprivate func holds(of keys: [String], in section: ConfigurationReader) -> Bool {
        let found = keys.filter { section[$0] != nil }
        let count = found.count
        switch self {
        case .optional: return true
        case .beside(let other):
            if count == (section[other] == nil ? 0 : 1) { return true }
            section.report(
                expected: "\(other) and one of \(Words.all(keys)), or neither",
                found: "\(words: Words.all(([other] + keys).filter { section[$0] != nil }))")
            return false
        case .needed(let what) where count == 0:
            section.at(keys.last ?? "").report(expected: what, found: "none")
            return false
        case .needed, .oneAtMost, .one:
            if count == 1 || count == 0 && self == .oneAtMost { return true }
            // The only keys of the section are unknown ones, which have been reported.
            if count == 0, section.tree.pairs?.isEmpty == false { return false }
            (found.last.flatMap { section[$0] } ?? section).report(
                expected: "one of \(Words.all(keys))",
                found: count == 0 ? "none" : "\(words: Words.all(found))")
            return false
        }
    }
}

struct SettingKey: Sendable {
    let name: String
    let about: String
    let schema: @Sendable (inout SchemaWriter) -> JSONObject
    let merge: @Sendable (Node, Node) -> Node
}

/// A writer of a JSON Schema with shared definitions of sections; every use of a section refers to a definition.
///
/// Rule: JSON Schema, draft 2020-12.
struct SchemaWriter {
    /// Whether the schema describes settings that override a preset; if so, all of them are optional.
    private(set) var isBesidePreset = false
    private var definitions = JSONObject()
    private var names: Set<String> = []

    static func document<Value>(_ title: String, of codec: Codec<Value>) -> JSONObject {
        var writer = Self()
        let root = codec.schema(&writer)
        var document: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
            // A file may be empty.
            "anyOf": [.object(root), ["type": "null"]],
        ]
        document.append("$defs", .object(writer.definitions))
        return document
    }

    /// Returns a reference to the definition called `name`, which `make` creates if necessary.
    mutating func reference(
        to name: String, _ make: (inout Self) -> JSONObject
    ) -> JSONObject {
        var own = isBesidePreset ? name + "-beside-preset" : name
        if names.insert(own).inserted {
            let definition = make(&self)
            if isBesidePreset, definitions[name] == .object(definition) {
                own = name
            } else {
                definitions.append(own, .object(definition))
            }
        } else if definitions[own] == nil, isBesidePreset {
            own = name
        }
        return ["$ref": .string("#/$defs/\(own)")]
    }

    /// Calls `make` with the given value of ``isBesidePreset``, and then restores the old value.
    mutating func describing(
        besidePreset isBesidePreset: Bool, _ make: (inout Self) -> JSONObject
    ) -> JSONObject {
        let before = self.isBesidePreset
        self.isBesidePreset = isBesidePreset
        defer { self.isBesidePreset = before }
        return make(&self)
    }

    /// Adds the rules about required and mutually exclusive keys to a section's schema.
    func require<Root>(_ settings: [Setting<Root>], in schema: inout JSONObject) {
        var required: [JSONValue] = []
        var all: [JSONValue] = []
        for setting in settings {
            let keys = setting.keys.map { JSONValue.string($0.name) }
            let each = keys.map { JSONValue.object(["required": [$0]]) }
            switch setting.presence {
            case .optional: break
            case .needed where keys.count == 1: if !isBesidePreset { required += keys }
            case .needed where !isBesidePreset, .one where !isBesidePreset:
                all.append(["oneOf": .array(each)])
            case .beside(let other):
                all.append([
                    "if": ["required": [.string(other)]], "then": ["oneOf": .array(each)],
                    "else": ["not": ["anyOf": .array(each)]],
                ])
            case .needed, .one, .oneAtMost:
                all.append(["oneOf": .array(each + [["not": ["anyOf": .array(each)]]])])
            }
        }
        if !required.isEmpty { schema.append("required", .array(required)) }
        if !all.isEmpty { schema.append("allOf", .array(all)) }
    }
}

/// JSON Schemas of simple values; their patterns are ECMA-262 regular expressions.
extension JSONObject {
    /// The schema of a string, which may look like a number or a Boolean if it has no quotation marks.
    static let anyText: JSONObject = ["type": ["string", "number", "boolean"]]

    /// The schema of one character; a digit may also be written as a number, without quotation marks.
    static let character: JSONObject = [
        "anyOf": [
            ["type": "string", "minLength": 1, "maxLength": 1],
            ["type": "integer", "minimum": 0, "maximum": 9],
        ]
    ]

    /// Returns a schema for a string, even one that YAML reads as a number or a Boolean.
    static func text(minimum: Int64 = 0, pattern: String? = nil) -> JSONObject {
        var schema = anyText
        if minimum > 0 { schema.append("minLength", .integer(minimum)) }
        if let pattern { schema.append("pattern", .string(pattern)) }
        return schema
    }

    /// Returns a schema for a string that matches a pattern; the pattern must not match a number.
    ///
    /// YAML reads unquoted text that looks like a number as a number, which the schema would reject.
    static func string(pattern: String) -> JSONObject {
        ["type": "string", "pattern": .string(pattern)]
    }

    /// Returns a schema that accepts any of `words`, with or without quotation marks.
    static func either(_ words: [String]) -> JSONObject {
        let plain = words.map(JSONValue.init(plain:)).filter { $0.string == nil }
        return ["enum": .array(words.map(JSONValue.string) + plain)]
    }

    static func any(of schemas: JSONObject...) -> JSONObject {
        ["anyOf": .array(schemas.map(JSONValue.object))]
    }
}
