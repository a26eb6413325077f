import Keystrokes
import Testing

@Suite struct UnicodeEntryTests {
    private static let settings = ScanSettings(hasUnicodeEntry: true)

    private static func begin(_ keyboard: inout Keyboard) {
        keyboard.down(.leftctrl)
        keyboard.down(.leftshift)
        keyboard.press(.u)
    }

    private static func letGo(_ keyboard: inout Keyboard) {
        keyboard.up(.leftshift)
        keyboard.up(.leftctrl)
    }

    @Test(arguments: [KeyCode.space, .enter, .kpenter])
    func aNumberEndsWithSpaceOrEnter(end: KeyCode) {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.digit4)
        Self.begin(&keyboard)
        Self.letGo(&keyboard)
        keyboard.press(.digit2, .digit0, .a, .c, end)
        keyboard.press(.digit2, .enter)
        #expect(keyboard.story == ["4€2"])
    }

    @Test func aNumberTypedWithTheKeysHeldEndsWhenTheyAreReleased() {
        var keyboard = Keyboard(Self.settings)
        Self.begin(&keyboard)
        keyboard.press(.digit1, .f, .digit6, .digit0, .digit0)
        Self.letGo(&keyboard)
        keyboard.press(.space, .digit2, .enter)
        #expect(keyboard.story == ["😀 2"])
    }

    @Test(
        arguments: [
            // No digit, a surrogate, above the last character, too long, a letter that is not a digit.
            [], [.d, .digit8, .digit0, .digit0],
            [.digit1, .digit1, .digit0, .digit0, .digit0, .digit0],
            Array(repeating: KeyCode.digit0, count: 9), [.digit2, .g],
        ] as [[KeyCode]])
    func keysThatAreNoNumberAreRejected(keys: [KeyCode]) {
        var keyboard = Keyboard(Self.settings)
        Self.begin(&keyboard)
        Self.letGo(&keyboard)
        for key in keys { keyboard.press(key) }
        keyboard.press(.space, .enter)
        #expect(keyboard.texts.isEmpty)
        #expect(keyboard.rejections.map(\.reason) == [.unmappedKey])
    }

    @Test func aNumberIsNotFinishedByAPause() {
        var keyboard = Keyboard(Self.settings)
        Self.begin(&keyboard)
        Self.letGo(&keyboard)
        keyboard.press(.digit2, .digit0)
        keyboard.wait(600)
        keyboard.press(.space, .enter)
        #expect(keyboard.story == ["idle ''@0/5"])
    }

    @Test func withoutTheSettingItIsAControlCharacter() {
        var keyboard = Keyboard()
        Self.begin(&keyboard)
        Self.letGo(&keyboard)
        keyboard.press(.digit2, .enter)
        #expect(keyboard.story == ["\u{15}2"])
    }
}
