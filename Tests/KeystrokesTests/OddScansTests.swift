import Keystrokes
import Testing

/// Keys between two scans, symbols of many lines, contradictions, repeats.
@Suite struct OddScansTests {
    // MARK: keys that type nothing

    @Test(arguments: [KeyCode.down, .f8, KeyCode(rawValue: 115)])
    func aKeyThatTypesNothingBetweenTwoScansIsIgnored(key: KeyCode) {
        var keyboard = Keyboard()
        keyboard.press(key, .digit1, .enter, key, .digit2, .enter, key)
        keyboard.wait(10_000)
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func insideAScanItBreaksTheScan() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .down, .digit2, .enter, .down, .digit3, .enter)
        #expect(keyboard.story == ["unmapped-key '1'@1/4", "3"])
        keyboard.press(.digit1)
        keyboard.drop()
        keyboard.press(.down, .digit2, .enter, .digit3, .enter)
        #expect(keyboard.story.suffix(2) == ["torn '1'@1/4", "3"])
    }

    /// If the key were ignored, the first character of the code would be missing.
    @Test(arguments: [KeyCode(rawValue: 124), KeyCode(rawValue: 89)])
    func aKeyThatTypesOnAnotherLayoutIsNotIgnored(key: KeyCode) {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter, key, .digit2, .enter)
        #expect(keyboard.story == ["1", "unmapped-key ''@0/3"])
    }

    @Test func aDigitOfAnAltNumberIsNotIgnored() {
        var keyboard = Keyboard()
        keyboard.down(.leftalt)
        keyboard.press(.kp0, .kp6, .kp5)
        keyboard.up(.leftalt)
        keyboard.press(.digit2, .enter)
        #expect(keyboard.story == ["unmapped-key ''@0/5"])
    }

    @Test func aKeyAfterATerminatorThatMayBeDataBreaksTheScanOnlyIfItIsData() {
        var keyboard = Keyboard(ScanSettings(terminatorPause: .milliseconds(80)))
        keyboard.press(.digit1, .enter, .down)
        keyboard.wait(100)
        keyboard.press(.digit2, .enter, .down, .digit3, .enter, .down)
        keyboard.wait(100)
        #expect(keyboard.story == ["1", "unmapped-key '2\r'@2/4"])
    }

    @Test func beforeItsStartAScanHasNotBegun() {
        var keyboard = Keyboard(ScanSettings(start: .init(keys: [.f7])))
        keyboard.press(.down, .f7, .digit1, .enter, .down)
        #expect(keyboard.story == ["1"])
    }

    // MARK: a symbol of many lines

    /// Returns scans as their texts, with `*` if they may be another line of the previous symbol.
    private func lines(_ keyboard: Keyboard) -> [String] {
        keyboard.outcomes.map {
            guard case .scan(let scan) = $0 else { return "-" }
            return scan.text + (scan.features.contains(.rapidLine) ? "*" : "")
        }
    }

    @Test func linesThatFollowAtOnceAreRapid() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter, .digit2, .enter, .enter, .down)
        keyboard.type("A")
        keyboard.press(.enter)
        keyboard.wait(15)
        keyboard.press(.digit4, .enter)
        keyboard.wait(100)
        keyboard.press(.digit5, .enter)
        #expect(lines(keyboard) == ["1", "2*", "A*", "4*", "5"])
    }

    @Test func aLineAfterARejectedOneIsRapid() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, KeyCode(rawValue: 124), .enter, .digit2, .enter)
        keyboard.drop()
        keyboard.press(.enter, .digit3, .enter)
        #expect(lines(keyboard) == ["-", "2*", "-", "3*"])
    }

    /// The Shift of the next scan comes after the pause, immediately before the first character.
    @Test func thePauseCountsNotTheKeysAfterIt() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter)
        keyboard.wait(100)
        keyboard.type("A")
        keyboard.press(.enter)
        keyboard.down(.digit1)
        keyboard.wait(100)
        keyboard.up(.digit1)
        keyboard.press(.enter)
        #expect(lines(keyboard) == ["1", "A", "1*"])
    }

    @Test(arguments: [
        ScanSettings(terminatorPause: .milliseconds(5)), ScanSettings(terminators: .none),
        ScanSettings(start: .enter, terminators: .none),
    ])
    func withoutATerminatorThatEndsAtOnceNothingIsRapid(settings: ScanSettings) {
        var keyboard = Keyboard(settings)
        for _ in 0..<3 {
            keyboard.press(.enter, .digit1, .enter)
            keyboard.wait(8)
        }
        keyboard.wait(600)
        #expect(!lines(keyboard).isEmpty && !lines(keyboard).contains { $0.hasSuffix("*") })
    }

    @Test func anEnterBeforeTheDataIsNoLine() {
        var keyboard = Keyboard()
        for _ in 0..<2 {
            keyboard.press(.enter, .digit1, .enter)
            keyboard.wait(100)
        }
        #expect(lines(keyboard) == ["1", "1"])
    }

    // MARK: contradictions

    /// `+` presses, `-` releases, `=` repeats; other words are keys pressed and released.
    private func story(_ words: String) -> [String] {
        var keyboard = Keyboard()
        for word in words.split(separator: " ") {
            let name = word.drop { "+-=".contains($0) }
            guard let key = KeyCode(name: "KEY_\(name.uppercased())") else {
                Issue.record("no key \(word)")
                continue
            }
            switch word.first {
            case "+": keyboard.down(key)
            case "-": keyboard.up(key)
            case "=": keyboard.change(key, 2)
            default: keyboard.press(key)
            }
        }
        keyboard.finish()
        return keyboard.story
    }

    @Test(arguments: [
        // Pressed twice: a release is missing, and perhaps more.
        ("1 +2 +2 -2 3 Enter 4 Enter", ["torn '12'@2/5", "4"]),
        ("+1 +1 -1 Enter 4 Enter", ["torn '1'@1/3", "4"]),
        ("1 +Enter 2 +Enter -Enter 4 Enter", ["1", "torn '2'@1/2", "4"]),
        ("1 +LeftShift 2 +LeftShift 3 -LeftShift Enter 4 Enter", ["torn '1@'@2/4", "4"]),
        // Released or repeated without a press.
        ("1 -2 3 Enter 4 Enter", ["torn '1'@1/3", "4"]),
        ("1 =2 -2 3 Enter 4 Enter", ["torn '1'@1/3", "4"]),
        ("1 -Enter 2 Enter 4 Enter", ["torn '1'@1/3", "4"]),
        ("1 -LeftShift 2 Enter 4 Enter", ["torn '1'@1/3", "4"]),
        ("-1 2 3 Enter 4 Enter", ["torn ''@0/3", "4"]),
        ("1 Enter -2 3 Enter 4 Enter", ["1", "torn ''@0/2", "4"]),
        // A press of Caps Lock is missing: its state is unknown until the scanner has been quiet.
        ("1 -CapsLock Enter CapsLock a Enter", ["torn '1'@1/2", "torn ''@0/2"]),
    ])
    func aContradictionTearsTheScan(keys: String, story: [String]) {
        #expect(self.story(keys) == story)
    }

    @Test(arguments: [
        // Keys that were down before the recording began.
        ("-Enter 1 Enter", ["1"]), ("-LeftShift -LeftCtrl 1 Enter", ["1"]),
        ("=Enter =Enter -Enter 1 Enter", ["1"]),
        // Scanners that press the next key before they release the last one.
        ("+1 +2 -1 +3 -2 -3 Enter", ["123"]), ("+1 +2 -2 -1 Enter", ["12"]),
        ("+1 =1 =1 -1 Enter", ["1"]),
        // A program that prints only the presses.
        ("+4 +0 +0 +6 +Enter +0 +0 +Enter", ["4006", "00"]),
        // Between two scans, a missing press of Enter or Down loses no character.
        ("1 Enter -Enter -Down 2 Enter", ["1", "2"]),
    ])
    func whatIsNoContradictionTearsNothing(keys: String, story: [String]) {
        #expect(self.story(keys) == story)
    }

    @Test func afterAClaimARepeatIsNoContradiction() {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.claim()
        keyboard.change(.digit2, 2)
        keyboard.up(.digit2)
        keyboard.up(.digit3)
        keyboard.press(.enter, .digit4, .enter)
        #expect(keyboard.story == ["started-before-grab '1'@1/2", "4"])
    }

    // MARK: repeats

    @Test func theSameCodeWithinTheWindowIsRepeated() {
        var keyboard = Keyboard(ScanSettings(repeatWindow: .seconds(2)))
        for (pause, key) in [
            (0, KeyCode.digit1), (500, .digit1), (1_900, .digit1), (300, .digit2), (300, .digit1),
            (2_100, .digit1), (100, .digit2),
        ] {
            keyboard.wait(Int64(pause))
            keyboard.press(key, .enter)
        }
        #expect(
            keyboard.story == [
                "1", "repeated '1'@1/2", "repeated '1'@1/2", "2", "repeated '1'@1/2", "1", "2",
            ])
    }

    /// The second scan starts 4 ms plus the pause after the first.
    @Test(arguments: [(1_996, "repeated '1'@1/2"), (1_997, "1")] as [(Int64, String)])
    func theWindowIncludesItsEnd(pause: Int64, second: String) {
        var keyboard = Keyboard(ScanSettings(repeatWindow: .seconds(2)))
        keyboard.press(.digit1, .enter)
        keyboard.wait(pause)
        keyboard.press(.digit1, .enter)
        #expect(keyboard.story == ["1", second])
    }

    @Test func withAnotherAIMIdentifierItIsAnotherCode() {
        var keyboard = Keyboard(ScanSettings(repeatWindow: .seconds(2)))
        for text in ["]C01", "]Q11", "]C01", "1"] {
            keyboard.type(text)
            keyboard.press(.enter)
        }
        #expect(keyboard.story == ["1", "1", "repeated ']C01'@4/5", "1"])
    }

    @Test func withoutAWindowRepeatsAreScans() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter, .digit1, .enter)
        #expect(keyboard.story == ["1", "1"])
    }

    @Test func aClockThatStepsBackRepeatsNothing() {
        var keyboard = Keyboard(ScanSettings(repeatWindow: .seconds(2)))
        keyboard.wait(10_000)
        keyboard.press(.digit1, .enter)
        keyboard.now -= 5_000_000
        keyboard.press(.digit1, .enter)
        #expect(keyboard.story == ["1", "1"])
    }

    @Test func aBrokenScanIsNoRepeat() {
        var keyboard = Keyboard(ScanSettings(repeatWindow: .seconds(2)))
        keyboard.press(.digit1)
        keyboard.drop()
        keyboard.press(.enter, .digit1, .enter)
        #expect(keyboard.story == ["torn '1'@1/2", "1"])
    }
}
