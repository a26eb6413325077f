import Keystrokes
import Testing

@Suite struct ScanAssemblerTests {
    @Test func keysAndEnterMakeAScan() {
        var keyboard = Keyboard()
        keyboard.press(.digit4, .digit2, .enter)
        #expect(
            keyboard.outcomes == [
                .scan(
                    Scan(text: "42", keyCount: 3, startMicroseconds: 1_000, endMicroseconds: 5_000))
            ])
    }

    @Test func autoRepeatAndReleasesAreNoCharacters() {
        var keyboard = Keyboard()
        keyboard.down(.digit4)
        for _ in 0..<10 { keyboard.change(.digit4, 2) }
        keyboard.up(.digit4)
        keyboard.press(.enter)
        #expect(keyboard.texts == ["4"])
    }

    @Test func autoRepeatAloneIsNothing() {
        var keyboard = Keyboard()
        for _ in 0..<100 { keyboard.change(.digit4, 2) }
        keyboard.wait(10_000)
        #expect(keyboard.outcomes.isEmpty)
    }

    @Test func enterAloneGivesNothingHoweverOften() {
        var keyboard = Keyboard()
        for _ in 0..<1_000 { keyboard.press(.enter) }
        keyboard.wait(10_000)
        #expect(keyboard.outcomes.isEmpty)
    }

    @Test func aSecondTerminatorGivesNothing() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter, .enter, .digit2, .enter, .kpenter)
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func lineFeedAfterEnterBelongsToIt() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter)
        keyboard.type("\n")
        keyboard.press(.digit2, .enter)
        keyboard.type("\n\r")
        keyboard.wait(10_000)
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func lineFeedInsideATextIsData() {
        var keyboard = Keyboard()
        keyboard.type("1\n2")
        keyboard.press(.enter)
        #expect(keyboard.story == ["1\n2"])
    }

    @Test func aClockThatStepsBackBeforeALineFeedDoesNotMakeItData() {
        var keyboard = Keyboard()
        keyboard.now = 5_000_000
        keyboard.press(.digit1, .enter)
        keyboard.now = 1_000_000
        keyboard.type("\n2")
        keyboard.press(.enter)
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func lineFeedLongAfterEnterIsData() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter)
        keyboard.wait(10_000)
        keyboard.type("\n2")
        keyboard.press(.enter)
        #expect(keyboard.story == ["1", "\n2"])
    }

    @Test(arguments: [
        (ScanSettings.Terminators(keys: [.tab]), KeyCode.tab),
        (ScanSettings.Terminators(characters: ["\t"]), .tab),
        (ScanSettings.Terminators(characters: [";"]), .semicolon),
        (ScanSettings.Terminators(keys: [.esc, .tab]), .esc),
    ])
    func aTerminatorIsAnyKeyOrCharacter(_ terminators: ScanSettings.Terminators, key: KeyCode) {
        var keyboard = Keyboard(ScanSettings(terminators: terminators))
        keyboard.press(.digit1, key, .digit2, key)
        #expect(keyboard.story == ["1", "2"])
    }

    @Test func withAnotherTerminatorEnterIsData() {
        var keyboard = Keyboard(ScanSettings(terminators: .init(keys: [.tab])))
        keyboard.press(.digit1, .enter, .digit2, .tab)
        #expect(keyboard.story == ["1\r2"])
    }

    @Test func whatIsHeldAtTheEndOfAScanIsHeldInTheNext() {
        var keyboard = Keyboard()
        keyboard.down(.leftshift)
        keyboard.press(.a, .enter, .b, .enter)
        keyboard.up(.leftshift)
        keyboard.press(.c, .enter)
        #expect(keyboard.story == ["A", "B", "c"])
    }

    @Test func controlHeldOverCarriageReturnAndLineFeedIsOneEnd() {
        var keyboard = Keyboard(ScanSettings(terminators: .init(characters: ["\r"])))
        for key in [KeyCode.digit1, .digit2] {
            keyboard.press(key)
            keyboard.down(.leftctrl)
            keyboard.press(.m, .j)
            keyboard.up(.leftctrl)
        }
        #expect(keyboard.story == ["1", "2"])
    }

    @Test(arguments: [KeyCode.leftshift, .rightshift, .leftctrl, .leftalt, .rightalt, .leftmeta])
    func aModifierThatStaysDownForTenTimesTheRecoveryTimeIsReleased(_ modifier: KeyCode) {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.down(modifier)
        keyboard.press(.enter)
        keyboard.wait(100_000)
        keyboard.press(.c, .enter)
        #expect(keyboard.story == ["1", "c"])
    }

    @Test func otherEventTypesMeanNothing() {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.feed(
            KeyEvent(type: InputEventType.msc, code: 4, value: 458_792, microseconds: 2_500))
        keyboard.feed(KeyEvent(type: InputEventType.led, code: 1, value: 1, microseconds: 2_500))
        keyboard.feed(KeyEvent(type: 0xFFFF, code: 0xFFFF, value: .min, microseconds: 2_500))
        keyboard.press(.enter)
        #expect(keyboard.story == ["1"])
    }
}

