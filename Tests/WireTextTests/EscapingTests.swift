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
    ])
    func lineNotationIsShortAndReadable(text: String, escaped: String) {
        #expect(Escaping.line.escaped(text) == escaped)
        #expect(
            Escaping.unescapedLine(escaped)?.unicodeScalars.elementsEqual(text.unicodeScalars)
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
        "\\", "\\q", "\\x1", "\\xg0", "\\u12", "\\ud800", "\\U00110000", "\\x\u{ff11}1",
    ])
    func whatIsNoEscapeIsNotUndone(text: String) {
        #expect(Escaping.unescapedLine(text) == nil)
    }

    @Test func joinersAndSelectorsAreTheSameTextInJSON() throws {
        let text = "می\u{200c}خواهم 👩\u{200d}🚀 ❤\u{fe0f}"
        let escaped = Escaping.json.escaped(text)
        #expect(escaped == #"می\u200cخواهم 👩\u200d🚀 ❤\ufe0f"#)
        #expect(try JSONReader.read(Array("\"\(escaped)\"".utf8)) == .string(text))
        #expect(Escaping.line.escaped(text) == escaped)
    }

    @Test func nothingThatIsNotShownLeavesAsItIs() {
        for number in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint
            #expect(!isHidden || Escaping.isUnsafe(scalar), "U+\(String(number, radix: 16))")
        }
    }

    @Test func everyCharacterComesBackFromTheLineNotation() {
        for text in HostileTexts.all {
            let escaped = Escaping.line.escaped(text)
            #expect(!escaped.unicodeScalars.contains(where: HostileTexts.isForbidden))
            #expect(Escaping.unescapedLine(escaped).map { Array($0.utf8) } == Array(text.utf8))
        }
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
