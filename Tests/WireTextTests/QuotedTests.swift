import TestTexts
import Testing
import WireText

@Suite struct QuotedTests {
    @Test(arguments: [
        ("", #""""#), ("a", #""a""#), ("4006381333931", #""4006381333931""#),
        (#"say "no""#, #""say \"no\"""#), (#"C:\temp"#, #""C:\\temp""#),
        ("two\nlines\t\r", #""two\nlines\t\r""#), ("\u{1b}[31m", #""\x1b[31m""#),
        ("a\u{202e}b\u{9b}", #""a\u202eb\u009b""#), ("\u{e007f}", #""\U000e007f""#),
        ("❤\u{fe0f}", #""❤\ufe0f""#), ("\u{3164}", #""\u3164""#), ("so\u{ad}ft", #""so\u00adft""#),
        ("Grüße 日本 🧉", #""Grüße 日本 🧉""#), ("e\u{301}", "\"e\u{301}\""),
    ])
    func aTextOfOthersIsShownOnOneLine(text: String, quoted: String) {
        #expect(text.quoted() == quoted)
    }

    @Test(arguments: [
        (0, #""…""#), (1, #""a…""#), (2, #""a\"…""#), (3, #""a\"\x1b…""#), (4, #""a\"\x1bb""#),
        (5, #""a\"\x1bb""#), (Int.max, #""a\"\x1bb""#),
    ])
    func itIsCutBetweenCharactersAndNeverWithinAnEscape(limit: Int, quoted: String) {
        #expect("a\"\u{1b}b".quoted(upTo: limit) == quoted)
    }

    @Test func itIsCutAfterEightyCharactersUnlessToldOtherwise() {
        let text = String(repeating: "é", count: 81)
        #expect(text.quoted() == "\"" + String(repeating: "é", count: 80) + "…\"")
        #expect(text.dropLast().quoted() == "\"\(text.dropLast())\"")
        #expect(text.quoted(upTo: .max) == "\"\(text)\"")
    }

    @Test func aPartOfATextIsQuotedAsThePart() {
        let text = "before\u{7}middle\u{7}behind"
        #expect(text.dropFirst(7).prefix(6).quoted() == "\"middle\"")
    }

    @Test func charactersArePartsEvenWhereTheyJoin() {
        // Cut behind a base letter, its mark is left out; a CR LF is two characters.
        #expect("e\u{301}".quoted(upTo: 1) == "\"e…\"")
        #expect("\r\n".quoted(upTo: 1) == #""\r…""#)
    }

    @Test func everyCharacterIsShownOrEscaped() {
        #expect(AllScalars.leaks { $0.quoted(upTo: .max) } == [])
    }

    @Test func whatIsQuotedCanBeTypedBack() {
        for text in AllScalars.texts {
            let inside = text.quoted(upTo: .max).unicodeScalars.dropFirst().dropLast()
            let read = Escaping.unescaped(String(String.UnicodeScalarView(inside)))
            #expect(read.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func noTextGetsOutOfItsQuotationMarks() {
        let pieces: [String] = ["\"", "\\", "x", "\n", "…"]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let inside = (first + second + third).quoted().unicodeScalars.dropFirst()
                        .dropLast()
                    var isEscaped = false
                    for scalar in inside {
                        #expect(scalar != "\"" || isEscaped)
                        isEscaped = scalar == "\\" && !isEscaped
                    }
                    #expect(!isEscaped)
                }
            }
        }
    }
}
