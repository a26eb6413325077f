package import Barcodes
package import KeyLayouts
package import Keystrokes
package import ScannerInput
import WireText

/// The settings of one scanner; ``section`` explains each of them.
package struct ScannerConfiguration: Equatable, Sendable {
    package var name: String
    package var match: DeviceMatch
    package var layout = CompiledLayout.us
    package var caps = CapsHandling.track
    package var altNumpad = false
    package var altNumpadCheck = true
    package var unicodeEntry = false
    /// The keys that begin a scan; empty if any key begins a scan (`none` in the file).
    package var start = ScanSettings.Terminators.none
    /// The keys that end a scan; empty if only a pause ends a scan (`none` in the file).
    package var terminators = ScanSettings.Terminators.enter
    package var terminatorPause = Duration.zero
    /// The shortest pause that makes a scan invalid or, without ``terminators``, ends it.
    ///
    /// A value above ``recovery`` also raises ``recovery`` to that value.
    package var idleTimeout = Duration.milliseconds(500) {
        didSet { recovery = max(recovery, idleTimeout) }
    }
    /// How long a scanner must be quiet before a broken scan ends without a terminator.
    package var recovery = Duration.seconds(10)
    /// How long after a scan the same code is rejected as a repeat; nil to accept repeats.
    package var repeats: Duration?
    package var length = 1...4096
    package var encoding = TypedEncoding.characters
    package var prefix = ""
    package var suffix = ""
    package var aim = true
    package var codeIdentifiers = CodeIdentifiers.none
    package var controlNames: [ControlNames] = []
    package var substitutes: [Unicode.Scalar: Unicode.Scalar] = [:]
    package var content = BarcodeDecoder.Settings.Content.any
    package var upcE = BarcodeDecoder.Settings.UPCE.expanded
    package var keys: [KeyCode: KeyMeaning] = [:]
    /// The settings of a serial scanner's port, without the ``feedbackCommands``.
    package var serial = SerialSettings()
    package var feedback = FeedbackConfiguration()
    package var feedbackCommands: [ScannerSignal: [UInt8]] = [:]

    /// Creates a scanner with default settings, which `change` can modify.
    package init(
        name: String, match: DeviceMatch = DeviceMatch(), change: (inout Self) -> Void = { _ in }
    ) {
        self.name = name
        self.match = match
        change(&self)
    }

    /// The layout and every setting that differs from its default, as YAML lines.
    package var lines: [String] { Self.section.changes(in: self, always: ["layout"]) }

    package var scanSettings: ScanSettings {
        var (table, ends) = (layout.table, terminators)
        // A single key in `keys` overrides `enter`, which means both Enter keys.
        for (key, meaning) in keys {
            table.register(meaning, for: key)
            if meaning == .terminator { ends.keys.insert(key) } else { ends.keys.remove(key) }
        }
        return ScanSettings(
            table: table, caps: caps, hasAltNumpad: altNumpad, checksAltNumbers: altNumpadCheck,
            hasUnicodeEntry: unicodeEntry,
            start: start, terminators: ends, terminatorPause: terminatorPause,
            idleTimeout: idleTimeout, recovery: recovery, repeatWindow: repeats, lengths: length,
            encoding: encoding, prefix: prefix, suffix: suffix, splitsAIMIdentifier: aim,
            codeIdentifiers: codeIdentifiers, controlNames: Set(controlNames),
            substitutes: substitutes)
    }

    package var serialSettings: SerialSettings {
        var settings = serial
        settings.commands = feedbackCommands
        return settings
    }
}

extension Configuration {
    package func decoder(for scanner: ScannerConfiguration) -> BarcodeDecoder {
        var settings = barcodes
        settings.content = scanner.content
        settings.upcE = scanner.upcE
        return BarcodeDecoder(settings: settings)
    }
}

