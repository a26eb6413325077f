import Keystrokes
import Testing

/// Tests that a broken scan stays broken until its terminator arrives or the scanner has been quiet for the recovery
/// time, and that nothing before that is reported as a scan.
@Suite struct BrokenScanTests {
    private static let dead: ScanSettings = {
        var table = KeyTable.us
        let acute = DeadKey(rawValue: 0xFE51)
        for level in KeyLevel.all where level.isDisjoint(with: [.shift, .control]) {
            table[.apostrophe, level] = .dead(acute)
        }
        table.register([DeadKeyPair(acute, .character("e"), gives: .character("é"))])
        return ScanSettings(table: table)
    }()
    private static let alt = ScanSettings(hasAltNumpad: true)
    private static let unicode = ScanSettings(hasUnicodeEntry: true)
    private static let endless = ScanSettings(terminators: .none)
    private static let paused = ScanSettings(terminatorPause: .milliseconds(80))

    /// Feeds keys, and returns the outcomes.
    ///
    /// `+` presses, `-` releases and `=` repeats a key; `500ms` is a pause, `!` loses keys, `@` is a claim; any other
    /// word presses and releases a key; `#5` is on the keypad. Only with `reportingTime` is a pause reported.
    private static func story(
        _ words: String, _ settings: ScanSettings = ScanSettings(), reportingTime: Bool
    ) -> [String] {
        let names: [Substring: KeyCode] = [
            "Alt": .leftalt, "Ctrl": .leftctrl, "Shift": .leftshift, "Enter": .enter,
            "Space": .space, "'": .apostrophe, "Tab": .tab, ";": .semicolon,
        ]
        let digits: [KeyCode] = [.kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9]
        var keyboard = Keyboard(settings)
        for word in words.split(separator: " ") {
            if word.hasSuffix("ms"), let pause = Int64(word.dropLast(2)) {
                reportingTime ? keyboard.wait(pause) : (keyboard.now += pause * 1_000)
                continue
            }
            let name = word.drop { "+-=#".contains($0) }
            let digit = word.contains("#") ? name.first?.wholeNumberValue : nil
            let key = digit.map { digits[$0] } ?? names[name] ?? KeyCode(name: "KEY_\(name)")
            switch (word.first, key) {
            case ("!", _): keyboard.drop()
            case ("@", _): keyboard.claim()
            case ("+", let key?): keyboard.down(key)
            case ("-", let key?): keyboard.up(key)
            case ("=", let key?): keyboard.change(key, 2)
            case (_, let key?): keyboard.press(key)
            default: Issue.record("no key \(word)")
            }
        }
        keyboard.finish()
        return keyboard.story
    }

