package import Barcodes
package import KeyLayouts
package import Keystrokes
package import ScannerInput

/// One scanner: which device it is and how it types.
package struct ScannerConfiguration: Equatable, Sendable {
    /// The name, which becomes part of an event's source: `a`…`z`, `0`…`9`, `.`, `_` and `-`.
    package var name: String
    /// Which devices are this scanner.
    package var match: DeviceMatch
    /// The keyboard layout the scanner believes it types on.
    package var layout = CompiledLayout.us
    /// The effect of Caps Lock.
    package var caps = CapsHandling.track
    /// Whether characters are typed as numbers on the keypad while Alt is held (ALT mode).
    package var altNumpad = false
    /// Whether such numbers that seem to have lost a digit reject the scan.
    package var altNumpadCheck = true
    /// Whether characters are typed as numbers after Ctrl+Shift+U.
    package var unicodeEntry = false
    /// The keys that begin a scan; empty if any key does (`none` in the file).
    package var start: [TerminatorConfiguration] = []
    /// The keys that end a scan; empty if only a pause does (`none` in the file).
    package var terminators: [TerminatorConfiguration] = [.enter]
    /// How long no key may follow a terminator for it to end the scan.
    package var terminatorPause = Duration.zero
    /// The pause between keys that breaks a scan, or ends it where there are no terminators;
    /// ``recovery`` becomes no shorter than it.
    package var idleTimeout = Duration.milliseconds(500) {
        didSet { recovery = max(recovery, idleTimeout) }
    }
    /// How long a scanner must be quiet before a broken scan is over; at least ``idleTimeout``.
    ///
    /// Longer than a Bluetooth scanner stalls: what it sends after a shorter wait would be read as a
    /// scan of its own, a code that has lost its beginning.
    package var recovery = Duration.seconds(10)
    /// The time within which the same code is a repeat, which is rejected; nil to keep repeats.
    package var repeats: Duration?
    /// How many characters a scan may have.
    package var length = 1...4096
    /// The meaning of the typed characters: themselves, or bytes of an encoding.
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
    /// The content that a text without AIM identifier may have.
    package var content = BarcodeDecoder.Settings.Content.any
    /// How a UPC-E comes without AIM identifier.
    package var upcE = BarcodeDecoder.Settings.UPCE.expanded
    /// The meanings of single keys on this scanner, which override the layout.
    package var keys: [KeyCode: KeyConfiguration] = [:]

    /// Makes a scanner with factory settings on the layout `us`, and changes them.
    package init(
        name: String, match: DeviceMatch = DeviceMatch(), change: (inout Self) -> Void = { _ in }
    ) {
        self.name = name
        self.match = match
        change(&self)
    }
}

extension ScannerConfiguration {
    /// The layout and every setting that differs from its default, as YAML lines.
    package var lines: [String] { Self.section.changes(in: self, always: [\.layout]) }
}

extension [TerminatorConfiguration] {
    /// The key that begins or ends scans; empty if it is neither Enter, Tab nor Esc.
    package init(_ ends: ScanSettings.Terminators) {
        let known: [(KeyCode, TerminatorConfiguration)] = [
            (.enter, .enter), (.tab, .tab), (.esc, .escape),
        ]
        self = known.first { ends.keys.contains($0.0) }.map { [$0.1] } ?? []
    }
}
