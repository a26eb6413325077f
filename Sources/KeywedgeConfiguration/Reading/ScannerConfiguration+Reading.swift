import EvdevInput
import KeyLayouts
import Keystrokes

extension ScannerConfiguration {
    enum Key: String, CaseIterable {
        case name, match, layout, caps
        case altNumpad = "alt_numpad"
        case unicodeEntry = "unicode_entry"
        case start, terminators
        case terminatorPause = "terminator_pause"
        case idleTimeout = "idle_timeout"
        case length, encoding, prefix, suffix, aim
        case codeIdentifiers = "code_identifiers"
        case controlNames = "control_names"
        case substitutes, keys
    }

    /// The pauses between keys that can end a scan.
    static let idleTimeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    /// Reads a scanner; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init(name: "")
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.name, into: &name, Self.name)
        mapping.read(.match, into: &match, DeviceMatch.init(reading:))
        readTyping(mapping)
        readEnds(mapping)
        readText(mapping)
        mapping.read(.keys, into: &keys, KeyConfiguration.map)
        if mapping[.name] == nil { reader.at("name").report(expected: "a name", found: "none") }
        reportUntypable(mapping)
    }

    /// Reads how keys become characters.
    private mutating func readTyping(_ mapping: ConfigurationMapping<Key>) {
        mapping.read(.layout, into: &layout, CompiledLayout.reading)
        mapping.read(.caps, into: &caps) { $0.choice(CapsHandling.self) }
        mapping.read(.altNumpad, into: &altNumpad) { $0.flag() }
        mapping.read(.unicodeEntry, into: &unicodeEntry) { $0.flag() }
    }

    /// Reads what begins and ends a scan.
    private mutating func readEnds(_ mapping: ConfigurationMapping<Key>) {
        mapping.read(.start, into: &start, TerminatorConfiguration.starts)
        mapping.read(.terminators, into: &terminators, TerminatorConfiguration.list)
        mapping.read(.idleTimeout, into: &idleTimeout) { $0.duration(in: Self.idleTimeouts) }
        let idle = idleTimeout
        mapping.read(.terminatorPause, into: &terminatorPause) { reader in
            guard let pause = reader.duration(in: .zero...Self.idleTimeouts.upperBound) else {
                return nil
            }
            guard pause < idle else {
                reader.report(expected: "less than idle_timeout (\(DurationText.text(idle)))")
                return nil
            }
            return pause
        }
        mapping.read(.length, into: &length, LengthBounds.bounds)
    }

    /// Reads how characters become the text.
    private mutating func readText(_ mapping: ConfigurationMapping<Key>) {
        mapping.read(.encoding, into: &encoding) { $0.choice(TypedEncoding.self) }
        mapping.read(.prefix, into: &prefix) { $0.text("a text, \"\" for none") }
        mapping.read(.suffix, into: &suffix) { $0.text("a text, \"\" for none") }
        mapping.read(.aim, into: &aim) { $0.flag() }
        mapping.read(
            .codeIdentifiers, into: &codeIdentifiers, CodeIdentifierConfiguration.reading)
        mapping.read(.controlNames, into: &controlNames, ControlNames.list)
        mapping.read(.substitutes, into: &substitutes, Substitutes.reading)
    }

    /// Reads a name that can stand in a URI's path as it is.
    private static func name(_ reader: ConfigurationReader) -> String? {
        let expected =
            "a name of a-z, 0-9, \".\", \"_\" and \"-\" that starts with a letter or digit"
        return reader.value(expected) { text in
            let starts = "abcdefghijklmnopqrstuvwxyz0123456789"
            guard let first = text.unicodeScalars.first, starts.unicodeScalars.contains(first),
                text.unicodeScalars.allSatisfy((starts + "._-").unicodeScalars.contains)
            else { return nil }
            return text
        }
    }
}
