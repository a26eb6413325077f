import Keystrokes
import Testing

@Suite struct AltNumpadTests {
    private static let settings = ScanSettings(hasAltNumpad: true)
    private static let unchecked = ScanSettings(hasAltNumpad: true, checksAltNumbers: false)

    /// Types digits on the keypad while Alt is held.
    private static func alt(_ digits: String, on keyboard: inout Keyboard) {
        let keys: [KeyCode] = [.kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9]
        keyboard.down(.leftalt)
        for digit in digits.utf8 { keyboard.press(keys[Int(digit - 0x30)]) }
        keyboard.up(.leftalt)
    }

    private static func story(_ numbers: [String], _ settings: ScanSettings = settings) -> [String]
    {
        var keyboard = Keyboard(settings)
        for number in numbers { alt(number, on: &keyboard) }
        keyboard.press(.enter)
        return keyboard.story
    }

    @Test(arguments: [
        ("065", "A"), ("0065", "A"), ("65", "A"), ("029", "\u{1D}"), ("29", "\u{1D}"),
        ("0029", "\u{1D}"), ("48", "0"), ("127", "\u{7F}"), ("000", "\u{0}"),
        ("0128", "€"), ("128", "Ç"), ("0233", "é"), ("233", "Θ"), ("130", "é"), ("0159", "Ÿ"),
        ("255", "\u{A0}"), ("0255", "ÿ"), ("0163", "£"), ("156", "£"),
    ])
    func aNumberIsACharacterOfWindows(number: String, character: String) {
        #expect(Self.story([number], Self.unchecked) == [character])
    }