@Suite("ScanAssembler: rejections")
struct ScanAssemblerRejectionTests {
    @Test func aQuietScannerEndsAPartialScan() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .digit2)
        keyboard.wait(9_999)
        #expect(keyboard.outcomes.isEmpty)
        keyboard.wait(1)
        #expect(
            keyboard.outcomes == [
                .rejection(
                    Rejection(
                        reason: .idle, text: "12", position: 2, keyCount: 2,
                        startMicroseconds: 1_000, endMicroseconds: 3_000))
            ])
    }

    @Test func idleTimeIsAlsoSeenInTheNextKey() {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.now += 600_000
        keyboard.press(.digit2, .enter, .digit3, .enter)
        #expect(keyboard.story == ["idle '1'@1/3", "3"])
    }

    @Test func enterAfterAnIdleGapCompletesNothing() {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.now += 600_000
        keyboard.press(.enter)
        #expect(keyboard.story == ["idle '1'@1/2"])
    }

    @Test func withoutTerminatorIdleTimeCompletesTheScan() {
        var keyboard = Keyboard(ScanSettings(terminators: .none))
        keyboard.press(.digit1, .digit2)
        #expect(keyboard.assembler.deadlineMicroseconds == 504_000)
        keyboard.wait(600)
        #expect(keyboard.story == ["12"])
        #expect(keyboard.assembler.deadlineMicroseconds == nil)
    }

    @Test func theIdleTimeIsTheScannersOwn() {
        var keyboard = Keyboard(ScanSettings(idleTimeout: .seconds(2)))
        keyboard.press(.digit1)
        keyboard.wait(1_900)
        keyboard.press(.digit2, .enter)
        #expect(keyboard.story == ["12"])
    }

    @Test func theEndOfTheEventsEndsAPartialScan() {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.finish()
        keyboard.finish()
        #expect(keyboard.story == ["idle '1'@1/1"])
    }

    @Test func lostEventsTearTheScan() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .digit2)
        keyboard.drop()
        keyboard.press(.digit3, .enter, .digit4, .enter)
        #expect(keyboard.story == ["torn '12'@2/4", "4"])
    }

    @Test func afterLostEventsNothingIsAScanUntilTheScannerIsQuiet() {
        var keyboard = Keyboard()
        keyboard.press(.digit1, .enter)
        keyboard.drop()
        keyboard.press(.digit2)
        keyboard.wait(10_000)
        keyboard.press(.digit3, .enter)
        #expect(keyboard.story == ["1", "torn ''@0/1", "3"])
    }

    /// If a pause ends a scan, the time in which keys were lost must not count as a pause.
    @Test(arguments: [
        ScanSettings(terminatorPause: .milliseconds(80)),
        ScanSettings(terminators: .none, idleTimeout: .milliseconds(50)),
    ])
    func theTimeInWhichEventsWereLostEndsNoScan(settings: ScanSettings) {
        var keyboard = Keyboard(settings)
        keyboard.press(.a, .enter)
        keyboard.now += 100_000
        keyboard.drop()
        keyboard.press(.b, .enter)
        keyboard.finish()
        #expect(keyboard.texts == [])
        #expect(keyboard.rejections.map(\.reason) == [.torn])
    }

    @Test func eventsBetweenDroppedAndReportAreNotBelieved() {
        var keyboard = Keyboard()
        keyboard.feed(.dropped(at: 1_000))
        keyboard.feed(.key(.digit9, 1, at: 1_000))
        keyboard.feed(.key(.leftshift, 1, at: 1_000))
        keyboard.feed(.key(.enter, 1, at: 1_000))
        keyboard.feed(.report(at: 1_000))
        keyboard.press(.a, .enter, .b, .enter)
        #expect(keyboard.story == ["torn ''@0/2", "b"])
    }

    @Test(arguments: 0...8)
    func whereverEventsAreLostNoWrongCodeComesOut(_ position: Int) {
        let keys: [KeyCode] = [
            .digit1, .digit2, .digit3, .enter, .digit4, .digit5, .digit6, .enter,
        ]
        for lost in 0...(keys.count - position) {
            var keyboard = Keyboard()
            for key in keys[..<position] { keyboard.press(key) }
            keyboard.drop()
            for key in keys[(position + lost)...] { keyboard.press(key) }
            keyboard.wait(10_000)
            keyboard.press(.digit7, .enter)
            #expect(Set(keyboard.texts).isSubset(of: ["123", "456", "7"]), "\(keyboard.story)")
            #expect(keyboard.texts.last == "7")
            #expect(keyboard.rejections.contains { $0.reason == .torn })
        }
    }

    @Test func aModifierLostWithTheEventsDoesNotChangeLaterScans() {
        var keyboard = Keyboard()
        keyboard.press(.capslock)
        keyboard.down(.leftshift)
        keyboard.press(.a)
        keyboard.drop()
        keyboard.press(.b, .enter, .c, .enter)
        // The scanner uses Caps Lock, which may now be on or off, so only quiet ends the broken scan.
        keyboard.wait(10_000)
        keyboard.press(.d, .enter)
        #expect(keyboard.story == ["torn 'a'@1/5", "d"])
    }

    @Test func anUnknownKeyRejectsTheWholeScan() throws {
        var keyboard = Keyboard()
        keyboard.press(.digit1)
        keyboard.press(try #require(KeyCode(name: "KEY_F8")))
        keyboard.press(.digit2, .enter, .digit3, .enter)
        #expect(keyboard.story == ["unmapped-key '1'@1/4", "3"])
        #expect(keyboard.rejections.first?.key == UnmappedKey(key: .f8))
    }

    @Test func anUnknownKeyCanBeIgnored() {
        var settings = ScanSettings()
        settings.table.register(.ignored, for: .f8)
        var keyboard = Keyboard(settings)
        keyboard.press(.digit1, .f8, .digit2, .enter, .f8)
        keyboard.wait(1_000)
        #expect(keyboard.story == ["12"])
    }

    @Test func aCodeBeyondAllKeysIsUnmapped() {
        var keyboard = Keyboard()
        keyboard.feed(.key(KeyCode(rawValue: 0xFFFF), 1, at: 0))
        keyboard.press(.enter)
        #expect(keyboard.rejections.first?.key?.description == "KEY_0xffff")
    }

    @Test func moreCharactersThanAllowedAreRejectedWhole() {
        var keyboard = Keyboard(ScanSettings(lengths: 2...3, splitsAIMIdentifier: false))
        keyboard.press(.digit1, .enter)
        keyboard.press(.digit1, .digit2, .digit3, .enter)
        keyboard.press(.digit1, .digit2, .digit3, .digit4, .digit5, .enter)
        #expect(keyboard.story == ["too-short '1'@1/2", "123", "too-long '123'@3/6"])
    }

    @Test func theLengthIsThatOfTheTextWithoutPrefixAndIdentifier() {
        var keyboard = Keyboard(ScanSettings(lengths: 2...3, prefix: "X"))
        for text in ["X]E01", "X]E0123", "X]E01234", "12345"] {
            keyboard.type(text)
            keyboard.press(.enter)
        }
        #expect(
            keyboard.story == [
                "too-short 'X]E01'@5/6", "123", "too-long 'X]E0123'@7/9", "too-long '12345'@3/6",
            ])
    }

    @Test func aHundredThousandCharactersWithoutEnterAreOneRejectionInBoundedMemory() {
        var keyboard = Keyboard()
        for _ in 0..<100_000 { keyboard.press(.digit1) }
        keyboard.wait(10_000)
        keyboard.press(.digit2, .enter)
        #expect(keyboard.rejections.map(\.reason) == [.tooLong])
        #expect(keyboard.rejections.map(\.keyCount) == [100_000])
        #expect(keyboard.rejections.map(\.text.count) == [4_099])
        #expect(keyboard.texts == ["2"])
    }

    @Test func aClockThatStepsBackBreaksAScanAndDoesNotTrap() {
        var keyboard = Keyboard()
        keyboard.feed(.key(.digit1, 1, at: 5_000_000))
        keyboard.feed(.key(.digit2, 1, at: 1_000))
        keyboard.feed(.key(.enter, 1, at: 2_000))
        keyboard.feed(.key(.digit3, 1, at: .max))
        keyboard.feed(.key(.digit4, 1, at: .min))
        keyboard.feed(.key(.enter, 1, at: .min))
        #expect(
            keyboard.story == ["idle '1'@1/3", "idle '3'@1/3"])
    }

    /// A reader may read the clock, then read a key that came later, and only then report the earlier time.
    @Test func aTimeBeforeTheLastKeyEndsNothing() {
        var keyboard = Keyboard()
        keyboard.feed(.key(.digit1, 1, at: 1_000))
        keyboard.feed(.key(.digit2, 1, at: 501_100))
        #expect(keyboard.assembler.advance(to: 501_050) == .nothing)
        #expect(keyboard.assembler.advance(to: .min) == .nothing)
        keyboard.feed(.key(.digit3, 1, at: 502_000))
        keyboard.feed(.key(.enter, 1, at: 503_000))
        #expect(keyboard.story == ["idle '1'@1/4"])
    }

    @Test func aScannerThatGoesAwayTearsItsScan() {
        var keyboard = Keyboard()
        #expect(keyboard.assembler.disconnect(at: 0) == .nothing)
        keyboard.press(.capslock, .digit1)
        keyboard.down(.leftshift)
        let outcome = keyboard.assembler.disconnect(at: 9_000)
        #expect(
            outcome
                == .rejection(
                    Rejection(
                        reason: .torn, text: "1", position: 1, keyCount: 1,
                        startMicroseconds: 3_000, endMicroseconds: 9_000)))
        keyboard.press(.a, .enter)
        #expect(keyboard.story == ["a"])
    }

    @Test func aShiftThatIsDownAtTheClaimIsHeldForTenTimesTheRecoveryTime() {
        for (milliseconds, text) in [(99_000, "!"), (100_000, "1")] as [(Int64, String)] {
            var keyboard = Keyboard()
            keyboard.claim()
            keyboard.feed(.key(.leftshift, 2, at: keyboard.now))
            keyboard.wait(milliseconds)
            keyboard.press(.enter, .digit1, .enter)
            #expect(keyboard.texts == [text])
        }
    }

    @Test func theScanInProgressAtAClaimIsRejected() {
        var keyboard = Keyboard()
        keyboard.assembler.claimed(at: 0)
        keyboard.press(.digit3, .enter, .digit4, .enter)
        #expect(keyboard.story == ["started-before-grab ''@0/2", "4"])
    }
}

