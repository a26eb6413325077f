package import KeyLayouts
package import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import Synchronization
import WireText

/// An advisor that detects scans suggesting a layout other than the configured one.
///
/// If a scan looks odd, the advisor determines what the same keys type on the other layouts that scanners often use.
/// For the first such scan on a configured layout, it compiles these layouts and stores which keys type ASCII on them.
package final class LayoutAdvisor: Sendable {
    /// Which thread compiles the layouts; compiling takes a fraction of a second.
    package enum Compiling: Sendable {
        /// The layouts are compiled on the calling thread, which makes the findings reproducible.
        case inPlace
        /// A separate thread compiles the layouts, while scans that need them get no findings.
        case aside
    }

    private let layouts: PerScanner<CompiledLayout>
    private let compiling: Compiling
    /// The comparison of each configured layout with common ones; nil until it is complete.
    private let suspicions = Mutex<[KeyLayout: LayoutSuspicion?]>([:])

    package init(configuration: Configuration, compiling: Compiling) {
        layouts = PerScanner(configuration) { $0.layout }
        self.compiling = compiling
    }

    /// Returns the layouts that fit a scan better than the configured one; nil if none are found.
    package func finding(in scan: Scan, from scanner: ScannerLabel) -> LayoutFinding? {
        guard scan.aim == nil, scan.features.isDisjoint(with: Self.unlikeKeys),
            LayoutSuspicion.isWorthALook(scan.text)
        else { return nil }
        return suspicion(of: layouts[scanner.settingsName])?.finding(in: scan.text)
    }

    /// Returns the layouts on which a rejected scan is ASCII text; nil if none are found.
    package func finding(in rejection: Rejection, from scanner: ScannerLabel) -> LayoutFinding? {
        guard rejection.reason == .unmappedKey, let key = rejection.key, let level = key.level
        else { return nil }
        return suspicion(of: layouts[scanner.settingsName])?.finding(
            in: rejection.text, before: Typist.Keystroke(key: key.key, level: level))
    }

    /// The features that make the advisor ignore a scan.
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
    /// Creates a detector that compares `configured` with the layouts common on scanners.
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
    var data: JSONObject {
        .warning("layout-suspect", "The layout may be another: \(description).")
    }
}

extension UnmappedKey {
    /// The shift level of the key press; nil if Alt or Meta was held, because the key then types no text.
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
