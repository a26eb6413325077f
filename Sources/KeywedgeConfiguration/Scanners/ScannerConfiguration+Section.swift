import KeyLayouts
import Keystrokes
import ScannerInput
import WireText
import Yams

extension ScannerConfiguration {
    /// The pauses between keys that can end a scan.
    private static let idleTimeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    static let section = Section("scanner", ScannerConfiguration(name: "")) {
        Setting(
            "name", \.name, .scannerName,
            "The name, which is in every event's source; no two scanners share one.",
            needed: "a name")
        Setting(
            "match", \.match, DeviceMatch.section.codec,
            "Which device this is; without it, every device that is known as a scanner.")
        Setting(
            "layout", \.layout, .layout,
            "The keyboard layout the scanner believes it types on, as de or de:nodeadkeys.")
        Setting("caps", \.caps, .choice, "What the scanner's Caps Lock does.")
        Setting(
            "alt_numpad", \.altNumpad, .flag,
            "Whether characters are typed as decimal numbers on the keypad while Alt is held.")
        Setting(
            "alt_numpad_check", \.altNumpadCheck, .flag,
            "Whether such numbers that seem to have lost a digit reject the scan.")
        Setting(
            "unicode_entry", \.unicodeEntry, .flag,
            "Whether characters are typed as hexadecimal numbers after Ctrl+Shift+U.")
        Setting("start", \.start, .starts, "What begins a scan; [none] where any key does.")
        Setting(
            "terminators", \.terminators, .terminators,
            "What ends a scan; [none] where only a pause does.")
        Setting(
            "terminator_pause", \.terminatorPause, .duration(in: .zero...idleTimeouts.upperBound),
            "How long no key may follow a terminator for it to end the scan.")
        Setting(
            "idle_timeout", \.idleTimeout, .duration(in: idleTimeouts),
            "The pause between keys that breaks a scan, or ends it where there are no terminators.")
        Setting(
            "recovery", \.recovery, .duration(in: .milliseconds(1) ... .seconds(600)),
            """
            How long the scanner must be quiet after a broken scan that has no end; at least \
            idle_timeout, and longer than the scanner ever stalls.
            """
        )
        Setting(
            "repeats", \.repeats, .repeats,
            "Whether the same code again within some time is rejected; keep to keep it.")
        Setting("length", \.length, .length, "How many characters a scan may have.")
        Setting("encoding", \.encoding, .choice, "What the characters typed stand for.")
        Setting(
            "prefix", \.prefix, .text("a text, \"\" for none"),
            "What the scanner types ahead of the data; taken off.")
        Setting(
            "suffix", \.suffix, .text("a text, \"\" for none"),
            "What the scanner types after the data; taken off.")
        Setting(
            "aim", \.aim, .flag, "Whether an AIM identifier in front of the data is split off.")
        Setting(
            "code_identifiers", \.codeIdentifiers, .codeIdentifiers,
            "The maker's own letters for the symbology; split off.")
        Setting(
            "control_names", \.controlNames, .controlNames,
            "How control characters are spelled out.")
        Setting(
            "substitutes", \.substitutes, .substitutes, "Characters that stand for others.")
        Setting(
            "content", \.content, .choice,
            """
            Whether a code without AIM identifier and FNC1 may hold GS1 element strings; numbers of \
            retail stay what they are.
            """)
        Setting(
            "upc_e", \.upcE, .choice,
            """
            Whether 6 and 7 digits without AIM identifier are a UPC-E without its number system, its \
            check digit, or both.
            """)
        Setting(
            "keys", \.keys, .keys,
            "What single keys mean, in place of what the layout says.")
    } check: { scanner, section in
        if scanner.terminatorPause >= scanner.idleTimeout {
            let limit = DurationText.text(scanner.idleTimeout)
            section[\.terminatorPause]?.report(expected: "less than idle_timeout (\(limit))")
            scanner.terminatorPause = .zero
        }
        if scanner.recovery < scanner.idleTimeout {
            let limit = DurationText.text(scanner.idleTimeout)
            section[\.recovery]?.report(expected: "at least idle_timeout (\(limit))")
        }
        scanner.reportUntypable(section)
    }
}

