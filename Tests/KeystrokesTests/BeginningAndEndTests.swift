import Keystrokes
import Testing

/// Starts and terminators of scans.
@Suite struct BeginningAndEndTests {
    // MARK: a terminator that may be data

    private static let paused = ScanSettings(terminatorPause: .milliseconds(100))

    @Test func anEnterInsideTheDataIsData() {
        var keyboard = Keyboard(Self.paused)
        keyboard.press(.digit1, .enter, .digit2, .kpenter, .enter)
        #expect(keyboard.outcomes.isEmpty)
        keyboard.wait(100)
        #expect(keyboard.story == ["1\r2\r"])
    }

    @Test func lineEndsInsideTheDataStayWhatTheyWere() {
        var keyboard = Keyboard(Self.paused)
        keyboard.press(.digit1, .enter)
        keyboard.type("\n")
        keyboard.press(.digit2, .enter)
        keyboard.type("\n")
        keyboard.wait(100)
        keyboard.press(.digit3, .enter)
        keyboard.finish()
        #expect(keyboard.story == ["1\r\n2", "3"])
    }

    @Test func theNextScanAfterThePauseIsItsOwn() {
        var keyboard = Keyboard(Self.paused)
        keyboard.press(.digit1, .enter)
        keyboard.now += 100_000
        keyboard.press(.digit2, .enter)
        keyboard.wait(99)
        #expect(keyboard.story == ["1"])
        keyboard.wait(1)
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func theLineFeedAfterAnEnterIsNoScanWithoutItsStart() {
        var keyboard = Keyboard(ScanSettings(start: .init(characters: ["s"])))
        for key in [KeyCode.digit1, .digit2] {
            keyboard.press(.s, key, .enter)
            keyboard.type("\n")
        }
        keyboard.press(.digit3, .enter)
        keyboard.finish()
        #expect(keyboard.story == ["1", "2", "no-start ''@0/2"])
    }

    @Test func aPauseWithoutAnEndIsStillIdle() {
        var keyboard = Keyboard(Self.paused)
        keyboard.press(.digit1, .enter, .digit2)
        keyboard.wait(600)
        keyboard.press(.digit3, .enter)
        keyboard.wait(100)
        #expect(keyboard.story == ["idle '1\r2'@3/5"])
    }

    @Test func anEndThatTypesNothingCannotBeData() {
        var settings = Self.paused
        settings.terminators = .init(keys: [.f8])
        var keyboard = Keyboard(settings)
        keyboard.press(.digit1, .f8, .digit2, .f8)
        keyboard.wait(100)
        #expect(keyboard.story == ["unmapped-key '1'@1/4"])
    }

    @Test func theDeadlineIsThePauseAfterAnEnd() {
        var keyboard = Keyboard(Self.paused)
        keyboard.press(.digit1)
        #expect(keyboard.assembler.deadlineMicroseconds == 10_002_000)
        keyboard.press(.enter)
        #expect(keyboard.assembler.deadlineMicroseconds == 104_000)
    }

    // MARK: a start

    private static let framed = ScanSettings(
        start: .init(characters: ["B"]), terminators: .init(characters: ["C"]))

    @Test func startAndTerminatorAreRemoved() {
        var keyboard = Keyboard(Self.framed)
        keyboard.type("B123CB4BC")
        #expect(keyboard.story == ["123", "4B"])
        guard case .scan(let scan) = keyboard.outcomes[0] else { return }
        #expect(scan.features == .start)
        #expect(scan.keyCount == 5)
    }

    @Test func keysBeforeTheStartAreNoScan() {
        var keyboard = Keyboard(Self.framed)
        keyboard.type("12B3C")
        keyboard.type("B4C")
        #expect(keyboard.story == ["no-start ''@0/5", "4"])
    }

    @Test func anEndWithoutAStartIsNothing() {
        var keyboard = Keyboard(Self.framed)
        keyboard.type("CC")
        keyboard.wait(600)
        keyboard.type("B1C")
        #expect(keyboard.story == ["1"])
    }

    @Test func aStartAloneIsNothing() {
        var keyboard = Keyboard(Self.framed)
        keyboard.type("B")
        keyboard.wait(10_000)
        keyboard.type("B1C")
        #expect(keyboard.story == ["1"])
    }

    /// The second B may be data of the first scan, so `B1` must not give the scan `1`.
    @Test func aStartAndAPauseAreABrokenScan() {
        var keyboard = Keyboard(Self.framed)
        keyboard.type("B")
        keyboard.wait(600)
        keyboard.type("B1CB2C")
        #expect(keyboard.story == ["idle ''@0/4", "2"])
    }

    @Test func aTerminatorInsideTheDataIsDataIfAPauseDecides() {
        var settings = Self.framed
        settings.terminatorPause = .milliseconds(50)
        var keyboard = Keyboard(settings)
        keyboard.type("B12C34C")
        keyboard.wait(50)
        #expect(keyboard.story == ["12C34"])
    }

    // MARK: Enter before the data

    private static let enterFirst = ScanSettings(start: .enter, terminators: .none)

    @Test func anEnterBeforeTheDataBeginsAScanAndEndsTheOneBefore() {
        var keyboard = Keyboard(Self.enterFirst)
        keyboard.press(.enter, .digit1, .enter, .digit2)
        #expect(keyboard.story == ["1"])
        keyboard.wait(500)
        #expect(keyboard.story == ["1", "2"])
        keyboard.press(.enter, .digit3)
        keyboard.wait(500)
        #expect(keyboard.story == ["1", "2", "3"])
    }

    @Test func aLineFeedAfterTheEnterBeforeTheDataBelongsToIt() {
        var keyboard = Keyboard(Self.enterFirst)
        for key in [KeyCode.digit1, .digit2] {
            keyboard.press(.enter)
            keyboard.type("\n")
            keyboard.press(key)
        }
        keyboard.finish()
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func carriageReturnAndLineFeedAreOneTerminatorIfAPauseDecides() {
        var keyboard = Keyboard(
            ScanSettings(
                terminators: .init(characters: ["\r", "\n"]), terminatorPause: .milliseconds(80)))
        keyboard.type("12\r\n")
        keyboard.wait(100)
        keyboard.type("3\r\n4\r\n")
        keyboard.finish()
        #expect(keyboard.story == ["12", "3\r\n4"])
    }

    @Test func dataWithoutTheEnterBeforeItIsNoScan() {
        var keyboard = Keyboard(Self.enterFirst)
        keyboard.press(.digit1, .enter, .digit2)
        keyboard.wait(500)
        #expect(keyboard.story == ["no-start ''@0/1", "2"])
    }

    @Test func enterAloneIsNothing() {
        var keyboard = Keyboard(Self.enterFirst)
        for _ in 0..<100 { keyboard.press(.enter) }
        keyboard.wait(500)
        #expect(keyboard.outcomes.isEmpty)
    }

    @Test func lostKeysAreRejectedUpToTheNextStart() {
        var keyboard = Keyboard(Self.enterFirst)
        keyboard.press(.enter, .digit1)
        keyboard.drop()
        keyboard.press(.digit2, .enter, .digit3)
        keyboard.wait(500)
        #expect(keyboard.story == ["torn '1'@1/3", "3"])
    }

    @Test func unpluggingDropsTheTerminatorHeldBack() {
        var keyboard = Keyboard(Self.paused)
        keyboard.press(.digit1, .enter)
        let outcome = keyboard.assembler.disconnect(at: keyboard.now + 1_000)
        guard case .rejection(let rejection) = outcome else {
            Issue.record("no rejection")
            return
        }
        #expect(rejection.reason == .torn)
        keyboard.press(.digit2, .enter)
        keyboard.wait(100)
        #expect(keyboard.story == ["2"])
    }

    @Test(arguments: [Duration.zero, .milliseconds(50)])
    func theSameCharacterMayBeginAndEndAScan(pause: Duration) {
        let mark = ScanSettings.Terminators(characters: ["B"])
        var keyboard = Keyboard(
            ScanSettings(start: mark, terminators: mark, terminatorPause: pause))
        keyboard.type("B123B")
        keyboard.wait(100)
        keyboard.type("B45B")
        keyboard.finish()
        #expect(keyboard.story == ["123", "45"])
    }

    @Test func aStartMayComeByUnicodeEntry() {
        var keyboard = Keyboard(
            ScanSettings(hasUnicodeEntry: true, start: .init(characters: ["\u{2}"])))
        for _ in 0..<2 {
            keyboard.down(.leftctrl)
            keyboard.down(.leftshift)
            keyboard.press(.u)
            keyboard.up(.leftshift)
            keyboard.up(.leftctrl)
            keyboard.press(.digit2, .space, .digit7, .enter)
        }
        keyboard.press(.digit7, .enter)
        #expect(keyboard.story == ["7", "7", "no-start ''@0/2"])
    }
}
