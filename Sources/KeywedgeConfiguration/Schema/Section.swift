import WireText
import Yams

/// A mapping with known keys: the settings of one struct.
struct Section<Root: Sendable>: Sendable {
    /// The name in the JSON Schema.
    private let name: String
    /// The struct with all its defaults, and with arbitrary values for required settings.
    let blank: Root
    /// The settings, in the order in which they are read and written.
    private let settings: [Setting<Root>]
    private let isOnOneLine: @Sendable (Root) -> Bool
    private let exclusive: [[String]]
    private let former: [String: String]
    private let extra: JSONObject
    private let prepare: @Sendable (SectionReader<Root>) -> Void
    private let check: @Sendable (inout Root, SectionReader<Root>) -> Void

    /// Declares a section.
    ///
    /// `exclusive` lists groups of keys: a key in the file removes the other keys of its group from a preset. `former`
    /// maps keys of earlier versions to advice on what to write instead. `extra` adds to the JSON Schema. `prepare`
    /// examines the values before any setting is read. `check` examines the settings afterwards, and reports those that
    /// do not fit together.
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

    var codec: Codec<Root> {
        Codec(read: read, write: write, schema: schema, merge: merge)
    }

    /// Returns nil if the value is not a mapping, or lacks a required setting.
    @Sendable private func read(_ reader: ConfigurationReader) -> Root? {
        let keys = settings.flatMap(\.keys).map(\.name)
        guard let values = SectionValues(reader, keys: keys, former: former) else { return nil }
        var section = SectionReader(values: values, settings: settings)
        prepare(section)
        var root = blank
        // Missing settings are reported before wrong ones.
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

    /// Writes the settings that differ from their defaults, and those in `always`, as YAML lines.
    func changes(in root: Root, always: [PartialKeyPath<Root>]) -> [String] {
        let pairs = settings.compactMap { setting -> (Node, Node)? in
            guard let (key, value) = setting.write(root),
                always.contains(setting.place) || value != setting.write(blank)?.value
            else { return nil }
            return (Node(key), value)
        }
        return Node(pairs, .implicit, .block).lines
    }

    @Sendable private func merge(_ preset: Node, _ file: Node) -> Node {
        let alternatives = settings.map { $0.keys.map(\.name) }.filter { $0.count > 1 } + exclusive
        return preset.overlaid(by: file, alternatives: alternatives) { name in
            settings.lazy.flatMap(\.keys).first { $0.name == name }?.merge
        }
    }

    @Sendable private func schema(_ writer: inout SchemaWriter) -> JSONObject {
        writer.reference(to: name) { definition(&$0) }
    }

    /// Describes the section itself; `other` is a further required key.
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

/// Collects the settings of a section.
@resultBuilder enum Settings<Root> {
    static func buildExpression(_ setting: Setting<Root>) -> [Setting<Root>] { [setting] }
    static func buildExpression(_ settings: [Setting<Root>]) -> [Setting<Root>] { settings }
    static func buildBlock(_ settings: [Setting<Root>]...) -> [Setting<Root>] {
        settings.flatMap(\.self)
    }
}

/// The values in the file under the keys of a section.
struct SectionValues {
    /// The whole section.
    let reader: ConfigurationReader
    /// Whether the section has no key at all, not even an unknown one.
    let isEmpty: Bool
    private let values: [String: ConfigurationReader]

    /// Reads a mapping, and reports each unknown key with the nearest known one.
    init?(_ reader: ConfigurationReader, keys: [String], former: [String: String]) {
        let what = keys.count == 1 ? "the key " : "the keys "
        guard let entries = reader.entries("a mapping with \(what)\(keys.joined(separator: ", "))")
        else { return nil }
        var values: [String: ConfigurationReader] = [:]
        for (key, value) in entries {
            if keys.contains(key) {
                values[key] = value
            } else if reader.context.hasRoom {
                let expected = former[key] ?? Self.suggestion(for: key, keys)
                value.report(expected: expected, found: "an unknown key")
            }
        }
        self.reader = reader
        self.values = values
        isEmpty = entries.isEmpty
    }

    private static func suggestion(for key: String, _ known: [String]) -> String {
        let hint = NearestName.hint(for: key, in: known)
        if !hint.isEmpty { return "a known key\(hint)" }
        return known.count == 1 ? "the key \(known[0])" : "one of the keys \(Words.either(known))"
    }

    subscript(key: String) -> ConfigurationReader? { values[key] }

    /// Whether the section has no known key.
    var hasNoSetting: Bool { values.isEmpty }

    /// Whether the file has as many of a setting's keys as ``Presence`` demands; reports it if not.
    func holds(_ presence: Presence, _ keys: [String]) -> Bool {
        let count = keys.count { values[$0] != nil }
        switch presence {
        case .optional, .beside: return true
        case .needed(let what):
            if count == 0 { reader.at(keys.last ?? "").report(expected: what, found: "none") }
            return count > 0
        case .oneAtMost, .one:
            if count == 1 || count == 0 && presence == .oneAtMost { return true }
            reader.report(
                expected: "one of \(Words.all(keys))", found: count == 0 ? "none" : "\(count)")
            return false
        }
    }
}

extension NearestName {
    /// Returns ` (did you mean NAME?)`; nothing if no name is near.
    static func hint(for name: String, in known: [String], within limit: Int? = nil) -> String {
        let near = nearest(to: name, in: known, within: limit ?? max(1, name.count / 3))
        return near.map { " (did you mean \($0)?)" } ?? ""
    }
}

/// A section that finds the values in the file by their places in the struct.
struct SectionReader<Root> {
    let values: SectionValues
    let settings: [Setting<Root>]
    /// Whether no required setting is missing.
    var isComplete = true

    /// The whole section.
    var reader: ConfigurationReader { values.reader }

    /// The value in the file for a place in the struct; nil if the file has none.
    subscript(place: PartialKeyPath<Root>) -> ConfigurationReader? {
        settings.lazy.filter { $0.place == place }.flatMap(\.keys).compactMap { values[$0.name] }
            .first
    }

    /// Returns how many of the keys for a place in the struct the file has.
    func count(_ place: PartialKeyPath<Root>) -> Int {
        settings.filter { $0.place == place }.flatMap(\.keys).count { values[$0.name] != nil }
    }

    /// Returns a reader of the section itself, whose reports name the key of a place in the struct.
    func at(_ place: PartialKeyPath<Root>) -> ConfigurationReader {
        let key = settings.first { $0.place == place }?.keys.first
        return key.map { reader.at($0.name) } ?? reader
    }
}
