import WireText

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