    @Test(arguments: [
        // 0x81 has no character in Windows-1252.
        "0129", "256", "0256", "999", "9999", "00065", "0000065", "1234567",
    ])
    func aNumberWithoutACharacterIsRejected(number: String) {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.digit4)
        Self.alt(number, on: &keyboard)
        keyboard.press(.digit2, .enter)
        let rejection = keyboard.rejections.first
        #expect(keyboard.outcomes.count == 1)
        #expect(rejection?.reason == .unmappedKey)
        #expect(rejection?.position == 1)
        #expect(rejection?.key?.modifiers == [.alt])
        #expect(rejection?.key?.altNumber == .noCharacter(number))
        #expect(rejection?.key?.description == "Alt+\(number)")
    }

    @Test func aWholeCodeIsTypedInNumbers() {
        #expect(
            Self.story(["052", "048", "029", "0228", "132", "48"]) == ["40\u{1D}ää0"])
        #expect(Self.story(["52", "48", "29", "100", "132"]) == ["40\u{1D}dä"])
    }

    /// A scanner may press Alt and all digits in one USB report, which can contain each key only once; the second of
    /// two equal digits is then lost, and 080 becomes 08.
    @Test(
        arguments: [
            (["083", "073", "08", "045"], "alt-number-suspect 'SI'@2/12"),
            // The short number comes first; the next number shows that it is too short.
            (["09", "048"], "alt-number-suspect '\t'@1/6"),
            (["055", "0055"], "alt-number-suspect '7'@1/8"),
        ] as [([String], String)])
    func aNumberOfFewerDigitsThanItsNeighboursIsSuspect(numbers: [String], story: String) {
        #expect(Self.story(numbers) == [story])
    }

    @Test(arguments: ["008", "127", "027", "000", "001", "005"])
    func aControlCharacterThatNoSymbolHoldsIsSuspect(number: String) {
        #expect(Self.story(["048", number]) == ["alt-number-suspect '0'@1/7"])
        #expect(Self.story(["048", number], Self.unchecked).first?.hasPrefix("0") == true)
    }

    @Test(arguments: ["028", "029", "030", "031", "009", "010", "013"])
    func aControlCharacterThatASymbolMayHoldIsNot(number: String) {
        #expect(Self.story(["048", number]).first?.hasPrefix("0") == true)
    }

    @Test func aControlCharacterThatIsSetUpIsExpected() {
        let settings = ScanSettings(
            hasAltNumpad: true, start: .init(characters: ["\u{2}"]),
            terminators: .init(characters: ["\u{3}"]), prefix: "\u{5}",
            substitutes: ["\u{6}": "\u{1D}"])
        #expect(Self.story(["002", "005", "048", "006", "003"], settings) == ["0\u{1D}"])
    }

    @Test func numLockAroundANumberIsNoData() {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.numlock)
        keyboard.down(.leftalt)
        keyboard.press(.numlock, .kp0, .kp6, .kp5, .numlock)
        keyboard.up(.leftalt)
        keyboard.press(.numlock, .digit1, .enter)
        #expect(keyboard.story == ["A1"])
    }

    @Test func altWithoutANumberIsNothing() {
        var keyboard = Keyboard(Self.settings)
        Self.alt("", on: &keyboard)
        keyboard.press(.digit4)
        Self.alt("", on: &keyboard)
        keyboard.press(.digit2, .enter)
        #expect(keyboard.story == ["42"])
    }

    @Test(arguments: [KeyCode.a, .digit6, .enter, .kpplus, .tab])
    func anotherKeyCutsANumberOff(key: KeyCode) {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.digit4)
        keyboard.down(.leftalt)
        keyboard.press(.kp0, .kp6, key, .kp5)
        keyboard.up(.leftalt)
        keyboard.press(.enter)
        #expect(keyboard.texts.isEmpty)
        #expect(keyboard.rejections.first?.reason == .unmappedKey)
        #expect(keyboard.rejections.first?.text == "4")
        #expect(keyboard.rejections.first?.key?.altNumber == nil)
    }

    @Test func aNumberIsNotFinishedByAPauseOrALoss() {
        var keyboard = Keyboard(Self.settings)
        keyboard.press(.digit4)
        keyboard.down(.leftalt)
        keyboard.press(.kp6, .kp5)
        keyboard.wait(600)
        keyboard.up(.leftalt)
        keyboard.press(.enter)
        #expect(keyboard.story == ["idle '4'@1/4"])
        keyboard.down(.leftalt)
        keyboard.press(.kp6)
        keyboard.drop()
        keyboard.press(.kp5)
        keyboard.up(.leftalt)
        keyboard.press(.enter)
        #expect(keyboard.texts.isEmpty)
        #expect(keyboard.rejections.last?.reason == .torn)
    }

    @Test func withoutTheSettingNumbersAreUnmappedKeys() {
        #expect(
            Self.story(["065"], ScanSettings()) == ["unmapped-key ''@0/4"])
        var keyboard = Keyboard(ScanSettings())
        Self.alt("20013", on: &keyboard)
        keyboard.press(.enter)
        #expect(keyboard.rejections.map(\.key?.altNumber) == [.unexpected])
        #expect(keyboard.rejections.first?.key?.description == "Alt+KEY_KP2")
    }

    @Test func numbersAreBytesOfAnEncoding() {
        let settings = ScanSettings(hasAltNumpad: true, encoding: .utf8)
        #expect(Self.story(["195", "0169", "065"], settings) == ["éA"])
        #expect(Self.story(["195", "065"], settings) == ["wrong-encoding 'Ã\u{41}'@0/7"])
    }

    @Test func aTerminatorCanBeANumber() {
        let settings = ScanSettings(
            hasAltNumpad: true, terminators: .init(characters: ["\u{D}"]))
        #expect(Self.story(["049", "013", "050", "013"], settings) == ["1", "2"])
    }

    /// Without its last digit, 0132 is 013, the terminator, and the keys that follow would be a shorter code.
    @Test(arguments: [[], [KeyCode.f1]])
    func aNumberThatLostADigitEndsNoScan(unmapped: [KeyCode]) {
        let settings = ScanSettings(
            hasAltNumpad: true, terminators: .init(characters: ["\u{D}"]))
        var keyboard = Keyboard(settings)
        Self.alt("048", on: &keyboard)
        for key in unmapped { keyboard.press(key) }
        keyboard.down(.leftalt)
        keyboard.press(.kp0, .kp1, .kp3)
        keyboard.up(.kp2)
        keyboard.up(.leftalt)
        for number in ["049", "013"] { Self.alt(number, on: &keyboard) }
        keyboard.wait(10_000)
        #expect(keyboard.texts == [], "\(keyboard.story)")
        for number in ["050", "013"] { Self.alt(number, on: &keyboard) }
        #expect(keyboard.texts == ["2"], "\(keyboard.story)")
    }

    @Test func everyKeyOfANumberCounts() {
        var keyboard = Keyboard(Self.settings)
        Self.alt("065", on: &keyboard)
        keyboard.press(.enter)
        guard case .scan(let scan)? = keyboard.outcomes.first else {
            Issue.record("no scan")
            return
        }
        #expect(scan.keyCount == 4)
        #expect(scan.features == .altNumpad)
    }

    @Test(arguments: [["\r"], ["\n"], ["\r", "\n"]] as [Set<Unicode.Scalar>])
    func aLineEndOfTwoNumbersIsOneEnd(ends: Set<Unicode.Scalar>) {
        var keyboard = Keyboard(
            ScanSettings(hasAltNumpad: true, terminators: .init(characters: ends)))
        for _ in 0..<2 {
            for number in ["065", "013", "010"] where ends != ["\n"] || number != "013" {
                Self.alt(number, on: &keyboard)
            }
        }
        #expect(keyboard.story == ["A", "A"])
    }
}
