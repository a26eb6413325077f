import KeyLayouts
import Keystrokes
import ScannerInput
import WireText
import Yams

extension ScannerConfiguration {
    private static let idleTimeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    static let section = Section("scanner", ScannerConfiguration(name: "")) {
        Setting(
            "name", \.name, .name(),
            "The name, which is in every event's source; no two scanners share one.",
            needed: "a name")
        Setting(
            "match", \.match, DeviceMatch.section.codec,
            "Which device this is; without it, every device that is known as a scanner.")
        Setting(
            "layout", \.layout, .layout,
            "The keyboard layout the scanner believes it types on, such as de or de:nodeadkeys.")
        Setting("caps", \.caps, .choice, "What the scanner's Caps Lock does.")
        Setting(
            "alt_numpad", \.altNumpad, .flag,
            "Whether characters are typed as decimal numbers on the keypad while Alt is held.")
        Setting(
            "alt_numpad_check", \.altNumpadCheck, .flag,
            "Whether an ALT mode number that seems to have lost a digit rejects the scan.")
        Setting(
            "unicode_entry", \.unicodeEntry, .flag,
            "Whether characters are typed as hexadecimal numbers after Ctrl+Shift+U.")
        Setting("start", \.start, .starts, "The keys that begin a scan; [none] if any key does.")
        Setting(
            "terminators", \.terminators, .terminators,
            "The keys that end a scan; [none] if only a pause does.")
        Setting(
            "terminator_pause", \.terminatorPause, .duration(in: .zero...idleTimeouts.upperBound),
            "How long to wait after a terminator before it ends the scan.")
        Setting(
            "idle_timeout", \.idleTimeout, .duration(in: idleTimeouts),
            "The pause between keys that breaks a scan, or ends it without terminators.")
        Setting(
            "recovery", \.recovery, .duration(in: .milliseconds(1) ... .seconds(600)),
            "How long the scanner must be quiet after a broken scan that has no end; at least "
                + "idle_timeout, and longer than the scanner ever stalls.")
        Setting(
            "repeats", \.repeats, .repeats,
            "Whether to reject a code that repeats within some time, or keep it.")
        Setting("length", \.length, .length, "How many characters a scan may have.")
        Setting("encoding", \.encoding, .choice, "How to read the typed characters.")
        Setting(
            "prefix", \.prefix, .text("a text, \"\" for none"),
            "The text that the scanner types before the data; removed.")
        Setting(
            "suffix", \.suffix, .text("a text, \"\" for none"),
            "The text that the scanner types after the data; removed.")
        Setting(
            "aim", \.aim, .flag, "Whether an AIM identifier in front of the data is split off.")
        Setting(
            "code_identifiers", \.codeIdentifiers, .codeIdentifiers,
            "The maker's own letters for the symbology; split off.")
        Setting(
            "control_names", \.controlNames, .controlNames,
            "How control characters are spelled out.")
        Setting(
            "substitutes", \.substitutes,
            .dictionary(
                "a mapping such as {\"|\": \"\\u001d\"}", of: .character, keys: .character, order: <
            ),
            "Characters to replace, each with the character that it stands for.")
        Setting(
            "content", \.content, .choice,
            "Whether a code without AIM identifier and FNC1 may hold GS1 element strings; retail "
                + "numbers keep their meaning.")
        Setting(
            "upc_e", \.upcE, .choice,
            "How the scanner sends UPC-E without AIM identifier: expanded, or unexpanded "
                + "(also without number system, check digit, or both).")
        Setting(
            "keys", \.keys, .keys,
            "The meaning of single keys, whatever the layout says.")
        Setting(
            "serial", \.serial, SerialSettings.section.codec,
            "The settings of a serial scanner's port.")
        Setting(
            "feedback", \.feedback, FeedbackConfiguration.section.codec,
            "When the scanner beeps, if it can: HID POS, or serial with feedback_commands.")
        Setting(
            "feedback_commands", \.feedbackCommands, .feedbackCommands,
            "Commands that make a serial scanner beep: a maker's name, or a text for each signal.")
    } check: { scanner, section in
        let beside = "match: {serial: …} or {interface: serial} beside it"
        if !scanner.match.isForPorts, scanner.serial != SerialSettings() {
            section["serial"]?.report(expected: beside)
        }
        if !scanner.match.isForPorts, !scanner.feedbackCommands.isEmpty {
            section["feedback_commands"]?.report(expected: beside)
        }
        let limit = DurationText.text(scanner.idleTimeout)
        if scanner.terminatorPause >= scanner.idleTimeout {
            section["terminator_pause"]?.report(expected: "less than idle_timeout (\(limit))")
            scanner.terminatorPause = .zero
        }
        if scanner.recovery < scanner.idleTimeout {
            section["recovery"]?.report(expected: "at least idle_timeout (\(limit))")
        }
        scanner.reportUntypable(section)
    }
}