extension ScannerConfiguration {
    /// Reports settings of a keyboard scanner that can never take effect or that conflict with each other.
    func reportUntypable(_ section: ConfigurationReader) {
        // Only keyboards type.
        guard !match.isForPorts, match.interface != .hidPOS else { return }
        let settings = scanSettings
        if settings.terminators.isEmpty, !terminators.isEmpty {
            section["keys"]?.report(
                expected: "a terminator that stays one",
                found: "every key that ends a scan with another meaning")
        }
        if settings.terminators.isEmpty, terminatorPause > .zero {
            section["terminator_pause"]?.report(
                expected: "a terminator for the pause to follow", found: "none among terminators")
        }
        reportUnseenStarts(section, settings)
        reportNumberKeys(section, settings)
        reportCharacters(section, settings)
    }

    /// Reports start keys that could never begin a scan, such as modifiers.
    private func reportUnseenStarts(_ section: ConfigurationReader, _ settings: ScanSettings) {
        // Keys that end a scan are never ignored; without terminators, the start keys end a scan.
        guard !settings.terminators.isEmpty else { return }
        let candidates = settings.start.keys.subtracting(settings.terminators.keys)
        for key in candidates.sorted(by: { $0.rawValue < $1.rawValue }) {
            let what: String
            switch settings.table[key, []] {
            case .modifier(let modifier): what = modifier.name
            case .capsLock: what = "Caps Lock"
            case .ignored: what = "passed over"
            default: continue
            }
            section["start"]?.report(
                expected: "keys that are pressed by themselves",
                found: "\(key.name), which is \(what)")
        }
    }

    /// Reports keys in `keys`, `start` or `terminators` that the scanner also uses to type characters as numeric codes.
    ///
    /// A key with a second meaning would corrupt such a code or keep it from ending.
    private func reportNumberKeys(_ section: ConfigurationReader, _ settings: ScanSettings) {
        var digits: [KeyCode] = []
        if altNumpad { digits += [.leftalt, .rightalt] + AltNumber.keys }
        if unicodeEntry { digits += KeyCode.ofUnicodeNumbers }
        let claims: [(String, Set<KeyCode>)] = [
            ("keys", Set(keys.keys)), ("start", settings.start.keys),
            ("terminators", settings.terminators.keys.subtracting(keys.keys)),
        ]
        for (setting, keys) in claims {
            let key = keys.intersection(digits).min { $0.rawValue < $1.rawValue }
            guard let key else { continue }
            section[setting]?.report(
                expected: "keys that type no part of a number (alt_numpad, unicode_entry)",
                found: "\(key.name)")
        }
    }

    /// Reports characters in settings such as `prefix` that the scanner can never type there.
    private func reportCharacters(_ section: ConfigurationReader, _ settings: ScanSettings) {
        let settled: [(key: String, characters: [Unicode.Scalar], isEnd: Bool)] = [
            ("start", start.characters.sorted(), true),
            ("terminators", terminators.characters.sorted(), true),
            ("prefix", Array(prefix.unicodeScalars), false),
            ("suffix", Array(suffix.unicodeScalars), false),
            ("substitutes", substitutes.keys.sorted(), false),
            ("control_names", controlNames.flatMap(\.brackets), false),
        ]
        // Making a typist takes some milliseconds, and most scanners have no such characters.
        guard settled.contains(where: { !$0.characters.isEmpty }) else { return }
        let typist = ScanTypist(settings: settings)
        for (key, characters, isEnd) in settled {
            func obstacle(_ character: Unicode.Scalar) -> ScanTypist.Obstacle? {
                guard isEnd else { return typist.obstacle(to: character) }
                return typist.canType(atEnds: character) ? nil : .noKey
            }
            guard let character = characters.first(where: { obstacle($0) != nil }),
                let obstacle = obstacle(character)
            else { continue }
            let found: Phrase = "\(quoted: String(character))"
            let (expected, end): (String, Phrase) =
                switch obstacle {
                case .noKey: ("characters that layout \(layout.layout) can type", "")
                case .notInEncoding: ("characters that \(encoding.rawValue) has", "")
                case .endsScan: ("characters that do not end a scan", ", which does")
                }
            section[key]?.report(expected: expected, found: found + end)
        }
    }
}

extension KeyCode {
    /// The keys that enter a character by its code point: Ctrl, Shift, U and the hexadecimal digits.
    fileprivate static let ofUnicodeNumbers =
        [leftctrl, rightctrl, leftshift, rightshift]
        + "UABCDEF0123456789".compactMap { KeyCode(name: "KEY_\($0)") }
}
