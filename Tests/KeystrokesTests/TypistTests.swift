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
        let sentence = TypingError.noKey(character: "é", offset: 3).description
        #expect(sentence.contains("U+00E9 LATIN SMALL LETTER E WITH ACUTE"))
        #expect(sentence.contains("character 3"))
    }

    /// A typed line break would end the scan too early, but it can be typed as an Alt number.
    @Test(arguments: ["400\n", "4\r00"])
    func aTextWithALineBreakIsNoScan(text: String) throws {
        #expect(throws: TypingError.self) {
            try ScanTypist(settings: ScanSettings()).events(for: text)
        }
        let alt = ScanSettings(hasAltNumpad: true)
        #expect(try !ScanTypist(settings: alt).events(for: text).isEmpty)
    }

    @Test func aPaceBeyondAllTimeDoesNotTrap() throws {
        let events = try Typist().events(
            for: "12", pace: .seconds(Int64.max), startingAt: Int64.max - 1)
        #expect(events.last?.microseconds == Int64.max)
        let settings = ScanSettings(hasAltNumpad: true, hasUnicodeEntry: true)
        let scan = try settings.typing(
            of: "1日", pace: .seconds(Int64.max), startingAt: Int64.max - 1)
        #expect(scan.last?.microseconds == Int64.max)
    }

    @Test func deadKeysAreUsedIfThereIsNoKey() {
        let typist = Typist(table: Self.table)
        #expect(
            typist.keystrokes(for: "é") == [
                Typist.Keystroke(key: .f1), Typist.Keystroke(key: .e),
            ])
        #expect(
            typist.keystrokes(for: "ế") == [
                Typist.Keystroke(key: .f1), Typist.Keystroke(key: .f1), Typist.Keystroke(key: .e),
            ])
        #expect(typist.keystroke(for: "é") == nil)
        #expect(typist.keystrokes(for: "'") == [Typist.Keystroke(key: .apostrophe)])
    }

    @Test func anAccentIsTypedWithASpaceRatherThanTwice() {
        #expect(
            Typist(table: Self.table).keystrokes(for: "´") == [
                Typist.Keystroke(key: .f1), Typist.Keystroke(key: .space),
            ])
    }

    @Test func aCharacterThatIsATerminatorIsNotComposed() {
        let acute = ScanSettings.Terminators(characters: ["´"])
        #expect(Typist(table: Self.table, terminators: acute).keystrokes(for: "´") == nil)
    }

    @Test func aLevelWithoutAKeyThatChoosesItIsNotTyped() {
        var table = KeyTable.us
        table[.q, .altGr] = .character("@")
        table[.w, .level5] = .character("ł")
        let typist = Typist(table: table)
        #expect(typist.keystroke(for: "@") == Typist.Keystroke(key: .digit2, level: .shift))
        #expect(typist.keystrokes(for: "ł") == nil)
        table[.w, .altGr] = .character("ł")
        #expect(
            Typist(table: table).keystroke(for: "ł")
                == Typist.Keystroke(key: .w, level: .altGr))
    }

    @Test func capsLockIsSwitchedForCharactersThatNeedItAndOffAgain() throws {
        var table = KeyTable.us
        table[.q, .caps] = .character("Ω")
        let events = try Typist(table: table).events(for: "aΩΩb", endingWith: nil)
        let pressed = events.filter { $0.value == 1 }.map { KeyCode(rawValue: $0.code) }
        #expect(pressed == [.a, .capslock, .q, .q, .capslock, .b])
        #expect(Typist(table: table, usesCapsLock: false).keystrokes(for: "Ω") == nil)
    }

    @Test func keysThatFewKeyboardsHaveAreUsedOnlyIfThereIsNoOther() throws {
        let bracket = try #require(KeyCode(name: "KEY_KPLEFTPAREN"))
        var table = KeyTable.us
        table[bracket, []] = .character("(")
        #expect(
            Typist(table: table).keystroke(for: "(")
                == Typist.Keystroke(key: .digit9, level: .shift))
        table[bracket, []] = .character("Ω")
        #expect(Typist(table: table).keystroke(for: "Ω") == Typist.Keystroke(key: bracket))
    }

    /// The US layout with a dead acute accent on F1.
    private static let table: KeyTable = {
        let acute = DeadKey(rawValue: 0xFE51)
        let twice = DeadKey(rawValue: 1)
        var table = KeyTable.us
        table[.f1, []] = .dead(acute)
        table.register([
            DeadKeyPair(acute, .character("e"), gives: .character("é")),
            DeadKeyPair(acute, .character("'"), gives: .character("'")),
            DeadKeyPair(acute, .dead(acute), gives: .dead(twice)),
            DeadKeyPair(twice, .character("e"), gives: .character("ế")),
            DeadKeyPair(twice, .character(" "), gives: .character("´")),
            DeadKeyPair(acute, .character(" "), gives: .character("´")),
        ])
        return table
    }()
}
