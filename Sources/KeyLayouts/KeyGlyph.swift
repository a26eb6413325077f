internal import Keystrokes
internal import WireText

/// How a key's character appears in a keyboard picture: safe for a terminal and two columns wide.
struct KeyGlyph {
    let text: String
    /// The character, if ``text`` shows only `□` in its place; otherwise nil.
    let hidden: Unicode.Scalar?

    static let columns = 2

    init?(_ meaning: KeyMeaning, on table: KeyTable) {
        switch meaning {
        case .character(let character):
            hidden = Self.isHidden(character) ? character : nil
            text = Self.padded(Self.symbol(character), columns: Self.isWide(character) ? 2 : 1)
        case .dead(let dead):
            hidden = nil
            let accent = Self.accent(of: dead, on: table).map(Self.symbol) ?? ""
            text = Self.padded(accent + "*", columns: accent.isEmpty ? 1 : 2)
        default: return nil
        }
    }

    /// Returns a visible, narrow character that represents a dead key; nil if no such character exists.
    private static func accent(of dead: DeadKey, on table: KeyTable) -> Unicode.Scalar? {
        for next in [.dead(dead), .character(" ")] as [KeyMeaning] {
            guard case .character(let character) = table.composed(dead, with: next),
                !isWide(character), !isHidden(character)
            else { continue }
            return character
        }
        return nil
    }

    private static func padded(_ text: String, columns used: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - used))
    }

    /// Returns the character itself, or a visible substitute if it is unsafe, blank or combining.
    private static func symbol(_ character: Unicode.Scalar) -> String {
        if character == " " { return "␣" }
        if character.value < 0x20 {
            // The Unicode block Control Pictures.
            return Unicode.Scalar(0x2400 + character.value).map(String.init) ?? "□"
        }
        if character.value == 0x7F { return "␡" }
        if isHidden(character) { return "□" }
        switch character.properties.generalCategory {
        case .spaceSeparator: return "␣"
        case .nonspacingMark, .enclosingMark, .spacingMark: return "◌\(character)"
        default: return String(character)
        }
    }

    /// Whether the character is invisible or unsafe for a terminal.
    private static func isHidden(_ character: Unicode.Scalar) -> Bool {
        if character.value < 0x80 { return false }
        switch character.properties.generalCategory {
        case .format, .privateUse, .unassigned, .control, .surrogate, .lineSeparator,
            .paragraphSeparator, .spaceSeparator:
            return true
        default: return Escaping.isUnsafe(character)
        }
    }

    /// Whether the character is two columns wide in a terminal, as East Asian characters are.
    ///
    /// Source: EastAsianWidth.txt, classes W and F, reduced to characters that occur on keyboards.
    private static func isWide(_ character: Unicode.Scalar) -> Bool {
        switch character.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0xA4CF, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            true
        default: character.properties.isEmojiPresentation
        }
    }
}
