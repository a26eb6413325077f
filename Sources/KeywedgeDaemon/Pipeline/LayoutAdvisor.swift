import Events
package import KeyLayouts
package import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import Synchronization
import WireText

/// Reports a scan that looks as if the scanner typed on another layout than the configured one.
///
/// The 36 layouts it compares with are compiled for the first text that looks odd, once for each
/// configured layout, and kept. Registers whose scanners are set up well never compile them.
package final class LayoutAdvisor: Sendable {
    /// Where to compile layouts, which takes a fraction of a second.
    package enum Compiling: Sendable {
        /// Before the finding is returned: the same scans always produce the same findings.
        case inPlace
        /// On a thread of its own: no scan waits, and scans have no finding until the layouts are compiled.
        case aside
    }

    private let layouts: PerScanner<CompiledLayout>
    private let compiling: Compiling
    /// Keyed by the configured layout; nil while the layouts for the comparison are being compiled.
    private let suspicions = Mutex<[KeyLayout: LayoutSuspicion?]>([:])

    package init(configuration: Configuration, compiling: Compiling) {
        layouts = PerScanner(configuration) { $0.layout }
        self.compiling = compiling
    }

    /// The layouts that are likelier for a scan than the configured one; nil if there is no
    /// evidence.
    package func finding(in scan: Scan, from scanner: ScannerLabel) -> LayoutFinding? {
        guard scan.aim == nil, scan.features.isDisjoint(with: Self.unlikeKeys),
            LayoutSuspicion.isWorthALook(scan.text)
        else { return nil }
        return suspicion(of: layouts[scanner.settingsName])?.finding(in: scan.text)
    }

    /// The layouts that have the key that the configured layout lacks; nil if no layout has it.
    package func finding(in rejection: Rejection, from scanner: ScannerLabel) -> LayoutFinding? {
        guard rejection.reason == .unmappedKey, let key = rejection.key, let level = key.level
        else { return nil }
        return suspicion(of: layouts[scanner.settingsName])?.finding(
            in: rejection.text, before: Typist.Keystroke(key: key.key, level: level))
    }

    /// Features of texts that come from numbers or names rather than from the layout's keys alone.
    private static let unlikeKeys: ScanFeatures = [
        .altNumpad, .unicodeEntry, .encoding, .controlName, .substitute, .codeIdentifier,
    ]

    private func suspicion(of layout: CompiledLayout) -> LayoutSuspicion? {
        let isFirst = suspicions.withLock { suspicions in
            guard suspicions[layout.layout] == nil else { return false }
            suspicions.updateValue(nil, forKey: layout.layout)
            return true
        }
        if isFirst, case .aside = compiling {
            do {
                try WaitingThread.start { self.compile(for: layout) }
            } catch {
                // Let the next odd scan try again.
                suspicions.withLock { _ = $0.removeValue(forKey: layout.layout) }
            }
            return nil
        }
        if isFirst { compile(for: layout) }
        return suspicions.withLock { $0[layout.layout] ?? nil }
    }

    private func compile(for layout: CompiledLayout) {
        let suspicion = LayoutSuspicion(comparing: layout)
        suspicions.withLock { $0[layout.layout] = suspicion }
    }
}

extension LayoutSuspicion {
    /// Compares a configured layout with those that are common on scanners.
    ///
    /// Without installed keyboard data there is only the US layout to compare with.
    fileprivate init(comparing configured: CompiledLayout) {
        self.init(configured: configured)
        add(.us)
        guard let compiler = try? KeyLayoutCompiler() else { return }
        for layout in KeyLayout.commonOnScanners where layout != .us {
            if let candidate = try? compiler.compile(layout) { add(candidate) }
        }
    }
}

extension LayoutFinding {
    /// The finding as an entry of `problems`.
    var data: JSONObject {
        .warning("layout-suspect", "The layout may be another: \(description).")
    }
}

extension UnmappedKey {
    /// The level the key was pressed at; nil if Alt or Meta makes it no text at all.
    fileprivate var level: KeyLevel? {
        var level: KeyLevel = []
        for modifier in modifiers {
            switch modifier {
            case .leftShift, .rightShift: level.insert(.shift)
            case .leftControl, .rightControl: level.insert(.control)
            case .altGr: level.insert(.altGr)
            case .level5: level.insert(.level5)
            case .alt, .meta: return nil
            }
        }
        return level
    }
}
