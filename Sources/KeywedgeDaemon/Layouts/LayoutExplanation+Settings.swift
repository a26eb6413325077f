public import KeyLayouts
import Keystrokes

extension LayoutExplanation {
    /// The lines for the configuration of the scanner, and remarks behind `#`.
    public var configurationLines: [String] {
        var lines = [layoutLine]
        if settings.caps != .track { lines.append("caps: \(settings.caps.rawValue)") }
        if settings.hasAltNumpad { lines.append("alt_numpad: true") }
        if settings.hasUnicodeEntry { lines.append("unicode_entry: true") }
        if !settings.start.isEmpty { lines.append("start: [\(Self.name(of: settings.start))]") }
        if settings.terminators != .enter {
            lines.append("terminators: [\(Self.name(of: settings.terminators))]")
        }
        return lines + remarks
    }

    private var layoutLine: String {
        "layout: \(layouts.first?.description ?? "us")"
    }

    private var remarks: [String] {
        if needsNoLayout {
            return [
                "# Every character comes as its number, for which the layout does not matter."
            ]
        }
        if anyLayoutDoes {
            return ["# Every layout explains these keys: they do not tell which it is."]
        }
        let others = layouts.dropFirst()
        guard !others.isEmpty else { return [] }
        let shown = others.prefix(8).map(\.description).joined(separator: ", ")
        let more = others.count > 8 ? " and \(others.count - 8) more" : ""
        return ["# The same keys type ASCII on: \(shown)\(more)."]
    }

    private static func name(of ends: ScanSettings.Terminators) -> String {
        if ends.keys.contains(.enter) { return "enter" }
        if ends.keys.contains(.tab) { return "tab" }
        return ends.keys.contains(.esc) ? "esc" : "none"
    }
}
