import EvdevInput
package import KeyLayouts
package import Keystrokes
package import KeywedgeConfiguration
import Synchronization
import WireText

/// Says where a scan looks as if the scanner typed on another layout than is configured.
///
/// The layouts it compares with are compiled at the first text that looks odd, and kept: a
/// fraction of a second once, and nothing for registers whose scanners are set up well.
package final class LayoutAdvisor: Sendable {
    private let configured: [String: CompiledLayout]
    private let automatic: CompiledLayout
    private let suspicions = Mutex<[KeyLayout: LayoutSuspicion]>([:])

    /// Makes an advisor.
    ///
    /// - Parameter configuration: Says which layout each scanner has.
    package init(configuration: Configuration) {
        configured = Dictionary(
            configuration.scanners.map { ($0.name, $0.layout) }, uniquingKeysWith: { $1 })
        automatic = configuration.scanners.first { $0.match.isEmpty }?.layout ?? .us
    }

    /// The layout that is likelier for a scan than the configured one.
    ///
    /// - Parameters:
    ///   - scan: The scan.
    ///   - scanner: The name of its scanner.
    /// - Returns: The layout and what speaks for it; nil where nothing does.
    package func finding(in scan: Scan, from scanner: String) -> LayoutFinding? {
        guard scan.aim == nil, scan.features.isDisjoint(with: Self.unlikeKeys),
            LayoutSuspicion.isWorthALook(scan.text)
        else { return nil }
        return suspicion(of: scanner)?.finding(in: scan.text)
    }

    /// The layout that knows a key which the configured one does not.
    ///
    /// - Parameters:
    ///   - rejection: Keys that were rejected.
    ///   - scanner: The name of their scanner.
    /// - Returns: The layout and what speaks for it; nil where nothing does.
    package func finding(in rejection: Rejection, from scanner: String) -> LayoutFinding? {
        guard rejection.reason == .unmappedKey, let key = rejection.key, let level = key.level
        else { return nil }
        let keystroke = Typist.Keystroke(key: key.key, level: level)
        return suspicion(of: scanner)?.finding(in: rejection.text, before: keystroke)
    }

    /// Texts that no layout had a part in, or not alone.
    private static let unlikeKeys: ScanFeatures = [
        .altNumpad, .unicodeEntry, .encoding, .controlName, .substitute, .codeIdentifier,
    ]

    private func suspicion(of scanner: String) -> LayoutSuspicion? {
        let layout = configured[scanner] ?? automatic
        return suspicions.withLock { suspicions in
            if let known = suspicions[layout.layout] { return known }
            let made = Self.suspicion(configured: layout)
            suspicions[layout.layout] = made
            return made
        }
    }

    /// Where no keyboard data is installed there is nothing to compare with.
    private static func suspicion(configured: CompiledLayout) -> LayoutSuspicion {
        var suspicion = LayoutSuspicion(configured: configured)
        suspicion.add(.us)
        guard let compiler = try? KeyLayoutCompiler() else { return suspicion }
        for layout in KeyLayout.commonOnScanners where layout != .us {
            if let candidate = try? compiler.compile(layout) { suspicion.add(candidate) }
        }
        return suspicion
    }
}

extension LayoutFinding {
    /// The finding as an entry of `problems`.
    var data: JSONObject {
        [
            "code": "layout-suspect", "severity": "warning",
            "message": .string("The layout may be another: \(description)."), "at": .null,
        ]
    }
}

extension UnmappedKey {
    /// The level the key was pressed at; nil where Alt or Meta makes it no text at all.
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
