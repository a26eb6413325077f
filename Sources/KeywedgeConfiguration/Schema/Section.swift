import WireText
import Yams

/// A mapping in the configuration file with known keys, whose values are stored in a `Root`.
struct Section<Root: Sendable>: Sendable {
    private let name: String
    /// The value that reading starts from, which contains the defaults.
    private let blank: Root
    private let settings: [Setting<Root>]
    private let isOnOneLine: @Sendable (Root) -> Bool
    private let former: [String: String]
    private let check: @Sendable (inout Root, ConfigurationReader) -> Void

    /// Declares a section.
    ///
    /// `former` maps each obsolete key to the text that its error message shows as the expected value.
    /// `check` is called for a complete section, and reports settings that conflict with each other.
    init(
        _ name: String, _ blank: Root, former: [String: String] = [:],
        onOneLine isOnOneLine: @escaping @Sendable (Root) -> Bool = { _ in false },
        @Settings<Root> _ settings: () -> [Setting<Root>],
        check: @escaping @Sendable (inout Root, ConfigurationReader) -> Void = { _, _ in }
    ) {
        self.name = name
        self.blank = blank
        self.settings = settings()
        self.isOnOneLine = isOnOneLine
        self.former = former
        self.check = check
    }

    var codec: Codec<Root> {
        Codec(read: read, write: write, schema: schema, merge: merge)
    }

    /// Reads a section and reports its mistakes; may return nil if there are any.
    @Sendable private func read(_ reader: ConfigurationReader) -> Root? {
        let keys = settings.flatMap(\.keys).map(\.name)
        let what = keys.count == 1 ? "the key " : "the keys "
        guard let entries = reader.entries("a mapping with \(what)\(keys.joined(separator: ", "))")
        else { return nil }
        for (key, value) in entries where !keys.contains(key) && reader.context.hasRoom {
            let expected = former[key] ?? Self.suggestion(for: key, keys)
            value.report(expected: expected, found: "an unknown key")
        }
        var root = blank
        // Report missing settings before invalid ones.
        let ordered = settings.filter(\.isNeeded) + settings.filter { !$0.isNeeded }
        let isComplete = ordered.reduce(true) {
            ($1.read(&root, reader) || $1.presence == .optional) && $0
        }
        guard isComplete else { return nil }
        check(&root, reader)
        return root
    }

    private static func suggestion(for key: String, _ known: [String]) -> String {
        let hint = NearestName.hint(for: key, in: known)
        if !hint.isEmpty { return "a known key\(hint)" }
        return known.count == 1 ? "the key \(known[0])" : "one of the keys \(Words.either(known))"
    }

    @Sendable private func write(_ root: Root) -> Node? {
        let pairs = settings.compactMap { $0.write(root) }.map { (Node($0.key), $0.value) }
        return Node(pairs, .implicit, pairs.isEmpty || isOnOneLine(root) ? .flow : .block)
    }

    /// Returns YAML lines of the settings that differ from their defaults or are in `always`.
    func changes(in root: Root, always: Set<String>) -> [String] {
        let pairs = settings.compactMap { setting -> (Node, Node)? in
            guard let (key, value) = setting.write(root),
                always.contains(key) || value != setting.write(blank)?.value
            else { return nil }
            return (Node(key), value)
        }
        return Node(pairs, .implicit, .block).lines
    }

    @Sendable private func merge(_ preset: Node, _ file: Node) -> Node {
        let alternatives = settings.map { $0.keys.map(\.name) }
        return preset.overlaid(by: file, alternatives: alternatives) { name in
            settings.lazy.flatMap(\.keys).first { $0.name == name }?.merge
        }
    }

    @Sendable private func schema(_ writer: inout SchemaWriter) -> JSONObject {
        writer.reference(to: name) { definition(&$0) }
    }

    /// Returns the JSON Schema of the section; `other` is an additional required key.
    func definition(
        _ writer: inout SchemaWriter, beside other: (key: String, schema: JSONObject)? = nil
    ) -> JSONObject {
        var properties = JSONObject()
        if let other { properties.append(other.key, .object(other.schema)) }
        for setting in settings {
            let standard = setting.presence == .optional ? setting.write(blank) : nil
            for key in setting.keys {
                var property = key.schema(&writer)
                property.append("description", .string(key.about))
                if standard?.key == key.name, let value = standard?.value.settingValue {
                    property.append("default", value)
                }
                properties.append(key.name, .object(property))
            }
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        if let other { schema.append("required", [.string(other.key)]) }
        writer.require(settings, in: &schema)
        schema.append("additionalProperties", false)
        return schema
    }
}

@resultBuilder enum Settings<Root> {
    static func buildExpression(_ setting: Setting<Root>) -> [Setting<Root>] { [setting] }
    static func buildExpression(_ settings: [Setting<Root>]) -> [Setting<Root>] { settings }
    static func buildBlock(_ settings: [Setting<Root>]...) -> [Setting<Root>] {
        settings.flatMap(\.self)
    }
}
