import WireText
import Yams

// Scalars keep their text until a setting decides on the type: `0627` and `1e10` are product numbers, `NO` a country.
extension Node {
    /// The words after `expected` in messages about an anchor, an alias or a tag.
    static let expectedValue = "the value itself (anchors, aliases and tags are not read)"

    /// The tags that libyaml assigns to values without a tag in the file; quoted values get `str` or `!`.
    private static let harmlessTags: Set<String> = [
        "", "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
    ]

    /// The anchor, alias or tag that makes the value invalid, in words; nil if the value has none of them.
    ///
    /// Aliases are rejected because nested aliases could expand to more than fits into memory.
    var refused: Phrase? {
        if let anchor { return "the anchor \(quoted: "&" + anchor.rawValue) or its alias" }
        if !Self.harmlessTags.contains(tag.description) {
            return "the tag \(quoted: tag.description)"
        }
        return alias.map { "the alias \(quoted: "*" + $0.anchor.rawValue)" }
    }

    var line: Int { mark?.line ?? 1 }

    /// The text of a scalar that is not ``refused``; nil for everything else.
    var text: String? { refused == nil ? scalar?.string : nil }

    /// The elements of a list that is not ``refused``; nil for everything else.
    var items: Node.Sequence? { refused == nil ? sequence : nil }

    /// The pairs of a mapping that is not ``refused``, in the order of the file; otherwise nil.
    var pairs: Node.Mapping? { refused == nil ? mapping : nil }

    /// Whether the value is null in YAML: empty, `~` or `null`, without quotation marks.
    var isNull: Bool { isPlain && text.map(JSONValue.init(plain:)) == .null }

    var isPlain: Bool { scalar?.style == .plain }

    /// Returns a copy with another position in the file; nested values keep their positions.
    func placed(at mark: Mark?) -> Node {
        switch self {
        case .scalar(var scalar):
            scalar.mark = mark
            return .scalar(scalar)
        case .sequence(var sequence):
            sequence.mark = mark
            return .sequence(sequence)
        case .mapping(var mapping):
            mapping.mark = mark
            return .mapping(mapping)
        case .alias: return self
        }
    }

    /// Returns a copy in which this value and all nested values have the position `mark` in the file.
    func moved(to mark: Mark?) -> Node {
        switch self {
        case .scalar, .alias: placed(at: mark)
        case .sequence(let items): Node(items.map { $0.moved(to: mark) }).placed(at: mark)
        case .mapping(let pairs):
            Node(pairs.map { ($0.key.moved(to: mark), $0.value.moved(to: mark)) }).placed(at: mark)
        }
    }

    /// Returns this mapping merged key by key with `other`; if either of the two is not a mapping, returns `other`.
    ///
    /// `merge` returns the function that combines the two values of a key, or nil to use the value in `other`.
    /// The keys in each list of `alternatives` exclude each other: a key in `other` removes the rest from this mapping.
    func overlaid(
        by other: Node, alternatives: [[String]] = [],
        _ merge: (String) -> ((Node, Node) -> Node)?
    ) -> Node {
        guard let pairs, let news = other.pairs else { return other }
        let names = news.keys.compactMap(\.text)
        let replaced = Set(alternatives.filter { $0.contains(where: names.contains) }.joined())
            .subtracting(names)
        var result = pairs.filter { key, _ in key.text.map { !replaced.contains($0) } ?? true }
        for (key, value) in news {
            if let name = key.text, let index = result.firstIndex(where: { $0.key.text == name }) {
                let merged = merge(name)?(result[index].value, value) ?? value
                result[index] = (key, merged)
            } else {
                result.append((key, value))
            }
        }
        return Node(result.map { ($0.key, $0.value) }).placed(at: other.mark)
    }

    /// Creates a scalar without quotation marks from a word, number or duration.
    init(word: String) {
        self.init(word, .implicit, .plain)
    }

    /// Creates a scalar from a word, in quotation marks if YAML would not read the word as a string.
    init(choice: String) {
        self = JSONValue(plain: choice).string == nil ? Node(text: choice) : Node(word: choice)
    }

    /// Creates a scalar in quotation marks from any string.
    init(text: String) {
        self.init(text, Tag(.str), .doubleQuoted)
    }

    /// The value as a YAML document, with everything outside printable ASCII escaped.
    var document: String {
        // libyaml can write every value that it could read, unless memory is exhausted.
        (try? Yams.serialize(node: self, width: -1)) ?? ""
    }

    var lines: [String] { document.split(separator: "\n").map(String.init) }

    /// The value as JSON, to show a setting's default; nil for a section.
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
    /// Creates a value from a plain (unquoted) scalar, which it interprets as editors and most YAML parsers do.
    ///
    /// Rule: YAML 1.2.2, section 10.3.2 (core schema); but numbers such as `0x1F` and `.inf` stay strings.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default:
            self =
                Int64(text).map(JSONValue.integer) ?? JSONNumber(text).map(JSONValue.number)
                ?? .string(text)
        }
    }
}
