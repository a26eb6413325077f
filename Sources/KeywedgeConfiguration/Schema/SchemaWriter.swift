import WireText

/// Writes a JSON Schema: what a section may be is said once, and referred to.
///
/// Rule: JSON Schema, draft 2020-12.
struct SchemaWriter {
    /// Whether what is described stands beside a preset, which has what would have to be there.
    private(set) var isBesidePreset = false
    private var definitions = JSONObject()
    private var names: Set<String> = []

    /// Writes the schema of a whole file.
    ///
    /// - Parameters:
    ///   - title: What the file is.
    ///   - codec: How it stands there.
    /// - Returns: The schema.
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

    /// Describes something once, under a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - make: Describes it; it may refer to itself.
    /// - Returns: A reference to it.
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

    /// Describes something as it is beside a preset, or, in there, what must be complete.
    ///
    /// - Parameters:
    ///   - isBesidePreset: Which of the two.
    ///   - make: Describes it.
    /// - Returns: The schema.
    mutating func describing(
        besidePreset isBesidePreset: Bool, _ make: (inout Self) -> JSONObject
    ) -> JSONObject {
        let before = self.isBesidePreset
        self.isBesidePreset = isBesidePreset
        defer { self.isBesidePreset = before }
        return make(&self)
    }

    /// Says how often settings must be in a section.
    func require<Root>(_ settings: [Setting<Root>], in schema: inout JSONObject) {
        var required: [JSONValue] = []
        var all: [JSONValue] = []
        for setting in settings {
            let keys = setting.keys.map { JSONValue.string($0.name) }
            let each = keys.map { JSONValue.object(["required": [$0]]) }
            switch setting.presence {
            case .optional: break
            case .needed where isBesidePreset: break
            case .needed where keys.count == 1: required += keys
            case .needed: all.append(["anyOf": .array(each)])
            case .one where !isBesidePreset: all.append(["oneOf": .array(each)])
            case .beside(let other):
                all.append([
                    "if": ["required": [.string(other)]], "then": ["oneOf": .array(each)],
                    "else": ["not": ["anyOf": .array(each)]],
                ])
            case .one, .oneAtMost:
                all.append(["oneOf": .array(each + [["not": ["anyOf": .array(each)]]])])
            }
        }
        if !required.isEmpty { schema.append("required", .array(required)) }
        if !all.isEmpty { schema.append("allOf", .array(all)) }
    }
}

/// What values can be, as JSON Schema.
extension JSONObject {
    /// Any scalar: a text may stand in a file without quotation marks, and look like a number.
    static let anyText: JSONObject = ["type": ["string", "number", "boolean"]]

    /// One character: a digit may stand in a file without quotation marks.
    static let character: JSONObject = [
        "anyOf": [
            ["type": "string", "minLength": 1, "maxLength": 1],
            ["type": "integer", "minimum": 0, "maximum": 9],
        ]
    ]

    /// A text that may look like a number.
    ///
    /// - Parameters:
    ///   - minimum: How many characters it has at least.
    ///   - pattern: What it looks like, as a regular expression (ECMA-262).
    /// - Returns: The schema.
    static func text(minimum: Int64 = 0, pattern: String? = nil) -> JSONObject {
        var schema = anyText
        if minimum > 0 { schema.append("minLength", .integer(minimum)) }
        if let pattern { schema.append("pattern", .string(pattern)) }
        return schema
    }

    /// A text that looks like no number.
    ///
    /// - Parameter pattern: What it looks like, as a regular expression (ECMA-262).
    /// - Returns: The schema.
    static func string(pattern: String? = nil) -> JSONObject {
        var schema: JSONObject = ["type": "string"]
        if let pattern { schema.append("pattern", .string(pattern)) }
        return schema
    }

    /// One of several words; without quotation marks, one that is a number is none.
    static func either(_ words: [String]) -> JSONObject {
        let plain = words.map(JSONValue.init(plain:)).filter { $0.string == nil }
        return ["enum": .array(words.map(JSONValue.string) + plain)]
    }

    /// Any of several.
    static func any(of schemas: JSONObject...) -> JSONObject {
        ["anyOf": .array(schemas.map(JSONValue.object))]
    }
}