extension Codec<CompiledLayout> {
    static let layout = parsed(
        "a keyboard layout such as us, fr or \"de:nodeadkeys\"", explained: "a keyboard layout",
        .text(pattern: "^[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)?$"), node: Node.init(word:),
        read: CompiledLayout.init(named:), write: \.layout.description)
}

extension Codec<ClosedRange<Int>> {
    /// The scan lengths that a configuration can permit; the upper limit bounds the memory for a scan.
    private static let possible = 1...65_536

    fileprivate static let length = section.codec.map(
        { $0.min <= $0.max ? $0.min...$0.max : nil }, { ($0.lowerBound, $0.upperBound) })

    private static let standard = ScannerConfiguration(name: "").length
    private static let section = Section(
        "length", (min: standard.lowerBound, max: standard.upperBound), onOneLine: { _ in true }
    ) {
        Setting("min", \.min, .number(in: possible), "The minimum number of characters.")
        Setting("max", \.max, .number(in: possible), "The maximum number of characters.")
    } check: { length, section in
        guard length.min > length.max else { return }
        section.report(
            expected: "a min of at most max", found: "min \(length.min) and max \(length.max)")
    }
}

extension Codec<Duration?> {
    fileprivate static let repeats = words(
        [("keep", nil)],
        or: section.codec.map(
            { .some($0.within) }, { $0.map { (within: $0, isRejected: true) } }),
        expected: "keep, or a mapping such as {within: 2s, then: reject}")

    private static let section = Section(
        "repeats", (within: Duration.zero, isRejected: true), onOneLine: { _ in true }
    ) {
        Setting(
            "within", \.within, .duration(in: .milliseconds(1) ... .seconds(3600)),
            "The time from a code to the same code that makes it a repeat.",
            needed: "a duration such as 2s")
        Setting("then", \.isRejected, .only("reject"), "What happens to a repeat.")
    }
}

extension Codec<[ControlNames]> {
    fileprivate static let controlNames = words(
        [("none", [])],
        or: list(
            "none, or a list of \(Words.either(ControlNames.allCases.map(\.rawValue)))",
            of: .choice, onOneLine: true
        ).map({ chosen in ControlNames.allCases.filter(chosen.contains) }, { $0 }))
}

extension SerialSettings {
    fileprivate static let section = Section(
        "serial", SerialSettings(), onOneLine: { _ in true }
    ) {
        Setting(
            "baud", \.baud, .number(among: bauds), "Bits per second; USB scanners ignore it.")
        Setting("bits", \.bits, .number(in: 7...8), "The number of data bits.")
        Setting("parity", \.parity, .choice, "The check bit; a wrong one breaks the scan.")
        Setting("stop", \.stop, .number(in: 1...2), "The number of stop bits.")
    }
}

extension DeviceMatch {
    static let section = Section("match", DeviceMatch()) {
        Setting("vendor", \.vendor, .usbNumber, "The vendor's number, as lsusb shows it.")
        Setting("product", \.product, .usbNumber, "The vendor's number for the product.")
        Setting(
            "name", \.name, Codec.nonEmptyText.map(Glob.init, \.pattern),
            "The device's name; * matches any characters, ? one character.")
        Setting(
            "path", \.path, .devicePath,
            "The node or a link to it, such as /dev/input/by-id/usb-…-event-kbd.")
        Setting("phys", \.phys, .nonEmptyText, "Where it is plugged in, as the kernel names it.")
        Setting("uniq", \.uniq, .nonEmptyText, "The serial number or Bluetooth address.")
        Setting(
            "serial", \.serial, .devicePath,
            "A serial port: the node or a link to it, such as /dev/serial/by-id/usb-….")
        Setting(
            "interface", \.interface, .choice,
            "How the scanner is attached; a serial port requires this or serial.")
    } check: { match, section in
        if let interface = match.interface, interface != .serial, match.serial != nil {
            section["interface"]?.report(
                expected: "serial beside serial:", found: "\(quoted: interface.rawValue)")
        }
        var others = match
        others.interface = nil
        if match.interface == .serial, others.isEmpty {
            section["interface"]?.report(
                expected: "serial: or the numbers of the device too, since a port may be anything")
        }
    }
}

extension Codec<UInt16> {
    /// A codec for a USB vendor or product number, as shown by lsusb (`0c2e`) or by evtest (`0xc2e`).
    fileprivate static let usbNumber = Codec<String>.text(
        "four hexadecimal digits such as 0c2e",
        matching: .text(pattern: "^([0-9A-Fa-f]{4}|0[xX][0-9A-Fa-f]{1,4})$")
    ).map({ UInt16($0.trimmingPrefix(/0[xX]/), radix: 16) }, \.fourHexDigits)
}

extension Codec<String> {
    fileprivate static let devicePath = text(
        "the absolute path of a device such as /dev/input/event5", .string(pattern: "^/")
    ) { $0.hasPrefix("/") && !$0.contains("\0") }
}
