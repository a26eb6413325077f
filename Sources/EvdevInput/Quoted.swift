/// A text in double quotes with everything escaped that could act on a terminal or a log.
///
/// Names come from devices: anybody who plugs one in chooses them.
struct Quoted: CustomStringConvertible {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    var description: String {
        "\"" + text.unicodeScalars.map(Self.escape).joined() + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\" + String(scalar)
        case " "..."~": return String(scalar)
        default:
            let isHarmless = scalar.value > 0xA0 && !isInvisible(scalar)
            return isHarmless ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            true
        default: false
        }
    }
}
