import Testing
import WireText

/// Tests phrases that contain raw texts, and the text of durations and counts.
struct PhraseTests {
    private let raw = "a\"b\\c\u{1b}[31m\u{202e}"

    @Test func textsAreQuotedAndEscapedOnce() {
        let phrase: Phrase = "the text \(quoted: raw), twice"
        #expect(phrase.description == #"the text "a\"b\\c\x1b[31m\u202e", twice"#)
        let nested: Phrase = "found \(phrase)"
        #expect(nested.description == #"found the text "a\"b\\c\x1b[31m\u202e", twice"#)
    }

    @Test func namesAndWordsAreShownWithoutQuotationMarks() {
        let phrase: Phrase = "the file \(raw) of \(3) lines: \(words: #"found "\x1b""#)"
        #expect(
            phrase.description == #"the file a"b\\c\x1b[31m\u202e of 3 lines: found "\x1b""#)
        let forgotten: Phrase = "it said: \(words: "\u{1b}]0;\u{7}\n")"
        #expect(forgotten.description == #"it said: \x1b]0;\x07\n"#)
    }

    @Test func longTextsAreCutInWordsAndWholeUntilThen() {
        let text = String(repeating: "x", count: 79) + "\u{1b}secret"
        let phrase: Phrase = "\(quoted: text)"
        #expect(phrase.description == #"""# + String(repeating: "x", count: 79) + #"\x1b…""#)
        #expect(
            phrase.mapTexts { $0.replacing("\u{1b}secret", with: "*") }.description
                == #"""# + String(repeating: "x", count: 79) + #"*""#)
        let short: Phrase = "\(quoted: text, upTo: 2)"
        #expect(short.description == #""xx…""#)
    }

    @Test func everyPartIsChanged() {
        let phrase: Phrase = "k1 \("k2") \(quoted: "k3") \(words: "k4")"
        let changed = phrase.mapTexts { $0.replacing("k", with: "v") }
        #expect(changed.description == #"v1 v2 "v3" v4"#)
    }

    @Test func phrasesAreJoined() {
        let phrases: [Phrase] = ["\(quoted: "a")", "b", "\(quoted: "c")"]
        #expect(phrases.joined(separator: " or ").description == #""a" or b or "c""#)
        #expect([Phrase]().joined(separator: ", ").isEmpty)
        #expect((phrases[0] + ", " + phrases[1]).description == #""a", b"#)
    }

    @Test func phrasesThatReadTheSameAreTheSame() {
        #expect("\(quoted: "a")" as Phrase == #""a""#)
        #expect("\(quoted: "a")" as Phrase != "a")
        #expect(Set<Phrase>(["\("a")", "a", "b"]).count == 2)
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.nanoseconds(900), "0s"), (.seconds(-2), "0s"),
        (.milliseconds(-2), "0s"), (.microseconds(45), "45us"), (.microseconds(4_370), "4.3ms"),
        (.milliseconds(4), "4ms"), (.microseconds(12_999), "12ms"), (.milliseconds(500), "500ms"),
        (.seconds(1), "1s"), (.milliseconds(1500), "1.5s"), (.milliseconds(2050), "2.05s"),
        (.milliseconds(2001), "2.001s"), (.seconds(60), "1min"),
        (.milliseconds(90_700), "1min 30s"),
        (.seconds(3600), "1h"), (.seconds(3661), "1h 1min"), (.seconds(86_400 * 7), "7d"),
        (.seconds(86_400 + 3600 * 5), "1d 5h"),
    ])
    func aDurationIsToldAsASettingIsWritten(duration: Duration, text: String) {
        #expect(duration.text == text)
    }

    @Test(arguments: [(0, "0 products"), (1, "1 product"), (2, "2 products"), (-1, "-1 products")])
    func oneIsNotSeveral(count: Int, text: String) {
        #expect(count.counted("product") == text)
    }

    @Test func severalMayHaveAWordOfTheirOwn() {
        #expect(1.counted("key press", "key presses") == "1 key press")
        #expect(2.counted("key press", "key presses") == "2 key presses")
    }
}
