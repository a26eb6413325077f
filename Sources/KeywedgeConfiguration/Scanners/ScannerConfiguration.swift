package import Barcodes
package import EvdevInput
package import KeyLayouts
package import Keystrokes

/// One scanner: which device it is and how it types.
package struct ScannerConfiguration: Equatable, Sendable {
    /// The name, which becomes part of an event's source: `a`…`z`, `0`…`9`, `.`, `_` and `-`.
    package var name: String
    /// Which devices are this scanner.
    package var match: DeviceMatch
    /// The keyboard layout the scanner believes it types on.
    package var layout = CompiledLayout.us
    /// What the Caps Lock of the scanner does.
    package var caps = CapsHandling.track
    /// Whether characters are typed as numbers on the keypad while Alt is held (ALT mode).
    package var altNumpad = false
    /// Whether such numbers that seem to have lost a digit reject the scan.
    package var altNumpadCheck = true
    /// Whether characters are typed as numbers after Ctrl+Shift+U.
    package var unicodeEntry = false
    /// What begins a scan; empty where any key does (`none` in the file).
    package var start: [TerminatorConfiguration] = []
    /// What ends a scan; empty where only a pause does (`none` in the file).
    package var terminators: [TerminatorConfiguration] = [.enter]
    /// How long no key may follow a terminator for it to end the scan.
    package var terminatorPause = Duration.zero
    /// The pause between keys that breaks a scan, or ends it where there are no terminators;
    /// ``recovery`` becomes no shorter than it.
    package var idleTimeout = Duration.milliseconds(500) {
        didSet { recovery = max(recovery, idleTimeout) }
    }
    /// How long the scanner is quiet for a broken scan to be over; at least ``idleTimeout``.
    package var recovery = Duration.seconds(2)
    /// How many characters a scan may have.
    package var length = 1...4096
    /// What the characters typed stand for.
    package var encoding = TypedEncoding.characters
    /// The text that is taken off the front; empty for none.
    package var prefix = ""
    /// The text that is taken off the end; empty for none.
    package var suffix = ""
    /// Whether an AIM identifier in front is split off.
    package var aim = true
    /// The maker's own identifiers, one of which in front is split off.
    package var codeIdentifiers = CodeIdentifierConfiguration.none
    /// How control characters are spelled out.
    package var controlNames: [ControlNames] = []
    /// Characters that stand for others.
    package var substitutes: [Unicode.Scalar: Unicode.Scalar] = [:]
    /// What a text without AIM identifier may hold.
    package var content = BarcodeDecoder.Settings.Content.any
    /// How a UPC-E comes without AIM identifier.
    package var upcE = BarcodeDecoder.Settings.UPCE.expanded
    /// What single keys mean on this scanner, in place of what the layout says.
    package var keys: [KeyCode: KeyConfiguration] = [:]

    /// Makes a scanner that types as it left the factory, on the layout `us`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - match: Which devices are this scanner.
    ///   - change: Sets what is otherwise on this one.
    package init(
        name: String, match: DeviceMatch = DeviceMatch(), change: (inout Self) -> Void = { _ in }
    ) {
        self.name = name
        self.match = match
        change(&self)
    }
}

extension ScannerConfiguration {
    /// The layout, and what else is not as a scanner leaves the factory, as YAML lines.
    package var lines: [String] { Self.section.changes(in: self, always: [\.layout]) }
}

extension [TerminatorConfiguration] {
    /// The key that begins or ends scans; none where there is none of the usual ones.
    ///
    /// - Parameter ends: The keys.
    package init(_ ends: ScanSettings.Terminators) {
        let known: [(KeyCode, TerminatorConfiguration)] = [
            (.enter, .enter), (.tab, .tab), (.esc, .escape),
        ]
        self = known.first { ends.keys.contains($0.0) }.map { [$0.1] } ?? []
    }
}
