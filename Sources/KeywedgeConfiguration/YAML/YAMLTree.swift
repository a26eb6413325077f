import WireText
import Yams

/// A part of a YAML document with its place in the file, before anything is decided about types.
///
/// Scalars keep their text: here, `0627` and `1e10` are product numbers, and `NO` is a country.
struct YAMLTree: Equatable {
    enum Content: Equatable {
        /// A text; plain if it has no quotation marks.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLTree])
        /// Keys with values, in the order of the file.
        case mapping([Entry])
        /// A value with an anchor or a tag, or an alias, described in words. Its content is left out, because aliases
        /// of aliases could expand to more than fits into memory.
        case refused(Phrase)
    }

    struct Entry: Equatable {
        let key: YAMLTree
        let value: YAMLTree
    }

    /// The expected value in place of an anchor, an alias or a tag.
    static let expectedValue = "the value itself (anchors, aliases and tags are not read)"

    let content: Content
    /// The line it starts on, from 1.
    let line: Int
    /// The column it starts in, in Unicode scalars from 1.
    let column: Int

    /// Moves a value to the line of its key, so that a message about the value names that line.
    ///
    /// The elements of the value keep their own places.
    func placed(at key: YAMLTree) -> YAMLTree {
        guard line != key.line else { return self }
        return YAMLTree(content: content, line: key.line, column: key.column)
    }

    /// Whether YAML reads this as no value: empty, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    var isMapping: Bool { if case .mapping = content { true } else { false } }

    var isSequence: Bool { if case .sequence = content { true } else { false } }
}

extension YAMLTree {
    init(_ node: Node) {
        let content: Content =
            if let anchor = node.anchor {
                .refused("the anchor \(quoted: "&" + anchor.rawValue) or its alias")
            } else if !Self.harmlessTags.contains(node.tag.description) {
                .refused("the tag \(quoted: node.tag.description)")
            } else {
                switch node {
                case .scalar(let scalar): .scalar(scalar.string, isPlain: scalar.style == .plain)
                case .sequence(let items): .sequence(items.map(Self.init))
                case .mapping(let pairs):
                    .mapping(pairs.map { Entry(key: Self($0.key), value: Self($0.value)) })
                case .alias(let alias): .refused("the alias \(quoted: "*" + alias.anchor.rawValue)")
                }
            }
        self.init(content: content, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    /// The tags that a value has without a tag in the file; quotation marks give `str` or `!`.
    private static let harmlessTags: Set<String> = [
        "", "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
    ]
}

extension YAMLTree {
    /// Overlays this tree with another one: mappings key by key, everything else as a whole.
    ///
    /// A key of the other tree removes the keys in the same group of `alternatives`. `merge` combines the two values of
    /// a key; without it, the other value wins.
    func overlaid(
        by other: YAMLTree, alternatives: [[String]] = [],
        _ merge: (String) -> ((YAMLTree, YAMLTree) -> YAMLTree)?
    ) -> YAMLTree {
        guard case .mapping(let entries) = content, case .mapping(let news) = other.content else {
            return other
        }
        let names = news.compactMap(\.name)
        let replaced = alternatives.filter { $0.contains(where: names.contains) }.flatMap(\.self)
        var result = entries.filter { entry in
            entry.name.map { names.contains($0) || !replaced.contains($0) } ?? true
        }
        for new in news {
            if let index = result.firstIndex(where: { $0.name != nil && $0.name == new.name }) {
                let merged = new.name.flatMap(merge)?(result[index].value, new.value) ?? new.value
                result[index] = Entry(key: new.key, value: merged)
            } else {
                result.append(new)
            }
        }
        return YAMLTree(content: .mapping(result), line: other.line, column: other.column)
    }

    /// Moves the whole tree to one place: that of the preset's name in the file.
    func moved(line: Int, column: Int) -> YAMLTree {
        func moved(_ tree: YAMLTree) -> YAMLTree { tree.moved(line: line, column: column) }
        let content: Content =
            switch content {
            case .scalar, .refused: content
            case .sequence(let items): .sequence(items.map(moved))
            case .mapping(let entries):
                .mapping(entries.map { Entry(key: moved($0.key), value: moved($0.value)) })
            }
        return YAMLTree(content: content, line: line, column: column)
    }

    /// Returns the value under a key; nil without the key.
    func value(of key: String) -> YAMLTree? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.name == key }?.value
    }

    /// Returns the tree without a key.
    func without(_ key: String) -> YAMLTree {
        guard case .mapping(let entries) = content else { return self }
        return YAMLTree(
            content: .mapping(entries.filter { $0.name != key }), line: line, column: column)
    }
}

extension YAMLTree.Entry {
    /// The key as a text; nil if it is a list, a mapping or refused.
    var name: String? {
        if case .scalar(let text, _) = key.content { text } else { nil }
    }
}

extension Node {
    /// A word, number or duration that needs no quotation marks.
    init(word: String) {
        self.init(word, .implicit, .plain)
    }

    /// A word, in quotation marks if it would be a number without them.
    init(choice: String) {
        if JSONValue(plain: choice).string == nil {
            self.init(text: choice)
        } else {
            self.init(word: choice)
        }
    }

    /// Any text, in quotation marks.
    init(text: String) {
        self.init(text, Tag(.str), .doubleQuoted)
    }

    /// Writes the value as a YAML document, with everything outside printable ASCII escaped.
    ///
    /// Throws libyaml's error, which can only mean that memory is exhausted.
    func text() throws -> String { try Yams.serialize(node: self, width: -1) }

    /// The value as the lines of a YAML document.
    var lines: [String] {
        // libyaml can write whatever it could read, unless memory is out.
        ((try? text()) ?? "").split(separator: "\n").map(String.init)
    }

    /// The value of a setting as JSON; nil for a section, whose settings have values of their own.
    var settingValue: JSONValue? {
        if case .mapping(let mapping) = self, !mapping.isEmpty { return nil }
        return json
    }

    var json: JSONValue {
        switch self {
        case .scalar(let scalar):
            scalar.style == .plain ? JSONValue(plain: scalar.string) : .string(scalar.string)
        case .sequence(let sequence): .array(sequence.map(\.json))
        case .mapping(let mapping):
            .object(
                mapping.reduce(into: JSONObject()) { object, pair in
                    object.append(pair.key.string ?? "", pair.value.json)
                })
        case .alias: .null
        }
    }
}

extension JSONValue {
    /// Reads a scalar without quotation marks as editors and most YAML readers do.
    ///
    /// Rule: YAML 1.2.2, section 10.3.2 (tag resolution of the core schema). Infinities and NaN stay
    /// texts, since JSON has neither.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default: self = Self.number(text) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> JSONValue? {
        if text.hasPrefix("0o") { return Int64(text.dropFirst(2), radix: 8).map(JSONValue.integer) }
        if text.hasPrefix("0x") {
            return Int64(text.dropFirst(2), radix: 16).map(JSONValue.integer)
        }
        if let number = Int64(text) { return .integer(number) }
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }),
            text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text)
        else { return nil }
        return value.isFinite ? JSONNumber("\(value)").map(JSONValue.number) : nil
    }
}
