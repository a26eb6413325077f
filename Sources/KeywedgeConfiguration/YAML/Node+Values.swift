import WireText
import Yams

extension Node {
    /// A word, number or duration of ours, which needs no quotation marks.
    init(word: String) {
        self.init(word, .implicit, .plain)
    }

    /// A word of ours, in quotation marks where it would otherwise be a number.
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

    /// The value as a YAML document.
    ///
    /// - Returns: The text; everything outside printable ASCII is escaped.
    /// - Throws: What libyaml says where it cannot write, which it can unless memory is out.
    func text() throws -> String { try Yams.serialize(node: self, width: -1) }

    /// The value as the lines of a YAML document.
    var lines: [String] {
        // libyaml can write whatever it could read, unless memory is out.
        ((try? text()) ?? "").split(separator: "\n").map(String.init)
    }

    /// The value of a setting as JSON; nil for a section, of which each setting has its own.
    var settingValue: JSONValue? {
        if case .mapping(let mapping) = self, !mapping.isEmpty { return nil }
        return json
    }

    private var json: JSONValue {
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
