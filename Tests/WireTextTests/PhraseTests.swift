import Testing
import WireText

/// Words with raw texts in them, put in words once.
struct PhraseTests {
    private let raw = "a\"b\\c\u{1b}[31m\u{202e}"

    @Test func textsAreQuotedAndEscapedOnce() {
        let phrase: Phrase = "the text \(quoted: raw), twice"
        #expect(phrase.description == #"the text "a\"b\\c\x1b[31m\u202e", twice"#)
        let nested: Phrase = "found \(phrase)"
        #expect(nested.description == #"found the text "a\"b\\c\x1b[31m\u202e", twice"#)
    }

    @Test func namesAreEscapedWithoutQuotationMarks() {
        let phrase: Phrase = "the file \(raw) of \(3) lines"
        #expect(phrase.description == #"the file a"b\\c\x1b[31m\u202e of 3 lines"#)
    }

    @Test func whatIsInWordsIsNotEscapedOnceMore() {
        let phrase: Phrase = "it said: \(words: #"found "\x1b""#)"
        #expect(phrase.description == #"it said: found "\x1b""#)
    }

    @Test func whatWasForgottenInWordsDoesNoHarm() {
        let phrase: Phrase = "it said: \(words: "\u{1b}]0;\u{7}\n")"
        #expect(phrase.description == #"it said: \x1b]0;\x07\n"#)
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
}
