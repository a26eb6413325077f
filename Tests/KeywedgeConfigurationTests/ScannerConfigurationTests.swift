import Keystrokes
import KeywedgeConfiguration
import ScannerInput
import Testing

@Suite struct ScannerConfigurationTests {
    @Test(arguments: [
        ("0c2e", 0x0c2e), ("\"0c2e\"", 0x0c2e), ("0C2E", 0x0c2e), ("0627", 0x0627),
        ("05e0", 0x05e0), ("1e10", 0x1e10), ("0x0c2e", 0x0c2e), ("0X5e0", 0x05e0),
        ("0x1", 1), ("1234", 0x1234), ("0000", 0), ("ffff", 0xffff),
    ])
    func aVendorIsReadAsItIsWritten(text: String, number: UInt16) throws {
        #expect(try scanner("match: {vendor: \(text)}")?.match.vendor == number)
        #expect(try scanner("match: {product: \(text)}")?.match.product == number)
    }

    @Test(arguments: ["c2e", "00c2e", "0x", "0x12345", "0c2g", "+c2e", "\"\"", "0c2é", "٠٠٠٠"])
    func aVendorOfOtherThanFourHexadecimalDigitsIsWrong(_ text: String) {
        let shown = text == "\"\"" ? text : "\"\(text)\""
        #expect(
            scannerSentences("match: {vendor: \(text)}") == [
                "k.yaml:3: scanners[0].match.vendor: expected four hexadecimal digits such as 0c2e, found \(shown)"
            ])
    }

    @Test func aMatchWithoutPropertiesIsEmpty() throws {
        #expect(try scanner("match: {}")?.match.isEmpty == true)
        #expect(try scanner("match: {uniq: x}")?.match.isEmpty == false)
    }

    @Test(
        arguments: [
            ("[none]", ScanSettings.Terminators()), ("[\"none\"]", ScanSettings.Terminators()),
            ("[\"none\", tab]", nil),
            ("[enter]", .enter), ("[KEY_KPENTER, KEY_ENTER]", .enter),
            ("[esc, KEY_ENTER]", ScanSettings.Terminators(keys: [.esc, .enter])),
            (
                "[\"\\n\", \"*\", 5, q]",
                ScanSettings.Terminators(characters: ["\n", "*", "5", "q"])
            ),
            ("[\"~\"]", ScanSettings.Terminators(characters: ["~"])),
        ] as [(String, ScanSettings.Terminators?)])
    func terminatorsAreWordsCharactersOrKeys(
        text: String, terminators: ScanSettings.Terminators?
    ) throws {
        if let terminators {
            #expect(try scanner("terminators: \(text)")?.terminators == terminators)
        } else {
            #expect(
                scannerSentences("terminators: \(text)") == [
                    "k.yaml:3: scanners[0].terminators[0]: expected none to be the only element, for no terminator, found \"none\""
                ])
        }
    }

    @Test(arguments: [
        ("500ms", 500_000), ("2s", 2_000_000), ("1.5s", 1_500_000), ("0.001s", 1000),
        ("1500us", 1500), ("1min", 60_000_000), ("0.5min", 30_000_000), ("60s", 60_000_000),
        ("0.000001min", 60),
    ])
    func aDurationIsExact(text: String, microseconds: Int64) throws {
        let expected = Duration.microseconds(microseconds)
        if expected >= .milliseconds(1) {
            #expect(try scanner("idle_timeout: \(text)")?.idleTimeout == expected)
        } else {
            #expect(
                scannerSentences("idle_timeout: \(text)") == [
                    "k.yaml:3: scanners[0].idle_timeout: expected a duration from 1ms to 60s, found \"\(text)\""
                ])
        }
    }

    @Test(arguments: [
        "500", "fast", "1,5s", "-2s", "+2s", ".5s", "1.s", "1.2.3s", "2 s", "2S", "0.0000001s",
        "99999999999999999999s", "1e3ms", "٢s", "s", "\"\"",
    ])
    func aTextThatIsNoDurationIsWrong(_ text: String) {
        let shown = text == "\"\"" ? text : "\"\(text)\""
        #expect(
            scannerSentences("idle_timeout: \(text)") == [
                "k.yaml:3: scanners[0].idle_timeout: expected a duration such as 500ms or 2s, found \(shown)"
            ])
    }

    @Test func aLongIdleTimeoutIsTheShortestRecovery() throws {
        #expect(try scanner("idle_timeout: 15s")?.recovery == .seconds(15))
        #expect(try scanner("idle_timeout: 5s\n    recovery: 5s")?.recovery == .seconds(5))
        #expect(try scanner("idle_timeout: 1s")?.recovery == .seconds(10))
        #expect(try scanner("recovery: 20s")?.scanSettings.recovery == .seconds(20))
    }

    @Test func repeatsAreKeptUnlessAWindowIsGiven() throws {
        #expect(try scanner("repeats: keep")?.scanSettings.repeatWindow == nil)
        #expect(try scanner("repeats: {within: 2s, then: reject}")?.repeats == .seconds(2))
        #expect(try scanner("repeats: {within: 500ms}")?.repeats == .milliseconds(500))
    }

    @Test(arguments: [("{min: 13}", 13...4096), ("{max: 13}", 1...13), ("{}", 1...4096)])
    func aBoundThatIsLeftOutHasItsDefault(text: String, length: ClosedRange<Int>) throws {
        #expect(try scanner("length: \(text)")?.length == length)
    }

    @Test(arguments: ["no", "007", "1e3", "on", "\"null\"", "'~'", "\"\"", "a b"])
    func aPrefixIsTheTextAsItIsWritten(_ text: String) throws {
        let bare = text.filter { $0 != "\"" && $0 != "'" }
        #expect(try scanner("prefix: \(text)")?.prefix == bare)
    }

    @Test(arguments: [
        (
            "layout: frr",
            "layout: expected a keyboard layout (there is no layout \"frr\"; the nearest is \"fr\"), found \"frr\""
        ),
        (
            "layout: \"de:nodeadkey\"",
            "layout: expected a keyboard layout (layout \"de\" has no variant \"nodeadkey\"; the nearest are \"nodeadkeys\", \"ro_nodeadkeys\" and \"mac_nodeadkeys\"), found \"de:nodeadkey\""
        ),
        (
            "layout: \"../etc\"",
            "layout: expected a keyboard layout (\"../etc\" is not the name of a layout; expected LAYOUT or LAYOUT:VARIANT, each of letters, digits, - and _, for instance de:nodeadkeys), found \"../etc\""
        ),
        (
            "layout:",
            "layout: expected a keyboard layout such as us, fr or \"de:nodeadkeys\", found nothing"
        ),
        ("caps: on", "caps: expected track, ignore or inverted, found \"on\""),
        ("alt_numpad: \"true\"", "alt_numpad: expected true or false, found the text \"true\""),
        (
            "start: []",
            "start: expected at least one start ([none] if any key begins a scan), found an empty list"
        ),
        (
            "terminator_pause: 500ms",
            "terminator_pause: expected less than idle_timeout (500ms), found \"500ms\""
        ),
        (
            "repeats: reject",
            "repeats: expected keep, or a mapping such as {within: 2s, then: reject}, found \"reject\""
        ),
        (
            "repeats: {then: reject}",
            "repeats.within: expected a duration such as 2s, found none"
        ),
        (
            "repeats: {within: 2s, then: drop}", "repeats.then: expected reject, found \"drop\""
        ),
        (
            "recovery: 499ms", "recovery: expected at least idle_timeout (500ms), found \"499ms\""
        ),
        (
            "encoding: latin-1",
            "encoding: expected characters, utf-8, windows-1252 or shift_jis, found \"latin-1\""
        ),
        (
            "code_identifiers: honeywell",
            "code_identifiers: expected none, zebra, datalogic or a mapping such as {d: \"]E0\", j: \"]C0\"}, found \"honeywell\""
        ),
        (
            "code_identifiers: {d: E0}",
            "code_identifiers.d: expected an AIM identifier such as ]E0, or \"\" for none, found \"E0\""
        ),
        (
            "control_names: [round]", "control_names[0]: expected angle or braces, found \"round\""
        ),
        (
            "substitutes: {\"||\": \"x\"}",
            "substitutes.\"||\": expected one character, found \"||\""
        ),
        (
            "substitutes: {\"|\": \"xy\"}",
            "substitutes.\"|\": expected one character, found \"xy\""
        ),
        (
            "prefix: \"é\"", "prefix: expected characters that layout us can type, found \"é\""
        ),
        (
            "terminators: [\"€\"]",
            "terminators: expected characters that layout us can type, found \"€\""
        ),
        ("prefix:", "prefix: expected a text, \"\" for none, found nothing"),
        (
            "suffix: ~",
            "suffix: expected a text, \"\" for none, found ~, which is nothing in YAML unless it is quoted"
        ),
        ("prefix: [a]", "prefix: expected a text, \"\" for none, found a list"),
        ("aim: yes", "aim: expected true or false, found \"yes\""),
        ("aim: \"true\"", "aim: expected true or false, found the text \"true\""),
        ("aim: {}", "aim: expected true or false, found an empty mapping"),
        ("idle_timeout: 0ms", "idle_timeout: expected a duration from 1ms to 60s, found \"0ms\""),
        (
            "idle-timeout: 1s",
            "idle-timeout: expected a known key (did you mean idle_timeout?), found an unknown key"
        ),
        ("length: 13", "length: expected a mapping with the keys min, max, found \"13\""),
        ("length: {min: 0}", "length.min: expected a whole number from 1 to 65536, found \"0\""),
        (
            "length: {max: 65537}",
            "length.max: expected a whole number from 1 to 65536, found \"65537\""
        ),
        (
            "length: {max: 1e3}",
            "length.max: expected a whole number from 1 to 65536, found \"1e3\""
        ),
        (
            "length: {max: 010}",
            "length.max: expected a whole number from 1 to 65536, found \"010\""
        ),
        (
            "length: {max: \"5\"}",
            "length.max: expected a whole number from 1 to 65536, found the text \"5\""
        ),
        (
            "length: {max: 99999999999999999999}",
            "length.max: expected a whole number from 1 to 65536, found \"99999999999999999999\""
        ),
        (
            "match: []",
            "match: expected a mapping with the keys vendor, product, name, path, phys, uniq, serial, interface, found an empty list"
        ),
        (
            "match: {interface: serial}",
            "match.interface: expected serial: or the numbers of the device too, since a port may be anything, found \"serial\""
        ),
        (
            "feedback_commands: honeywell",
            "feedback_commands: expected match: {serial: …} or {interface: serial} beside it, found \"honeywell\""
        ),
        (
            "feedback: {found: buzz}",
            "feedback.found: expected none, error, good or not-on-file, found \"buzz\""
        ),
        (
            "match: {path: event5}",
            "match.path: expected the absolute path of a device such as /dev/input/event5, found \"event5\""
        ),
        (
            "match: {name: \"\"}",
            "match.name: expected a text of at least one character, found \"\""
        ),
        (
            "terminators: enter",
            "terminators: expected a list such as [enter, tab], or [none], found \"enter\""
        ),
        (
            "terminators: []",
            "terminators: expected at least one terminator ([none] if only a pause ends a scan), found an empty list"
        ),
        (
            "terminators: [enter, enter]",
            "terminators[1]: expected each terminator once, found \"enter\""
        ),
        (
            "terminators: [~]",
            "terminators[0]: expected enter, tab, esc, none, one character or the kernel's name of a key, found ~, which is nothing in YAML unless it is quoted"
        ),
        (
            "terminators: [KEY_ENTR]",
            "terminators[0]: expected the kernel's name of a key (did you mean KEY_ENTER?), found \"KEY_ENTR\""
        ),
        ("keys: [KEY_F8]", "keys: expected a mapping such as {KEY_F8: \"\\u001d\"}, found a list"),
        (
            "keys: {KEY_F8: ab}",
            "keys.KEY_F8: expected one character, ignore or terminator, found \"ab\""
        ),
        (
            "keys: {KEY_F8: \"e\\u0301\"}",
            "keys.KEY_F8: expected one character, ignore or terminator, found \"e\u{301}\""
        ),
        (
            "keys: {KEY_F8: \"\"}",
            "keys.KEY_F8: expected one character, ignore or terminator, found \"\""
        ),
        (
            "keys: {F8: x}",
            "keys.F8: expected the kernel's name of a key (did you mean KEY_F8?), found \"F8\""
        ),
        (
            "keys: {KEY_RIGTHCTRL: x}",
            "keys.KEY_RIGTHCTRL: expected the kernel's name of a key (did you mean KEY_RIGHTCTRL?), found \"KEY_RIGTHCTRL\""
        ),
        (
            "keys: {KEY_SCREENLOCK: x, KEY_COFFEE: y}",
            "keys.KEY_COFFEE: expected each key once, found another name of KEY_COFFEE"
        ),
        (
            "keys: {KEY_ENTER: x, KEY_KPENTER: y}",
            "keys: expected a terminator that stays one, found every key that ends a scan with another meaning"
        ),
        (
            "keys: {KEY_KP1: x}\n    alt_numpad: true",
            "keys: expected keys that type no part of a number (alt_numpad, unicode_entry), found KEY_KP1"
        ),
        (
            "keys: {KEY_4: ignore}\n    unicode_entry: true",
            "keys: expected keys that type no part of a number (alt_numpad, unicode_entry), found KEY_4"
        ),
        (
            "terminators: [KEY_LEFTALT]\n    alt_numpad: true",
            "terminators: expected keys that type no part of a number (alt_numpad, unicode_entry), found KEY_LEFTALT"
        ),
        (
            "terminators: [enter, KEY_U]\n    unicode_entry: true",
            "terminators: expected keys that type no part of a number (alt_numpad, unicode_entry), found KEY_U"
        ),
    ])
    func aWrongSettingIsOneSentence(settings: String, sentence: String) {
        #expect(scannerSentences(settings) == ["k.yaml:3: scanners[0].\(sentence)"])
    }

    /// Settings that can never take effect, some because of another setting; all of them are on one line.
    @Test(arguments: [
        (
            "prefix: \"A#\", terminators: [\"#\"]",
            "prefix: expected characters that do not end a scan, found \"#\", which does"
        ),
        (
            "suffix: \"#\", terminators: [enter, \"#\"]",
            "suffix: expected characters that do not end a scan, found \"#\", which does"
        ),
        (
            "suffix: \"#\", terminators: [\"#\"], alt_numpad: true",
            "suffix: expected characters that do not end a scan, found \"#\", which does"
        ),
        // The second byte of the character is the terminator.
        (
            "prefix: ポ, terminators: [\"|\"], encoding: shift_jis, alt_numpad: true",
            "prefix: expected characters that do not end a scan, found \"ポ\", which does"
        ),
        // Without terminators, a start character ends the previous scan.
        (
            "prefix: AB, start: [B], terminators: [none]",
            "prefix: expected characters that do not end a scan, found \"B\", which does"
        ),
        (
            "start: [B], terminators: [none], terminator_pause: 80ms",
            "terminator_pause: expected a terminator for the pause to follow, "
                + "found none among terminators"
        ),
        // Only the terminator's key can type the prefix.
        (
            "prefix: \"1\", terminators: [KEY_1], keys: {KEY_KP1: ignore}",
            "prefix: expected characters that do not end a scan, found \"1\", which does"
        ),
        (
            "substitutes: {\"#\": \"\\u001d\"}, terminators: [\"#\"]",
            "substitutes: expected characters that do not end a scan, found \"#\", which does"
        ),
        (
            "control_names: [angle], start: [\"<\"], terminators: [\">\"]",
            "control_names: expected characters that do not end a scan, found \">\", which does"
        ),
        (
            "control_names: [braces], start: [\"{\"], terminators: [none]",
            "control_names: expected characters that do not end a scan, found \"{\", which does"
        ),
        (
            "control_names: [braces], layout: \"no:mac\"",
            "control_names: expected characters that layout no:mac can type, found \"{\""
        ),
        (
            "start: [\"é\"]", "start: expected characters that layout us can type, found \"é\""
        ),
        (
            "start: [\"é\"], encoding: utf-8",
            "start: expected characters that layout us can type, found \"é\""
        ),
        (
            "terminators: [\"日\"], alt_numpad: true",
            "terminators: expected characters that layout us can type, found \"日\""
        ),
        (
            "prefix: \"日\", encoding: windows-1252",
            "prefix: expected characters that windows-1252 has, found \"日\""
        ),
        (
            "start: [KEY_LEFTSHIFT]",
            "start: expected keys that are pressed by themselves, found KEY_LEFTSHIFT, which is Shift"
        ),
        (
            "start: [KEY_CAPSLOCK]",
            "start: expected keys that are pressed by themselves, found KEY_CAPSLOCK, which is Caps Lock"
        ),
        (
            "start: [KEY_F8], keys: {KEY_F8: ignore}",
            "start: expected keys that are pressed by themselves, found KEY_F8, which is passed over"
        ),
    ])
    func whatCanNeverComeTrueIsAnError(settings: String, sentence: String) {
        #expect(
            sentences("scanners: [{name: a, \(settings)}]")
                == ["k.yaml:1: scanners[0].\(sentence)"])
    }

    @Test(arguments: [
        "prefix: \"A#\", terminators: [\"#\"], terminator_pause: 80ms",
        "prefix: AB, start: [B], terminators: [C]",
        "prefix: \"\\r\"", "prefix: é, alt_numpad: true",
        "prefix: é, encoding: windows-1252, layout: fr",
        "prefix: 日, unicode_entry: true", "terminators: [\"日\"], unicode_entry: true",
        "control_names: [angle], start: [\"<\"]",
        "control_names: [angle], terminators: [\">\"], terminator_pause: 80ms",
        "start: [KEY_RIGHTCTRL], terminators: [none]",
        "start: [KEY_LEFTSHIFT], terminators: [KEY_LEFTSHIFT]",
        "start: [KEY_F8]", "start: [KEY_LEFTSHIFT], keys: {KEY_LEFTSHIFT: x}",
    ])
    func whatCanComeTrueIsNone(settings: String) {
        #expect(sentences("scanners: [{name: a, \(settings)}]") == [])
    }

    @Test func aKeyNameOfAnyLengthIsAnswered() {
        let name = "KEY_" + String(repeating: "X", count: 500)
        #expect(
            scannerSentences("keys: {\"\(name)\": x}").map { $0.contains("did you mean") } == [
                false
            ])
    }

    @Test(arguments: ["Counter", "a b", ".", "..", "-a", "_a", "é", "a/b", "a%20", "\"\""])
    func aNameThatCannotStandInAPathIsWrong(_ name: String) {
        let shown = name == "\"\"" ? name : "\"\(name)\""
        #expect(
            sentences("scanners: [{name: \(name)}]") == [
                "k.yaml:1: scanners[0].name: expected a name of a-z, 0-9, \".\", \"_\" and \"-\" "
                    + "that starts with a letter or digit, found \(shown)"
            ])
    }

    @Test func aNameGivenTwiceSaysBothLines() {
        let text = """
            scanners:
              - name: a
              - name: b
              - layout: us
                name: a
              - "name": "a"
            """
        #expect(
            sentences(text) == [
                "k.yaml:5: scanners[2].name: expected a name that no other scanner has, found \"a\", as on line 2",
                "k.yaml:6: scanners[3].name: expected a name that no other scanner has, found \"a\", as on line 2",
            ])
    }
}
