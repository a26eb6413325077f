/// How text from a file is shown in a message.
package enum Quoting {
    /// The longest text that is shown whole, in Unicode scalars.
    static let limit = 60

    /// The text in quotation marks, escaped, and cut after ``limit`` scalars.
    package static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = String(String.UnicodeScalarView(scalars.prefix(limit)))
        let cut = scalars.dropFirst(limit).isEmpty ? "" : "…"
        let inside = start.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : shown(scalar)
        }
        return "\"" + inside.joined() + cut + "\""
    }

    /// The text with every character escaped that could move a terminal or hide.
    package static func escaped(_ text: String) -> String {
        text.unicodeScalars.map(shown).joined()
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            return code(scalar)
        default:
            return String(scalar)
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let width = digits.count > 4 ? 8 : 4
        let mark = width == 8 ? "\\U" : "\\u"
        return mark + String(repeating: "0", count: width - digits.count) + digits
    }
}