    private static func expect(
        _ words: String, _ settings: ScanSettings = ScanSettings(), gives story: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for reportingTime in [true, false] {
            #expect(
                Self.story(words, settings, reportingTime: reportingTime) == story,
                sourceLocation: sourceLocation)
        }
    }

    // MARK: the end of a broken scan

    @Test func theRestAfterAPauseIsNoScan() {
        Self.expect(
            "4 0 0 6 3 700ms 9 6 3 8 5 0 7 4 Enter 5 Enter", gives: ["idle '40063'@5/14", "5"])
    }

    /// The next key comes 1 ms after the pause, so that `499ms` makes exactly the idle time of 500 ms.
    @Test func aPauseOfExactlyTheIdleTimeBreaksOrEndsAScan() {
        Self.expect("4 0 498ms 9 Enter", gives: ["409"])
        Self.expect("4 0 499ms 9 Enter 5 Enter", gives: ["idle '40'@2/4", "5"])
        Self.expect("4 0 498ms 9", Self.endless, gives: ["409"])
        Self.expect("4 0 499ms 9", Self.endless, gives: ["40", "9"])
    }

    @Test func aScannerThatWasQuietIsBelievedAgain() {
        Self.expect("4 0 10000ms 9 6 Enter", gives: ["idle '40'@2/2", "96"])
        Self.expect("4 0 9900ms 9 6 Enter", gives: ["idle '40'@2/5"])
    }

    /// A Bluetooth scanner may stall for longer than 2 s; the rest is a valid EAN-8.
    @Test func theRestAfterAStallBelowTheRecoveryTimeIsNoScan() {
        Self.expect("5 0 0 4 3 2100ms 1 2 3 4 5 6 7 0 Enter", gives: ["idle '50043'@5/14"])
        Self.expect("5 0 0 4 3 9900ms 1 2 3 4 5 6 7 0 Enter", gives: ["idle '50043'@5/14"])
    }

    @Test(arguments: [
        ("4 ! 0 700ms 9 Enter 5 Enter", ["torn '4'@1/4", "5"]),
        ("4 F8 0 700ms 9 Enter 5 Enter", ["unmapped-key '4'@1/5", "5"]),
        ("4 700ms 0 700ms 9 700ms 9 Enter 5 Enter", ["idle '4'@1/5", "5"]),
        ("4 ! 0 10000ms 9 Enter", ["torn '4'@1/2", "9"]),
        ("4 F8 0 10000ms 9 Enter", ["unmapped-key '4'@1/3", "9"]),
    ])
    func whateverBrokeItTheRuleIsTheSame(keys: String, story: [String]) {
        Self.expect(keys, gives: story)
    }

    @Test func theRecoveryTimeIsTheScannersOwn() {
        let slow = ScanSettings(recovery: .seconds(5))
        Self.expect("4 4000ms 9 Enter 5 Enter", slow, gives: ["idle '4'@1/3", "5"])
        Self.expect("4 5000ms 9 Enter", slow, gives: ["idle '4'@1/1", "9"])
    }

    @Test func theRecoveryTimeIsAtLeastTheIdleTime() {
        let settings = ScanSettings(idleTimeout: .seconds(3), recovery: .seconds(1))
        Self.expect("4 2000ms 9 Enter", settings, gives: ["49"])
    }

    // MARK: a key that is held

    /// Seen on a real kernel: one key of an EAN-13 is held for longer than the idle time.
    @Test func aKeyHeldThroughThePauseShowsThatTheScanContinues() {
        Self.expect(
            "4 0 0 2 +0 1200ms -0 1 2 3 4 5 6 7 0 Enter 5 Enter", gives: ["idle '40020'@5/14", "5"])
        Self.expect(
            "4 0 0 2 +0 1200ms =0 1200ms =0 -0 1 2 Enter 5 Enter", gives: ["idle '40020'@5/8", "5"])
    }

    @Test func aKeyKnownByItsRepetitionAloneIsHeld() {
        Self.expect(
            "4 ! =0 1200ms =0 1200ms =0 -0 1 2 Enter 5 Enter", gives: ["torn '4'@1/4", "5"])
    }

    @Test func aKeyThatStaysDownForTenTimesTheRecoveryTimeWasLost() {
        Self.expect("4 +0 99000ms 9 Enter 5 Enter", gives: ["idle '40'@2/4", "5"])
        Self.expect("4 +0 100000ms 9 Enter", gives: ["idle '40'@2/2", "9"])
        Self.expect("4 +0 =0 99000ms =0 2000ms =0 9 Enter", gives: ["idle '40'@2/2", "9"])
    }

    // MARK: a character of several keys

    @Test(arguments: [
        "A +Alt #0 #6 700ms #5 -Alt B Enter", "A +Alt 700ms #0 #6 #5 -Alt B Enter",
        "A +Alt #0 #6 #5 700ms -Alt B Enter",
        // A number that looks complete does not make up for the events that the kernel dropped.
        "A +Alt #0 ! #6 #5 -Alt B Enter", "A ! #6 -Alt +Alt #0 #6 #5 -Alt B Enter",
        "A +Alt #0 #6 B #5 -Alt 700ms B Enter",
    ])
    func noPauseAndNoLossInANumberMakesAScan(keys: String) {
        for reportingTime in [true, false] {
            let story = Self.story(keys + " C Enter", Self.alt, reportingTime: reportingTime)
            #expect(story.count == 2 && story.last == "c", "\(story)")
        }
    }

    @Test func aNumberCompletedAfterAPauseIsStillATerminator() {
        var settings = Self.alt
        settings.terminators = .init(characters: ["\r"])
        Self.expect(
            "A +Alt #0 #1 700ms #3 -Alt C +Alt #0 #1 #3 -Alt", settings,
            gives: ["idle 'a'@1/4", "c"])
    }

    @Test func theLetterAfterADeadKeyAndAPauseIsNoScan() {
        Self.expect("A ' 700ms E B Enter C Enter", Self.dead, gives: ["idle 'a'@1/5", "c"])
        Self.expect("A ' Enter C Enter", Self.dead, gives: ["unmapped-key 'a'@1/3", "c"])
    }

    @Test func theKeyAfterAModifierAndAPauseIsNoScan() {
        Self.expect("A +Shift 700ms B -Shift C Enter D Enter", gives: ["idle 'a'@1/4", "d"])
        Self.expect("+Shift 700ms B -Shift C Enter", gives: ["Bc"])
    }

    // MARK: after lost keys

    /// The semicolon may be a colon whose Shift is among the lost keys, and then it is not a terminator.
    @Test func afterLostKeysOnlyAKeyThatEndsScansAtEveryLevelIsATerminator() {
        let settings = ScanSettings(terminators: .init(keys: [.tab], characters: [";"]))
        Self.expect("A ! ; C D ; E ;", settings, gives: ["torn 'a'@1/7"])
        Self.expect("A ! ; C D Tab E ;", settings, gives: ["torn 'a'@1/5", "e"])
        Self.expect("A 700ms ; C D ;", settings, gives: ["idle 'a'@1/2", "cd"])
    }

    /// Enter also ends a number in Unicode entry, and the number's beginning may be among the lost keys.
    @Test func afterLostKeysAnEnterMayBeTheEndOfANumber() {
        Self.expect(
            "A ! E 9 Enter 4 Enter 10000ms B Enter", Self.unicode, gives: ["torn 'a'@1/6", "b"])
    }

    @Test func aCapsLockFirstSeenAfterLostKeysIsNotBelieved() {
        Self.expect(
            "A ! B Enter CAPSLOCK C Enter 10000ms D Enter",
            gives: ["torn 'a'@1/3", "torn ''@0/2", "d"])
    }

    /// A lost press of Caps Lock switched it on, and the press that was seen switched it off.
    @Test func aCapsLockFirstSeenAfterLostKeysChangesNoLaterScan() {
        Self.expect(
            "! A Enter CAPSLOCK 1 Enter A Enter 10000ms A Enter",
            gives: ["torn ''@0/2", "torn ''@0/4", "a"])
    }

    /// After a loss, the reader reports each key that is still down as an auto-repeat.
    @Test(arguments: [
        ("+Shift A ! =Shift B Enter C Enter -Shift D Enter", ["torn 'A'@1/3", "C", "d"]),
        ("+Shift A ! =Shift -Shift B Enter C Enter", ["torn 'A'@1/3", "c"]),
        ("+Shift A ! B Enter C Enter", ["torn 'A'@1/3", "c"]),
        ("A ! +Shift B Enter C Enter -Shift D Enter", ["torn 'a'@1/3", "C", "d"]),
        ("A ! =C =Shift B -C Enter C Enter", ["torn 'a'@1/3", "C"]),
        ("! =Shift Enter C Enter", ["torn ''@0/1", "C"]),
    ])
    func aModifierReportedAsRepeatingIsHeld(keys: String, story: [String]) {
        Self.expect(keys, gives: story)
    }

    @Test func aModifierThatRepeatsBetweenScansIsHeld() {
        Self.expect("1 Enter =Shift A Enter B -Shift C Enter", gives: ["1", "A", "Bc"])
    }

    /// The beginning of the number may be lost.
    @Test func anAltReportedAsRepeatingBeginsNoNumber() {
        Self.expect(
            "A +Alt #0 ! =Alt #6 #5 -Alt Enter +Alt #0 #6 #6 -Alt Enter", Self.alt,
            gives: ["torn 'a'@1/5", "B"])
        Self.expect(
            "A Enter =Alt #6 #5 -Alt Enter +Alt #0 #6 #6 -Alt Enter", Self.alt,
            gives: ["a", "unmapped-key ''@0/3", "B"])
    }

    @Test func aModifierHeldBetweenScansIsHeldUntilItCountsAsLost() {
        Self.expect("+Shift A Enter 20000ms B Enter", gives: ["A", "B"])
        Self.expect("+Shift A Enter 100000ms B Enter", gives: ["A", "b"])
    }

    // MARK: a claim

    @Test func afterAClaimWithoutKeysTwoSecondsAreEnough() {
        Self.expect("@ 2000ms 4 Enter", gives: ["started-before-grab ''@0/0", "4"])
        Self.expect("@ 1900ms 4 Enter 5 Enter", gives: ["started-before-grab ''@0/2", "5"])
        let short = ScanSettings(recovery: .seconds(1))
        Self.expect("@ 1000ms 4 Enter", short, gives: ["started-before-grab ''@0/0", "4"])
    }

    @Test(arguments: [
        "@ 4 9900ms 5 Enter 6 Enter", "@ 1900ms 4 9900ms 5 Enter 6 Enter",
        "@ -4 9900ms 5 Enter 6 Enter", "@ =4 9900ms 5 Enter 6 Enter",
        "4 @ 9900ms 5 Enter 6 Enter", "@ 1900ms @ 1900ms 5 Enter 6 Enter",
    ])
    func afterAClaimAndAKeyTheScanIsBrokenLikeAnyOther(keys: String) {
        for reportingTime in [true, false] {
            let story = Self.story(keys, reportingTime: reportingTime)
            #expect(story.count == 2 && story.last == "6", "\(story)")
        }
    }

    @Test func aModifierHeldAcrossAClaimIsHeld() {
        Self.expect(
            "@ =Shift A Enter B Enter -Shift", gives: ["started-before-grab ''@0/2", "B"])
    }

    // MARK: a pause that ends a scan

    @Test func aPauseCompletesAWholeScanAndEndsABrokenOneOnlyAfterRecovery() {
        Self.expect("1 2 600ms 3 600ms", Self.endless, gives: ["12", "3"])
        Self.expect("1 ! 2 600ms 3 10000ms 4", Self.endless, gives: ["torn '1'@1/3", "4"])
    }

    @Test func aKeyThatIsDownLetsNoPauseCompleteAScan() {
        Self.expect("1 +2 600ms -2 3 10000ms 4", Self.endless, gives: ["idle '12'@2/3", "4"])
        Self.expect(
            "1 +Shift 600ms 2 -Shift 10000ms 4", Self.endless, gives: ["idle '1'@1/2", "4"])
        Self.expect(
            "1 +Enter 600ms -Enter 2 Enter 100ms 4 Enter", Self.paused,
            gives: ["idle '1\r'@2/4", "4"])
    }

    @Test func anEnterBeforeTheLossIsNotTheEnd() {
        Self.expect(
            "1 Enter ! 700ms 2 Enter 100ms 3 Enter", Self.paused, gives: ["torn '1\r'@2/4", "3"])
    }

    /// The key may have been stuck since before the claim.
    @Test func aKeyHeldSinceTheClaimBreaksNothing() {
        var keyboard = Keyboard()
        keyboard.claim()
        keyboard.wait(20_000)
        keyboard.feed(.key(.digit4, 0, at: keyboard.now))
        keyboard.press(.digit1, .enter)
        #expect(keyboard.texts == ["1"])
    }
}
