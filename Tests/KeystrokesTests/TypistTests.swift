import Keystrokes
import Testing

@Suite struct TypistTests {
    @Test func aCharacterIsTypedOnTheMainBlock() {
        let typist = Typist()
        #expect(typist.keystroke(for: "1") == Typist.Keystroke(key: .digit1))
        #expect(typist.keystroke(for: "<") == Typist.Keystroke(key: .comma, level: .shift))
        #expect(typist.keystroke(for: "+") == Typist.Keystroke(key: .equal, level: .shift))
        #expect(
            typist.keystroke(for: "\u{1D}") == Typist.Keystroke(key: .rightbrace, level: .control))
    }

    @Test func aTerminatorIsNeverUsedToTypeACharacter() {
        #expect(Typist().keystroke(for: "\r") == Typist.Keystroke(key: .m, level: .control))
        #expect(Typist(terminators: .none).keystroke(for: "\r") == Typist.Keystroke(key: .enter))
        let hash = ScanSettings.Terminators(characters: ["#"])
        #expect(Typist(terminators: hash).keystroke(for: "#") == nil)
    }

    @Test func eventsAreGroupedAndPaced() throws {
        let events = try Typist().events(
            for: "A", endingWith: nil, pace: .milliseconds(3), startingAt: 10)
        #expect(
            events == [
                .key(.leftshift, 1, at: 10), .report(at: 10),
                .key(.a, 1, at: 3_010), .report(at: 3_010),
                .key(.a, 0, at: 6_010), .report(at: 6_010),
                .key(.leftshift, 0, at: 9_010), .report(at: 9_010),
            ])
    }

    @Test func aCharacterWithoutAKeyIsNamed() {
        #expect(throws: TypingError.noKey(character: "é", offset: 3)) {
            try Typist().events(for: "café")
        }
        #expect(
            TypingError.noKey(character: "é", offset: 3).description
                == "the layout has no key for U+00E9 LATIN SMALL LETTER E WITH ACUTE,"
                + " character 3 of the text")
    }

    @Test func aPaceBeyondAllTimeDoesNotTrap() throws {
        let events = try Typist().events(
            for: "12", pace: .seconds(Int64.max), startingAt: Int64.max - 1)
        #expect(events.last?.microseconds == Int64.max)
    }
}
