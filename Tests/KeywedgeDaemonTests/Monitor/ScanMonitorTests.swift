import Barcodes
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Testing

@Suite struct ScanMonitorTests {
    private func monitor(
        _ scanner: ScannerConfiguration, isJSON: Bool = false
    ) -> ScanMonitor {
        ScanMonitor(scanner: scanner, decoder: BarcodeDecoder(), isJSON: isJSON)
    }

    /// The lines that a monitor shows for a text typed with the scanner's own settings.
    private func lines(
        typing text: String, pace: Duration = .milliseconds(2),
        _ scanner: ScannerConfiguration = ScannerConfiguration(name: "counter"),
        isJSON: Bool = false
    ) throws -> [String] {
        var monitor = monitor(scanner, isJSON: isJSON)
        return try scanner.scanSettings.typing(of: text, pace: pace).flatMap { monitor.feed($0) }
    }

    private func press(_ key: KeyCode, at milliseconds: Int64) -> KeyEvent {
        .key(key, 1, at: milliseconds * 1_000)
    }

    private func release(_ key: KeyCode, at milliseconds: Int64) -> KeyEvent {
        .key(key, 0, at: milliseconds * 1_000)
    }

    @Test func aKeyIsALineWithPauseNameModifiersAndCharacter() throws {
        #expect(
            try lines(typing: "aB 1") == [
                "         -  KEY_A                         \"a\"",
                "       4ms  KEY_LEFTSHIFT                 modifier",
                "       2ms  KEY_B             Shift       \"B\"",
                "       6ms  KEY_SPACE                     \" \"",
                "       4ms  KEY_1                         \"1\"",
                "       4ms  KEY_ENTER                     ends the scan",
                "=> scan \"aB 1\", text, 5 keys, longest pause 6ms",
                "   settings of counter: layout us, ended by KEY_ENTER",
            ])
        #expect(
            monitor(ScannerConfiguration(name: "counter")).heading == [
                "     pause  key               held        types"
            ])
    }

    @Test func programsGetAnObjectALine() throws {
        #expect(
            try lines(typing: "1", isJSON: true) == [
                #"{"key":"KEY_1","held":"","pause_us":null,"types":"1"}"#,
                #"{"key":"KEY_ENTER","held":"","pause_us":4000,"meaning":"ends the scan"}"#,
                #"{"scan":"1","aim":null,"symbology":null,"kind":"text","gtin":null,"#
                    + #""details":["settings of counter: layout us, ended by KEY_ENTER"]}"#,
            ])
        #expect(monitor(ScannerConfiguration(name: "counter"), isJSON: true).heading == [])
    }

    @Test func theSummaryNamesAimSymbologyAndNumber() throws {
        #expect(
            try lines(typing: "]E04006381333931").suffix(2) == [
                "=> scan \"4006381333931\", aim ]E0, ean-13, gtin 04006381333931, 17 keys,"
                    + " longest pause 6ms",
                "   settings of counter: layout us, ended by KEY_ENTER, AIM identifier split off",
            ])
    }

    @Test func problemsOfACodeAreSaid() throws {
        let lines = try lines(typing: "]E04006381333930")
        #expect(lines.suffix(2).first?.hasPrefix("   error: ") == true, "\(lines)")
    }

    @Test func prefixAndSuffixAreSaidToBeThereOrNot() throws {
        var scanner = ScannerConfiguration(name: "counter") {
            $0.prefix = "P-"
            $0.suffix = "#"
        }
        #expect(
            try lines(typing: "12", scanner).last
                == "   settings of counter: layout us, ended by KEY_ENTER, prefix \"P-\" taken off,"
                + " suffix \"#\" taken off")
        let plain = try ScanSettings().typing(of: "12")
        var monitor = monitor(scanner)
        #expect(
            plain.flatMap { monitor.feed($0) }.last
                == "   settings of counter: layout us, ended by KEY_ENTER, prefix \"P-\" not there,"
                + " suffix \"#\" not there")
        scanner.suffix = ""
        let ahead = try ScanSettings().typing(of: "]E0P-4006381333931")
        monitor = self.monitor(scanner)
        #expect(
            ahead.flatMap { monitor.feed($0) }.last
                == "   settings of counter: layout us, ended by KEY_ENTER, prefix \"P-\" taken off,"
                + " AIM identifier split off")
    }

    @Test func aKeyTheLayoutDoesNotKnowIsSaidWithWhatToDo() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        var lines = monitor.feed(press(.leftalt, at: 0))
        lines += monitor.feed(press(.a, at: 1_200))
        lines += monitor.feed(press(.enter, at: 1_201))
        #expect(
            lines == [
                "         -  KEY_LEFTALT                   modifier",
                "      1.2s  KEY_A             Alt         unknown",
                "       1ms  KEY_ENTER         Alt         ends the scan",
                "=> rejected: unmapped-key: Alt+KEY_A means nothing on layout us (keys: can give it"
                    + " a meaning), read \"\", 2 keys, longest pause 1ms",
                "   settings of counter: layout us, ended by KEY_ENTER",
            ])
    }

    @Test func aQuietScannerEndsAScanBeforeTheKeyThatFollowsCounts() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        _ = monitor.feed(press(.digit1, at: 1))
        _ = monitor.feed(release(.digit1, at: 2))
        #expect(monitor.deadlineMicroseconds == 10_002_000)
        #expect(
            monitor.feed(press(.digit1, at: 10_100)) == [
                "=> rejected: idle: a pause of idle_timeout (500ms) or longer came before its end"
                    + " (enter), read \"1\", 1 key, longest pause 0s",
                "   settings of counter: layout us, no terminator",
                "   10.099s  KEY_1                         \"1\"",
            ])
    }

    @Test func timeAloneEndsAScan() {
        var monitor = monitor(ScannerConfiguration(name: "counter") { $0.terminators = .none })
        _ = monitor.feed(press(.digit1, at: 0))
        _ = monitor.feed(release(.digit1, at: 1))
        #expect(monitor.advance(to: 500_000) == [])
        #expect(
            monitor.advance(to: 501_000) == [
                "=> scan \"1\", text, 1 key, longest pause 0s",
                "   settings of counter: layout us, ended by a pause of 500ms",
            ])
        #expect(monitor.deadlineMicroseconds == nil)
    }

    @Test func lostKeysAndUnpluggingTearAScan() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        _ = monitor.feed(press(.digit1, at: 1))
        #expect(
            monitor.feed(.dropped(at: 2_000)) == [
                "            keys were lost: the kernel's buffer was full"
            ])
        #expect(monitor.feed(press(.digit2, at: 3)) == [])
        _ = monitor.feed(.report(at: 3_000))
        #expect(
            monitor.disconnect(at: 4_000) == [
                "=> rejected: torn: keys were lost, read \"1\", 1 key, longest pause 0s",
                "   settings of counter: layout us, no terminator",
            ])
        #expect(monitor.disconnect(at: 5_000) == [])
    }

    /// After a loss, the reader reports keys that are still down as repeats.
    @Test func aKeyThatIsStillHeldAfterLostKeysIsShownAsHeld() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        var lines = monitor.feed(press(.leftshift, at: 0))
        lines += monitor.feed(.dropped(at: 1_000))
        // Events between the loss and the next report are left over from before the loss.
        lines += monitor.feed(.key(.digit1, 2, at: 1_000))
        lines += monitor.feed(.report(at: 1_000))
        lines += monitor.feed(.key(.leftshift, 2, at: 1_000))
        lines += monitor.feed(.key(.a, 2, at: 1_000))
        lines += monitor.feed(.report(at: 1_000))
        lines += monitor.feed(.key(.a, 2, at: 2_000))
        #expect(
            lines == [
                "         -  KEY_LEFTSHIFT                 modifier",
                "            keys were lost: the kernel's buffer was full",
                "            KEY_LEFTSHIFT is still held",
                "            KEY_A is still held",
            ])
    }

    /// A key that is held keeps a scan broken, in the monitor as in the daemon.
    @Test func aRepeatKeepsABrokenScanFromBeingOver() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        _ = monitor.feed(press(.digit1, at: 0))
        _ = monitor.feed(.dropped(at: 1_000))
        _ = monitor.feed(.report(at: 1_000))
        #expect(monitor.feed(.key(.digit1, 2, at: 9_000_000)).count == 1)
        #expect(monitor.advance(to: 12_000_000) == [])
        _ = monitor.feed(release(.digit1, at: 12_001))
        let lines = monitor.advance(to: 22_001_000)
        #expect(lines.first?.hasPrefix("=> rejected: torn") == true, "\(lines)")
    }

    @Test func aRepeatIsSaidOnce() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        let key = KeyCode.digit1
        let events = [1, 2, 2, 2, 0, 2].map { KeyEvent.key(key, $0, at: 0) }
        #expect(
            events.flatMap { monitor.feed($0) } == [
                "         -  KEY_1                         \"1\"",
                "            KEY_1 repeats: it is held down, and counts once",
                "            KEY_1 repeats: it is held down, and counts once",
            ])
    }

    @Test func theSummaryOfACardHoldsNoneOfItsDigits() throws {
        let lines = try lines(typing: "4111111111111111")
        #expect(
            lines.suffix(2) == [
                "=> redacted: payment-card, 16 characters; no event will hold them, but the keys"
                    + " above do: clear this screen",
                "   settings of counter: layout us",
            ])
    }

    @Test func theSummaryOfATornCardHoldsNoneOfItsDigits() throws {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        let typed = try ScanSettings().typing(of: "4111111111111111").dropLast(4)
        for event in typed { _ = monitor.feed(event) }
        let lines = monitor.disconnect(at: 1_000_000)
        #expect(lines.first?.hasPrefix("=> redacted: payment-card, 16 characters") == true)
        #expect(!lines.joined().contains("41111"))
    }

    @Test func controlCharactersAreEscaped() throws {
        let lines = try lines(typing: "a\u{1D}\u{1B}")
        #expect(lines.contains { $0.hasSuffix("Ctrl        \"\\x1d\"") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("=> scan \"a\\x1d\\x1b\", ") }, "\(lines)")
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func aClockThatStepsBackBreaksTheScanAndShowsNoPause() {
        var monitor = monitor(ScannerConfiguration(name: "counter"))
        _ = monitor.feed(press(.digit1, at: 100))
        let lines = monitor.feed(press(.digit2, at: 0))
        #expect(lines == ["        0s  KEY_2                         \"2\""])
        let end = monitor.feed(press(.enter, at: 1))
        #expect(end.dropFirst().first?.hasPrefix("=> rejected: idle") == true)
        _ = monitor.feed(.key(.digit3, 1, at: .max))
        #expect(monitor.feed(.key(.digit3, 1, at: .min)).last?.hasPrefix("        0s") == true)
    }
}
