/// A text value on a line of YAML.
enum YAMLScalar {
    /// Reads a plain, single-quoted or double-quoted value.
    ///
    /// libinput puts a device's name between double quotation marks as it is, with no escaping.
    /// Hence a backslash counts as an escape only ahead of another or of a quotation mark, and only
    /// the last quotation mark ends the text.
    ///
    /// - Parameter line: What follows the key and its colon.
    /// - Returns: The text; nil where it is empty.
    static func text(_ line: String) -> String? {
        let text: String
        if line.hasPrefix("\""), let inner = inner(of: line, "\"") {
            text = unescaped(inner)
        } else if line.hasPrefix("'"), let inner = inner(of: line, "'") {
            text = String(inner)
        } else {
            text = String(line)
        }
        return text.isEmpty ? nil : text
    }

    private static func inner(of line: String, _ mark: Character) -> Substring? {
        let inner = line.dropFirst()
        return inner.lastIndex(of: mark).map { inner[..<$0] }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            if character == "\\", let escape = rest.first, let meant = meaning[escape] {
                result.append(meant)
                rest.removeFirst()
            } else {
                result.append(character)
            }
        }
        return result
    }

    private static let meaning: [Character: Character] = ["\\": "\\", "\"": "\""]
}
