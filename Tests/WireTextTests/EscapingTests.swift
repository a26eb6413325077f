import Foundation
import TestTexts
import TestWaiting
import Testing
import WireText

@Suite(.blocking) struct EscapingTests {
    @Test(arguments: [
        ("plain text", "plain text"), ("back\\slash", #"back\\slash"#), ("\"", "\""),
        ("\t\n\r", #"\t\n\r"#), ("\0\u{1b}\u{1d}\u{7f}", #"\x00\x1b\x1d\x7f"#),
        ("\u{9b}", #"\u009b"#), ("\u{2028}\u{202e}", #"\u2028\u202e"#),
        ("\u{feff}", #"\ufeff"#), ("\u{e0041}", #"\U000e0041"#), ("\r\n", #"\r\n"#),
        ("Grüße, 日本, 🧉", "Grüße, 日本, 🧉"), ("\u{2066}x\u{2069}", #"\u2066x\u2069"#), ("", ""),
        ("❤\u{fe0f}\u{3164}so\u{ad}ft", #"❤\ufe0f\u3164so\u00adft"#),
        ("\u{e000}\u{378}", "\u{e000}\u{378}"),
    ])
    func lineNotationIsShortAndReadable(text: String, escaped: String) {
        #expect(Escaping.line.escaped(text) == escaped)
        #expect(Escaping.quoted.escaped(text) == escaped.replacing("\"", with: #"\""#))
        #expect(text.quoted() == "\"\(Escaping.quoted.escaped(text))\"")
    }

    @Test(arguments: [
        ("\"\\/", #"\"\\/"#), ("\u{8}\t\n", #"\u0008\u0009\u000a"#), ("\u{7f}", #"\u007f"#),
        ("\u{202e}", #"\u202e"#), ("\u{e0041}", #"\udb40\udc41"#), ("🧉é", "🧉é"),
        ("می\u{200c}خواهم 👩\u{200d}🚀 ❤\u{fe0f}", #"می\u200cخواهم 👩\u200d🚀 ❤\ufe0f"#),
    ])
    func jsonNotationHasOneSpellingForEachCharacter(text: String, escaped: String) throws {
        #expect(Escaping.json.escaped(text) == escaped)
        #expect(try JSONReader.read("\"\(escaped)\"") == .string(text))
    }

    @Test(arguments: [
        "\\", "\\q", "\\x1", "\\xg0", "\\u12", "\\ud800", "\\U00110000", "\\x\u{ff11}1", "\\'",
        "\\u{}", "\\u{1d", "\\u{110000}", "\\u{000000001d}", "\\u{ d}", "\\u{+d}", "\\U1d",
        "\\Uffffffff", "a\\", "\\é", "\\u{ffffffff}",
    ])
    func whatIsNoEscapeIsNotUndone(text: String) {
        #expect(Escaping.unescaped(text) == nil)
    }

    @Test func everyFormThatIsReadIsNamed() {
        let meant = Escaping.forms.split(separator: " ").map { Escaping.unescaped(String($0)) }
        #expect(
            meant == ["\\", "\"", "\t", "\n", "\r", "\0"] + Array(repeating: "\u{1d}", count: 4))
    }

    @Test func nothingThatIsNotShownLeavesAsItIs() {
        for scalar in AllScalars.all {
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint
            #expect(!isHidden || Escaping.isUnsafe(scalar), "\(AllScalars.name(of: scalar))")
        }
    }

    @Test func whatIsShownLeavesAsItIs() {
        let shown = AllScalars.all.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        #expect(shown.count > 280_000)
        #expect(shown.filter(Escaping.isUnsafe).map(AllScalars.name) == [])
    }

    @Test(arguments: [Escaping.json, .line, .quoted, .sentence])
    func noCharacterLeavesUnescapedThatMustNot(escaping: Escaping) {
        #expect(AllScalars.leaks { escaping.escaped($0) } == [])
    }

    @Test func everyCharacterComesBackFromTheLineNotation() {
        for text in AllScalars.texts {
            for escaping in [Escaping.line, .quoted] {
                let read = Escaping.unescaped(escaping.escaped(text))
                #expect(read.map { Array($0.utf8) } == Array(text.utf8))
            }
        }
    }

    @Test func aSentenceIsEscapedOnceHoweverOftenItLeaves() {
        for text in HostileTexts.all {
            let sentence = "expected \(text.quoted()), found C:\\temp"
            #expect(Escaping.sentence.escaped(sentence) == sentence)
            let forgotten = Escaping.sentence.escaped(text)
            #expect(Escaping.sentence.escaped(forgotten) == forgotten)
        }
        #expect(Escaping.sentence.escaped("a\\b \u{1b}[2J\n") == #"a\b \x1b[2J\n"#)
    }

    @Test func whatIsAppendedIsBehindWhatWasThere() {
        var output = Array("a=".utf8)
        Escaping.quoted.append("\u{7}é\"", to: &output)
        #expect(String(decoding: output, as: UTF8.self) == #"a=\x07é\""#)
    }

    @Test(arguments: [
        (0, #""…""#), (1, #""a…""#), (2, #""a\"…""#), (3, #""a\"\x1b…""#), (4, #""a\"\x1bb""#),
        (5, #""a\"\x1bb""#), (Int.max, #""a\"\x1bb""#),
    ])
    func aQuotationIsCutBetweenCharactersAndNeverWithinAnEscape(limit: Int, quoted: String) {
        #expect("a\"\u{1b}b".quoted(upTo: limit) == quoted)
    }

    @Test func aQuotationIsCutAfterEightyScalarsUnlessToldOtherwise() {
        let text = String(repeating: "é", count: 81)
        #expect(text.quoted() == "\"" + String(repeating: "é", count: 80) + "…\"")
        #expect(text.dropLast().quoted() == "\"\(text.dropLast())\"")
        #expect(text.quoted(upTo: .max) == "\"\(text)\"")
        // A cut after a base letter drops its mark, and a cut between CR and LF drops the LF.
        #expect("e\u{301}".quoted(upTo: 1) == "\"e…\"" && "\r\n".quoted(upTo: 1) == #""\r…""#)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash"))
    func bashUndoesTheLineNotation() throws {
        let text = "a\\b\t\n\r\u{1b}[2J\u{7f}\u{9b}\u{2028}\u{202e}\u{e0041}ü1f"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "printf '%b' \"$1\"", "bash", Escaping.line.escaped(text)]
        process.environment = ["LC_ALL": "C.UTF-8"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(Array(output) == Array(text.utf8))
    }

    @Test(
        arguments: [
            (0, 1, "0"), (9, 1, "9"), (10, 1, "10"), (42, 5, "00042"), (12345, 3, "12345"),
            (.max, 1, "18446744073709551615"), (.max, 22, "0018446744073709551615"), (7, 0, "7"),
            (0, 20, "00000000000000000000"), (100, 3, "100"),
        ] as [(UInt64, Int, String)])
    func numbersArePaddedWithZeros(value: UInt64, digits: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.appendDecimal(value, digits: digits)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (0x1B, 2, "x", "x1b"), (0x202E, 4, "u", "u202e"), (0xE0041, 8, "U", "U000e0041"),
            (0xABC, 2, "x", "xbc"), (0, 4, "u", "u0000"),
        ] as [(UInt32, Int, Unicode.Scalar, String)])
    func hexadecimalDigitsAreSmall(
        value: UInt32, digits: Int, mark: Unicode.Scalar, text: String
    ) {
        var bytes: [UInt8] = []
        bytes.appendHexadecimal(value, digits: digits, marked: mark)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func literalsAreAppendedAsTheyAre() {
        var bytes = Array("a".utf8)
        bytes.append("\\é")
        bytes.append("")
        #expect(bytes == Array("a\\é".utf8))
    }
}
