import Foundation
import TestTexts
import Testing
import WireText

@Suite struct EscapingTests {
    @Test(arguments: [
        ("plain text", "plain text"), ("back\\slash", #"back\\slash"#), ("\"", "\""),
        ("\t\n\r", #"\t\n\r"#), ("\0\u{1b}\u{1d}\u{7f}", #"\x00\x1b\x1d\x7f"#),
        ("\u{9b}", #"\u009b"#), ("\u{2028}\u{202e}", #"\u2028\u202e"#),
        ("\u{feff}", #"\ufeff"#), ("\u{e0041}", #"\U000e0041"#), ("\r\n", #"\r\n"#),
        ("Grüße, 日本, 🧉", "Grüße, 日本, 🧉"), ("\u{2066}x\u{2069}", #"\u2066x\u2069"#), ("", ""),
        ("❤\u{fe0f}\u{3164}so\u{ad}ft", #"❤\ufe0f\u3164so\u00adft"#),
    ])
    func lineNotationIsShortAndReadable(text: String, escaped: String) {
        #expect(Escaping.line.escaped(text) == escaped)
        #expect(
            Escaping.unescaped(escaped)?.unicodeScalars.elementsEqual(text.unicodeScalars)
                == true)
    }

    @Test(arguments: [
        ("\"\\/", #"\"\\/"#), ("\u{8}\t\n", #"\u0008\u0009\u000a"#), ("\u{7f}", #"\u007f"#),
        ("\u{202e}", #"\u202e"#), ("\u{e0041}", #"\udb40\udc41"#), ("🧉é", "🧉é"),
    ])
    func jsonNotationHasOneSpellingForEachCharacter(text: String, escaped: String) {
        #expect(Escaping.json.escaped(text) == escaped)
    }

    @Test(arguments: [
        ("\"", #"\""#), ("a\\b", #"a\\b"#), ("\u{1b}[2J", #"\x1b[2J"#), ("'", "'"),
        ("\u{e000}\u{378}", "\u{e000}\u{378}"),
    ])
    func betweenQuotationMarksTheseAreEscapedToo(text: String, escaped: String) {
        #expect(Escaping.quoted.escaped(text) == escaped)
        #expect(Escaping.unescaped(escaped) == text)
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

    @Test func joinersAndSelectorsAreTheSameTextInJSON() throws {
        let text = "می\u{200c}خواهم 👩\u{200d}🚀 ❤\u{fe0f}"
        let escaped = Escaping.json.escaped(text)
        #expect(escaped == #"می\u200cخواهم 👩\u200d🚀 ❤\ufe0f"#)
        #expect(try JSONReader.read(Array("\"\(escaped)\"".utf8)) == .string(text))
        #expect(Escaping.line.escaped(text) == escaped)
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
}