@Suite("ScanAssembler: text around the data")
struct ScanAssemblerStrippingTests {
    @Test(arguments: [
        ("^1234$", "1234", nil), ("1234", "1234", nil), ("^]E01234$", "1234", "]E0"),
        ("]E0^1234$", "1234", "]E0"), ("^^1$$", "^1$", nil), ("]E0", "]E0", nil),
        ("]E01", "1", "]E0"), ("]901", "]901", nil), ("]E-1", "]E-1", nil), ("]", "]", nil),
        ("]Q3a]E0b", "a]E0b", "]Q3"), ("]X0]E01", "]E01", "]X0"),
    ])
    func prefixSuffixAndIdentifierAreRemoved(typed: String, text: String, aim: String?) {
        var keyboard = Keyboard(ScanSettings(prefix: "^", suffix: "$"))
        keyboard.type(typed)
        keyboard.press(.enter)
        guard case .scan(let scan)? = keyboard.outcomes.first else {
            Issue.record("\(keyboard.outcomes)")
            return
        }
        #expect(scan.text == text)
        #expect(scan.aim == aim)
    }

    @Test func theIdentifierStaysIfItIsNotToBeSplit() {
        var keyboard = Keyboard(ScanSettings(splitsAIMIdentifier: false))
        keyboard.type("]E01234")
        keyboard.press(.enter)
        #expect(keyboard.story == ["]E01234"])
    }

    @Test func aScanOfNothingButPrefixAndSuffixIsTooShort() {
        var keyboard = Keyboard(ScanSettings(prefix: "^", suffix: "$"))
        keyboard.type("^$")
        keyboard.press(.enter)
        #expect(keyboard.story == ["too-short '^$'@2/3"])
    }

    @Test func aSuffixThatOverlapsThePrefixIsNotRemoved() {
        var keyboard = Keyboard(ScanSettings(prefix: "ab", suffix: "ba"))
        keyboard.type("aba")
        keyboard.press(.enter)
        #expect(keyboard.story == ["a"])
    }
}
