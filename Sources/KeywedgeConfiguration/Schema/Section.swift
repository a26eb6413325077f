import WireText
import Yams

/// A mapping with known keys: the settings of one struct.
struct Section<Root: Sendable>: Sendable {
    /// Its name in the JSON Schema.
    let name: String
    /// The struct with all its defaults; what must be in the file is anything.
    let blank: Root
    /// The settings, in the order they are read and written.
    let settings: [Setting<Root>]
    private let isOnOneLine: @Sendable (Root) -> Bool
    private let exclusive: [[String]]
    private let former: [String: String]
    private let extra: JSONObject
    private let prepare: @Sendable (SectionReader<Root>) -> Void
    private let check: @Sendable (inout Root, SectionReader<Root>) -> Void

    /// Declares a section.
    ///
    /// - Parameters:
    ///   - name: Its name in the JSON Schema.
    ///   - blank: The struct with all its defaults.
    ///   - exclusive: Keys of different settings of which one beside a preset takes the others away.
    ///   - former: Keys that an earlier keywedge had, and what to write instead.
    ///   - extra: What the JSON Schema says beyond what follows from the settings.
    ///   - isOnOneLine: Whether it is written on one line.
    ///   - prepare: Looks at what is there, ahead of the settings.
    ///   - settings: The settings, in the order they are read and written.
    ///   - check: Looks at all settings together, when they are read; reports what cannot be.
    init(
        _ name: String, _ blank: Root, exclusive: [[String]] = [], former: [String: String] = [:],
        schema extra: JSONObject = JSONObject(),
        onOneLine isOnOneLine: @escaping @Sendable (Root) -> Bool = { _ in false },
        prepare: @escaping @Sendable (SectionReader<Root>) -> Void = { _ in },
        @Settings<Root> _ settings: () -> [Setting<Root>],
        check: @escaping @Sendable (inout Root, SectionReader<Root>) -> Void = { _, _ in }
    ) {
        self.name = name
        self.blank = blank
        self.settings = settings()
        self.isOnOneLine = isOnOneLine
        self.exclusive = exclusive
        self.former = former
        self.extra = extra
        self.prepare = prepare
        self.check = check
    }

    /// The keys, in order.
    var keys: [String] { settings.flatMap(\.keys).map(\.name) }

    /// How the section stands in a file.
    var codec: Codec<Root> {
        Codec(read: read, write: write, schema: schema, merge: merge)
    }

    /// Reads it; nil where it is no mapping, and where something is missing or wrong without which
    /// there is no struct.
    @Sendable private func read(_ reader: ConfigurationReader) -> Root? {
        guard let values = SectionValues(reader, keys: keys, former: former) else { return nil }
        var section = SectionReader(values: values, settings: settings)
        prepare(section)
        var root = blank
        // What is missing is said ahead of what is wrong.
        for setting in settings.filter(\.isNeeded) + settings.filter({ !$0.isNeeded })
        where !setting.read(&root, values) {
            section.isComplete = false
        }
        check(&root, section)
        return section.isComplete ? root : nil
    }

    @Sendable private func write(_ root: Root) -> Node? {
        let pairs = settings.compactMap { $0.write(root) }.map { (Node($0.key), $0.value) }
        return Node(pairs, .implicit, pairs.isEmpty || isOnOneLine(root) ? .flow : .block)
    }

    /// What is not default, as YAML lines.
    ///
    /// - Parameters:
    ///   - root: The struct.
    ///   - always: Places that are written in any case.
    /// - Returns: The lines.
    func changes(in root: Root, always: [PartialKeyPath<Root>]) -> [String] {
        let pairs = settings.compactMap { setting -> (Node, Node)? in
            guard let (key, value) = setting.write(root),
                always.contains(setting.place) || value != setting.write(blank)?.value
            else { return nil }
            return (Node(key), value)
        }
        return Node(pairs, .implicit, .block).lines
    }

    @Sendable private func merge(_ preset: YAMLTree, _ file: YAMLTree) -> YAMLTree {
        let alternatives = settings.map { $0.keys.map(\.name) }.filter { $0.count > 1 } + exclusive
        return preset.overlaid(by: file, alternatives: alternatives) { name in
            settings.lazy.flatMap(\.keys).first { $0.name == name }?.merge
        }
    }

    @Sendable private func schema(_ writer: inout SchemaWriter) -> JSONObject {
        writer.reference(to: name) { definition(&$0) }
    }

    /// Describes the section itself.
    ///
    /// - Parameters:
    ///   - writer: Takes what it refers to.
    ///   - other: Another key that must be there, and what stands under it.
    /// - Returns: The schema.
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
        for member in extra.members { schema.append(member.key, member.value) }
        schema.append("additionalProperties", false)
        return schema
    }
}

/// Puts settings into a list.
@resultBuilder enum Settings<Root> {
    static func buildExpression(_ setting: Setting<Root>) -> [Setting<Root>] { [setting] }
    static func buildExpression(_ settings: [Setting<Root>]) -> [Setting<Root>] { settings }
    static func buildBlock(_ settings: [Setting<Root>]...) -> [Setting<Root>] {
        settings.flatMap(\.self)
    }
}
