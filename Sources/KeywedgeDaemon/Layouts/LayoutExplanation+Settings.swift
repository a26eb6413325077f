import Barcodes
package import KeyLayouts
import Keystrokes
import KeywedgeConfiguration

extension LayoutExplanation {
    /// Returns configuration lines that make keywedge read the scan's keys as `text`.
    package func configurationLines(for text: String) -> [String] {
        let isUnannounced = aim == nil && GS1Suspicion.isElementStrings(text)
        let layout = layouts.first ?? CompiledLayout.us.layout
        let scanner = ScannerConfiguration(name: "") {
            $0.layout = CompiledLayout(layout: layout, table: settings.table)
            $0.caps = settings.caps
            $0.altNumpad = settings.hasAltNumpad
            $0.unicodeEntry = settings.hasUnicodeEntry
            $0.start = settings.start
            $0.terminators = settings.terminators
            $0.controlNames = ControlNames.allCases.filter(settings.controlNames.contains)
            $0.substitutes = settings.substitutes
            $0.content = isUnannounced ? .gs1 : .any
        }
        return scanner.lines + remarks
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
}
