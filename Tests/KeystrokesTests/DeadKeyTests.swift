import Keystrokes
import Testing

@Suite struct DeadKeyTests {
    private static let acute = DeadKey(rawValue: 0xFE51)
    private static let both = DeadKey(rawValue: 1)

    /// The apostrophe key is dead: before `e` it gives `é`, before a space `'`, and twice before `e` it gives `ế`.
    private static let settings: ScanSettings = {
        var table = KeyTable.us
        for level in KeyLevel.all where level.isDisjoint(with: [.shift, .control]) {
            table[.apostrophe, level] = .dead(acute)
        }
        table.register([
            DeadKeyPair(acute, .character("e"), gives: .character("é")),
            DeadKeyPair(acute, .character("E"), gives: .character("É")),
            DeadKeyPair(acute, .character(" "), gives: .character("'")),
            DeadKeyPair(acute, .dead(acute), gives: .dead(both)),
            DeadKeyPair(both, .character("e"), gives: .character("ế")),
        ])
        return ScanSettings(table: table)
    }()

    @Test(
        arguments: [
            ([.apostrophe, .e], "é"), ([.apostrophe, .space], "'"),
            ([.apostrophe, .apostrophe, .e], "ế"), ([.digit1, .apostrophe, .e, .digit2], "1é2"),
        ] as [([KeyCode], String)])
    func aDeadKeyChangesTheNext(keys: [KeyCode], text: String) {
        var keyboard = Keyboard(Self.settings)
        for key in keys { keyboard.press(key) }
        keyboard.press(.enter)
        #expect(
            keyboard.outcomes == [
                .scan(
                    Scan(
                        text: text, keyCount: keys.count + 1, startMicroseconds: 1_000,
                        endMicroseconds: Int64(keys.count * 2 + 1) * 1_000, features: .deadKey))
            ])
    }

    @Test func shiftBetweenThemBelongsToTheSecond() {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.apostrophe)
        keyboard.down(.leftshift)
        keyboard.press(.e)
        keyboard.up(.leftshift)
        keyboard.press(.enter)
        #expect(keyboard.story == ["É"])
    }

    @Test(
        arguments: [
            ([.digit4, .apostrophe, .x], "unmapped-key '4'@1/4"),
            ([.digit4, .apostrophe], "unmapped-key '4'@1/3"),
            ([.digit4, .apostrophe, .apostrophe], "unmapped-key '4'@1/4"),
        ] as [([KeyCode], String)])
    func aPairThatGivesNothingIsRejected(keys: [KeyCode], story: String) {
        var keyboard = Keyboard(Self.settings)
        for key in keys { keyboard.press(key) }
        keyboard.press(.enter)
        #expect(keyboard.story == [story])
    }

    @Test func aPauseAfterADeadKeyRejectsTheScan() {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.digit4, .apostrophe)
        keyboard.wait(600)
        keyboard.press(.e, .enter, .e, .enter)
        #expect(keyboard.story == ["idle '4'@1/4", "e"])
    }

    @Test func aLossDropsTheDeadKey() {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.apostrophe)
        keyboard.drop()
        keyboard.press(.e, .enter, .e, .enter)
        #expect(keyboard.story == ["torn ''@0/3", "e"])
    }

    @Test func aDeadKeyWhosePressWasLostBreaksTheScan() {
        var keyboard = Keyboard(Self.settings)
        keyboard.up(.apostrophe)
        keyboard.press(.e, .enter)
        #expect(keyboard.texts.isEmpty, "\(keyboard.story)")
    }

    @Test func aStartMayTakeADeadKey() {
        var settings = Self.settings
        settings.start = .init(characters: ["é"])
        var keyboard = Keyboard(settings)
        keyboard.press(.apostrophe, .e, .digit1, .enter)
        keyboard.press(.apostrophe, .space, .digit1, .enter)
        #expect(keyboard.story == ["1", "no-start ''@0/4"])
    }
}
