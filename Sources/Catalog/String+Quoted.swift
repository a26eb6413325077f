extension String {
    /// The text between quotation marks, fit for a message: one line, no controls, not too long.
    var quoted: String {
        var result = "\""
        for scalar in unicodeScalars.prefix(80) {
            result += Self.isHarmless(scalar) ? String(scalar) : Self.escaped(scalar)
        }
        return result + (unicodeScalars.count > 80 ? "…\"" : "\"")
    }

    /// Whether a character can neither break a line nor reach a terminal's controls.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            false
        default: true
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}
