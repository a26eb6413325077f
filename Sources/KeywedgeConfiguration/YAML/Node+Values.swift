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

extension JSONValue {
    /// What a scalar without quotation marks is to most that read YAML, and to editors.
    ///
    /// Rule: YAML 1.2.2, section 10.3.2 (tag resolution of the core schema); infinities and what is
    /// no number stay texts, since JSON has neither.
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