extension Codec<String> {
    /// A name that needs no escaping in a URI's path.
    fileprivate static let scannerName = text(
        "a name of a-z, 0-9, \".\", \"_\" and \"-\" that starts with a letter or digit",
        .text(pattern: "^[a-z0-9][a-z0-9._-]*$")
    ) { text in
        let starts = "abcdefghijklmnopqrstuvwxyz0123456789"
        guard let first = text.unicodeScalars.first else { return false }
        return starts.unicodeScalars.contains(first)
            && text.unicodeScalars.allSatisfy((starts + "._-").unicodeScalars.contains)
    }
}

extension Codec<CompiledLayout> {
    /// A keyboard layout by its name.
    static let layout = parsed(
        "a keyboard layout such as us, fr or \"de:nodeadkeys\"", explained: "a keyboard layout",
        .text(pattern: "^[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)?$"), node: Node.init(word:),
        read: CompiledLayout.init(named:), write: \.layout.description)
}

extension Codec<ClosedRange<Int>> {
    /// The lengths that can be configured; a longer scan would only hold memory.
    private static let possible = 1...65_536

    fileprivate static let length = section.codec.map(
        { $0.min <= $0.max ? $0.min...$0.max : nil }, { ($0.lowerBound, $0.upperBound) })

    private static let standard = ScannerConfiguration(name: "").length
    private static let section = Section(
        "length", (min: standard.lowerBound, max: standard.upperBound), onOneLine: { _ in true }
    ) {
        Setting("min", \.min, .number(in: possible), "The fewest characters.")
        Setting("max", \.max, .number(in: possible), "The most characters.")
    } check: { length, section in
        guard length.min > length.max else { return }
        section.reader.report(
            expected: "a min of at most max", found: "min \(length.min) and max \(length.max)")
    }
}

extension Codec<Duration?> {
    fileprivate static let repeats = Self(
        read: { reader in
            if case .mapping = reader.tree.content { return window.read(reader) }
            let expected = "keep, or a mapping such as {within: 2s, then: reject}"
            return reader.value(expected) { $0 == "keep" ? .some(nil) : nil }
        },
        write: { $0 == nil ? Node(word: "keep") : window.write($0) },
        schema: { .any(of: ["const": "keep"], window.schema(&$0)) })

    /// What happens to a repeat.
    private enum Action: String, CaseIterable {
        case reject
    }

    private static let window: Self = section.codec.map(
        { .some($0.within) }, { $0.map { (within: $0, then: .reject) } })

    private static let section = Section(
        "repeats", (within: Duration.zero, then: Action.reject), onOneLine: { _ in true }
    ) {
        Setting(
            "within", \.within, .duration(in: .milliseconds(1) ... .seconds(3600)),
            "The time from a code to the same code that makes it a repeat.",
            needed: "a duration such as 2s")
        Setting("then", \.then, .choice, "What happens to a repeat.")
    }
}

extension Codec<[ControlNames]> {
    fileprivate static let controlNames = words(or: ControlNames.allCases)

    /// `none`, or a list of words in any order.
    private static func words(or all: [ControlNames]) -> Self {
        let names = all.map(\.rawValue)
        let list = list("none, or a list of \(Words.either(names))", of: .choice, onOneLine: true)
        return Self(
            read: { reader in
                if case .scalar("none", _) = reader.tree.content { return [] }
                return list.read(reader).map { chosen in all.filter(chosen.contains) }
            },
            write: { $0.isEmpty ? Node(word: "none") : list.write($0) },
            schema: { .any(of: ["const": "none"], list.schema(&$0)) })
    }
}

extension Codec<[Unicode.Scalar: Unicode.Scalar]> {
    fileprivate static let substitutes = dictionary(
        "a mapping such as {\"|\": \"\\u001d\"}", of: .character(), keys: .character,
        isQuoted: true,
        key: { name, reader in
            if name.onlyScalar == nil {
                reader.report(expected: "one character", found: "\(quoted: name)")
            }
            return name.onlyScalar
        }, name: { String($0) }, order: <)
}
