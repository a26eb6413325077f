import Keystrokes
import Testing

@Suite("KeyTable.us")
struct KeyTableUSTests {
    static let printable = (UInt8(0x20)...0x7E).map { Unicode.Scalar($0) }
    static let controls = (UInt8(0x00)...0x1F).map { Unicode.Scalar($0) } + ["\u{7F}"]

    @Test(arguments: printable)
    func everyPrintableCharacterIsReachableAndReadBackAsTyped(_ character: Unicode.Scalar) throws {
        let keystroke = try #require(Typist().keystroke(for: character))
        #expect(KeyTable.us[keystroke.key, keystroke.level] == .character(character))
        var keyboard = Keyboard()
        keyboard.type(String(character))
        keyboard.press(.enter)
        #expect(keyboard.texts == [String(character)])
    }

    @Test(arguments: controls)
    func everyControlCharacterIsReachableAndReadBackAsTyped(_ character: Unicode.Scalar) {
        var keyboard = Keyboard()
        keyboard.type("a" + String(character) + "b")
        keyboard.press(.enter)
        #expect(keyboard.texts.map { Array($0.unicodeScalars) } == [["a", character, "b"]])
    }

    @Test(arguments: [KeyCode.enter, .kpenter])
    func bothEnterKeysAreNewlinesAndEndAScan(_ key: KeyCode) {
        #expect(KeyTable.us[key, []] == .character("\r"))
        var keyboard = Keyboard()
        keyboard.type("4006381333931")
        keyboard.press(key)
        #expect(keyboard.texts == ["4006381333931"])
    }

    @Test func capsLockAffectsLettersOnly() {
        var keyboard = Keyboard()
        keyboard.press(.capslock)
        keyboard.press(.a, .digit1, .minus, .z)
        keyboard.down(.leftshift)
        keyboard.press(.a, .digit1)
        keyboard.up(.leftshift)
        keyboard.press(.capslock, .a, .enter)
        #expect(keyboard.texts == ["A1-Za!a"])
    }

    @Test func capsLockStaysOnAcrossScans() {
        var keyboard = Keyboard()
        keyboard.press(.capslock, .a, .enter, .b, .enter)
        #expect(keyboard.texts == ["A", "B"])
    }

    @Test func shiftIsHeldOverSeveralKeysAndReleasedInAnyOrder() {
        var keyboard = Keyboard()
        keyboard.down(.leftshift)
        keyboard.down(.rightshift)
        keyboard.press(.a)
        keyboard.up(.leftshift)
        keyboard.press(.b)
        keyboard.up(.rightshift)
        keyboard.press(.c)
        keyboard.down(.rightshift)
        keyboard.down(.d)
        keyboard.up(.rightshift)
        keyboard.up(.d)
        keyboard.press(.e, .enter)
        #expect(keyboard.texts == ["ABcDe"])
    }

    @Test func controlAndRightBracketIsTheGroupSeparator() {
        var keyboard = Keyboard()
        keyboard.press(.a)
        keyboard.down(.leftctrl)
        keyboard.press(.rightbrace)
        keyboard.up(.leftctrl)
        keyboard.press(.b, .enter)
        #expect(keyboard.texts == ["a\u{1D}b"])
    }

    @Test(arguments: [KeyCode.digit1, .digit9, .digit0, .minus, .comma])
    func controlWithAKeyThatHasNoControlCharacterIsUnmapped(_ key: KeyCode) {
        #expect(KeyTable.us[key, .control] == .unknown)
    }

    @Test func theKeypadTypesDigitsAndOperatorsWhateverNumLockSays() {
        var keyboard = Keyboard()
        let keys: [KeyCode] = [
            .kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9, .kpdot, .kpslash,
            .kpasterisk, .kpminus, .kpplus, .kpequal,
        ]
        for key in keys { keyboard.press(key) }
        keyboard.press(.kpenter, .numlock)
        for key in keys { keyboard.press(key) }
        keyboard.press(.kpenter)
        #expect(keyboard.texts == ["0123456789./*-+=", "0123456789./*-+="])
    }

    @Test func numLockIsNoData() {
        var keyboard = Keyboard()
        keyboard.press(.numlock, .kp1, .numlock, .kp2, .kpenter, .numlock)
        keyboard.wait(1_000)
        #expect(keyboard.story == ["12"])
    }

    @Test func altAndMetaMakeATextKeyACommand() {
        var keyboard = Keyboard()
        keyboard.press(.a)
        keyboard.down(.leftalt)
        keyboard.press(.kp6)
        keyboard.up(.leftalt)
        keyboard.press(.enter)
        #expect(keyboard.story == ["unmapped-key 'a'@1/3"])
        #expect(keyboard.rejections.first?.key?.description == "Alt+KEY_KP6")
    }

    @Test func aRegisteredKeyAbove255GrowsTheTable() throws {
        var table = KeyTable.us
        let ok = try #require(KeyCode(name: "KEY_OK"))
        #expect(table[ok, []] == .unknown)
        table.register(.terminator, for: ok)
        #expect(table[ok, .shift] == .terminator)
        #expect(table[.a, .shift] == .character("A"))
    }

    @Test func aKeyThatCannotExistIsNotRegistered() {
        var table = KeyTable.us
        table.register(.ignored, for: KeyCode(rawValue: 0xFFFF))
        #expect(table == KeyTable.us)
        table[KeyCode(rawValue: 0xFFFF), []] = .ignored
        #expect(table == KeyTable.us)
        #expect(table[KeyCode(rawValue: 0xFFFF), []] == .unknown)
    }
}
