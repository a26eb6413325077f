import Events
import Keystrokes
import WireText

/// One key press as `monitor` shows it: the pause before it, the key, what was held, what it types.
struct KeyLine {
    private static let gapWidth = 10
    private static let keyWidth = 18
    private static let heldWidth = 12

    let key: KeyCode
    let reading: KeyReading
    /// The time since the key before, in microseconds; nil for the first.
    let gap: Int64?

    static let heading = columns("pause", "key", "held", "types")

    /// The line.
    var text: String {
        Self.columns(gap.map { Duration.microseconds($0).text } ?? "-", key.name, held, meaning)
    }

    /// A line that stands between those of keys.
    static func note(_ text: String) -> String {
        String(repeating: " ", count: gapWidth + 2) + text
    }

    private var held: String {
        var names: [String] = []
        for name in reading.modifiers.map(\.name) where !names.contains(name) { names.append(name) }
        if reading.locks.contains(.caps) { names.append("Caps") }
        return names.joined(separator: "+")
    }

    private var meaning: String {
        switch reading.meaning {
        case .unknown: "unknown"
        case .ignored: "ignored"
        case .character(let character): String(character).quoted()
        case .terminator: "ends the scan"
        case .modifier: "modifier"
        case .capsLock: "Caps Lock"
        case .dead: "dead key"
        case .unicodeEntry: "begins a number"
        }
    }

    private static func columns(
        _ gap: String, _ key: String, _ held: String, _ meaning: String
    ) -> String {
        let padding = String(repeating: " ", count: max(0, gapWidth - gap.utf8.count))
        return padding + gap + "  " + padded(key, to: keyWidth) + padded(held, to: heldWidth)
            + meaning
    }

    /// The text with at least one space behind it.
    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
