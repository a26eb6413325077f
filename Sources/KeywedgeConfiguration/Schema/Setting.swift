import WireText
import Yams

/// A setting in a section: its keys, and how to read its value into a struct and write it from the struct.
///
/// The section's blank struct contains the default value.
struct Setting<Root>: Sendable {
    /// The setting's keys; if there are several, each takes a different kind of value.
    let keys: [SettingKey]
    let presence: Presence
    var isNeeded: Bool { if case .needed = presence { true } else { false } }
    /// Reads the value into a struct; returns false if a required value is missing or wrong.
    let read: @Sendable (inout Root, ConfigurationReader) -> Bool
    /// Returns a key and the struct's value as YAML; nil to leave the setting out.
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
        self.init(
            place, oneOf: [Alternative(key, codec, about)],
            needed.map(Presence.needed) ?? .optional)
    }

    /// Declares a setting whose default is nil.
    init<Value>(
        _ key: String, _ place: any WritableKeyPath<Root, Value?> & Sendable, _ codec: Codec<Value>,
        _ about: String, needed: String? = nil
    ) {
        let perhaps: Codec<Value?> = codec.map({ .some(.some($0)) }, { $0 })
        self.init(key, place, perhaps, about, needed: needed)
    }

    /// Declares a setting with a key for each kind of value.
    ///
    /// A missing setting is reported under the last key. If `isReported` is false, too few or too many keys are not
    /// reported, because the section's check does that.
    init<Value>(
        _ place: any WritableKeyPath<Root, Value> & Sendable,
        oneOf alternatives: [Alternative<Value>],
        _ presence: Presence, isReported: Bool = true
    ) {
        keys = alternatives.map { alternative in
            SettingKey(
                name: alternative.key, about: alternative.about, schema: alternative.codec.schema,
                merge: alternative.codec.merge)
        }
        self.presence = presence
        let names = alternatives.map(\.key)
        read = { root, section in
            if isReported, !presence.holds(of: names, in: section) { return false }
            for alternative in alternatives {
                guard let reader = section[alternative.key] else { continue }
                guard let value = alternative.codec.read(reader) else {
                    return presence == .optional
                }
                root[keyPath: place] = value
                break
            }
            return true
        }
        write = { root in
            alternatives.lazy.compactMap { alternative in
                alternative.codec.write(root[keyPath: place]).map { (alternative.key, $0) }
            }.first
        }
    }

    /// Returns this setting for a struct that contains `Root`.
    func inside<Whole>(
        _ part: any WritableKeyPath<Whole, Root> & Sendable
    ) -> Setting<Whole> {
        Setting<Whole>(
            keys: keys, presence: presence,
            read: { [read] whole, section in read(&whole[keyPath: part], section) },
            write: { [write] whole in write(whole[keyPath: part]) })
    }
}

/// One of a setting's keys, and how the value is written under this key.
struct Alternative<Value>: Sendable {
    let key: String
    /// The codec for values under this key; it writes nothing for values that belong to another key.
    let codec: Codec<Value>
    let about: String

    init(_ key: String, _ codec: Codec<Value>, _ about: String) {
        self.key = key
        self.codec = codec
        self.about = about
    }
}

/// How many of a setting's keys a file must have.
enum Presence: Equatable, Sendable {
    case optional
    /// Exactly one key must be present; the string describes the expected value.
    case needed(String)
    case oneAtMost
    case one
    /// If this other key is present, exactly one of the setting's keys must be present; otherwise, none may be.
    case beside(String)

    /// Whether a section has the required number of these keys; reports a mistake if not.
    ///
    /// Does not check ``beside(_:)``.
    fileprivate func holds(of keys: [String], in section: ConfigurationReader) -> Bool {
        let count = keys.count { section[$0] != nil }
        switch self {
        case .optional, .beside: return true
        case .needed(let what) where count == 0:
            section.at(keys.last ?? "").report(expected: what, found: "none")
            return false
        case .needed, .oneAtMost, .one:
            if count == 1 || count == 0 && self == .oneAtMost { return true }
            section.report(
                expected: "one of \(Words.all(keys))", found: count == 0 ? "none" : "\(count)")
            return false
        }
    }
}

/// One key of a setting, without the type of its value.
struct SettingKey: Sendable {
    let name: String
    let about: String
    let schema: @Sendable (inout SchemaWriter) -> JSONObject
    let merge: @Sendable (Node, Node) -> Node
}

/// Writes a JSON Schema that defines each section only once; every use refers to the definition.
///
/// Rule: JSON Schema, draft 2020-12.
struct SchemaWriter {
    /// Whether the schema is for settings beside a preset, all of which are optional.
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

    /// Returns a reference to the definition with this name, and calls `make` to write the definition if it is new.
    ///
    /// The definition may refer to itself.
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

    /// Calls `make` with ``isBesidePreset`` set to this value, and then restores the old value.
    mutating func describing(
        besidePreset isBesidePreset: Bool, _ make: (inout Self) -> JSONObject
    ) -> JSONObject {
        let before = self.isBesidePreset
        self.isBesidePreset = isBesidePreset
        defer { self.isBesidePreset = before }
        return make(&self)
    }

    /// Adds the rules that follow from each setting's ``Presence``, that is, how many of its keys a section must
    /// contain.
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

/// JSON Schemas of simple values. A pattern is a regular expression (ECMA-262).
extension JSONObject {
    /// Any scalar, because text without quotation marks can look like a number.
    static let anyText: JSONObject = ["type": ["string", "number", "boolean"]]

    /// One character; a digit may also be a number without quotation marks.
    static let character: JSONObject = [
        "anyOf": [
            ["type": "string", "minLength": 1, "maxLength": 1],
            ["type": "integer", "minimum": 0, "maximum": 9],
        ]
    ]

    /// A string; without quotation marks, it may look like a number or Boolean.
    static func text(minimum: Int64 = 0, pattern: String? = nil) -> JSONObject {
        var schema = anyText
        if minimum > 0 { schema.append("minLength", .integer(minimum)) }
        if let pattern { schema.append("pattern", .string(pattern)) }
        return schema
    }

    /// A string that matches a pattern.
    ///
    /// The pattern must not match any number, because a number without quotation marks is not a string in YAML.
    static func string(pattern: String) -> JSONObject {
        ["type": "string", "pattern": .string(pattern)]
    }

    /// One of several words; a word that YAML reads as a number or a boolean may also be written without quotes.
    static func either(_ words: [String]) -> JSONObject {
        let plain = words.map(JSONValue.init(plain:)).filter { $0.string == nil }
        return ["enum": .array(words.map(JSONValue.string) + plain)]
    }

    static func any(of schemas: JSONObject...) -> JSONObject {
        ["anyOf": .array(schemas.map(JSONValue.object))]
    }
}
