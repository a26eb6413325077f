import Keystrokes
import Recordings
import Testing

/// Tests that a damaged recording never gives a key that was not pressed.
@Suite struct DamagedRecordingTests {
    static let recordings = [
        """
        # EVEMU 1.3
        N: Corded Scanner
        I: 0003 0c2e 0b61 0110
        P: 00 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        E: 0.000001 0004 0004 458792\t# EV_MSC / MSC_SCAN             458792
        E: 0.000001 0001 001c 0001\t# EV_KEY / KEY_ENTER            1
        E: 0.000001 0000 0000 0000
        E: 0.010001 0001 001c 0000
        E: 0.010001 0000 0003 0000\t# ------------ SYN_DROPPED (0) ---------- +0ms

        """,
        """
        version: 1
        devices:
        - node: /dev/input/event3
          evdev:
            name: "Corded Scanner"
            id: [3, 3118, 2913, 272]
          events:
          - evdev:
            - [  0,      1,   4,   4,  458792] # EV_MSC / MSC_SCAN            458792
            - [  0,      1,   1,  28,       1] # EV_KEY / KEY_ENTER                1
            - [  0,      1,   0,   0,       0] # ------------ SYN_REPORT (0) ----------
          - evdev:
            - [  0,  10001,   1,  28,       0] # EV_KEY / KEY_ENTER                0
            - [  0,  10001,   0,   3,       0] # ------------ SYN_DROPPED (0) ---------

        """,
        """
        Input driver version is 1.0.1
        Input device ID: bus 0x3 vendor 0xc2e product 0xb61 version 0x110
        Input device name: "Corded Scanner"
        Testing ... (interrupt to exit)
        Event: time 0.000001, type 4 (EV_MSC), code 4 (MSC_SCAN), value 70028
        Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1
        Event: time 0.000001, -------------- SYN_REPORT ------------
        Event: time 0.010001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 0
        Event: time 0.010001, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<

        """,
        """
        key event at 0.000001, 28 (KEY_ENTER), down
        synchronization event at 0.000001, SYN_REPORT
        event at 0.010001, code 28, type 01, val 00
        InputEvent(0, 10001, 0, 3, 0)

        """,
        """
        add device 1: /dev/input/event3
          name:     "Corded Scanner"
        [       0.000001] /dev/input/event3: EV_MSC       MSC_SCAN             00070028
        [       0.000001] /dev/input/event3: EV_KEY       KEY_ENTER            DOWN
        [       0.000001] /dev/input/event3: EV_SYN       SYN_REPORT           00000000
        [       0.010001] /dev/input/event3: 0001 001c 00000000
        [       0.010001] /dev/input/event3: 0000 0003 00000000

        """,
    ]

    static func keysAndReports(_ reading: Reading) -> [KeyEvent] {
        reading.events.filter { $0.type != InputEventType.msc }
    }

    @Test(arguments: recordings)
    func aRecordingCutAnywhereGivesItsFirstEvents(recording: String) {
        let bytes = Array(recording.utf8)
        let whole = Self.keysAndReports(Reading(recording))
        #expect(
            whole == [
                .key(.enter, 1, at: 1), .report(at: 1), .key(.enter, 0, at: 10_001),
                .dropped(at: 10_001),
            ])
        let lastLine = (bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        for length in 0..<bytes.count {
            let part = Self.keysAndReports(Reading(bytes: Array(bytes.prefix(length))))
            #expect(whole.starts(with: part), "cut after \(length) bytes")
            // The last line holds the last event.
            if length == lastLine { #expect(part == Array(whole.dropLast())) }
        }
    }

    @Test(arguments: recordings + ["device name=\"x\"\ntype \"1A\\x1d\" # x\nwait 5ms\ndropped\n"])
    func aChangedByteLeavesTheEventsBeforeItAndAnErrorNamesItsLineOrALaterOne(recording: String) {
        let bytes = Array(recording.utf8)
        let format = Reading(bytes: bytes).format
        var (line, before) = (1, [KeyEvent]())
        for index in bytes.indices {
            for byte: UInt8 in [0, 9, 10, 13, 32, 34, 35, 45, 48, 57, 58, 92, 102, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] = byte
                let reading = Reading(bytes: damaged)
                switch reading.error {
                case nil: break
                case .binary("shop", index) where byte == 0: break
                case .badLine("shop", let named, _, _) where named >= line: break
                case .unrecognised("shop", _, _) where before.isEmpty: break
                case let error?: Issue.record("byte \(byte) at \(index), line \(line): \(error)")
                }
                guard reading.format == format else { continue }
                #expect(
                    Self.keysAndReports(reading).starts(with: before), "byte \(byte) at \(index)")
            }
            guard bytes[index] == UInt8(ascii: "\n") else { continue }
            line += 1
            before = Self.keysAndReports(Reading(bytes: Array(bytes[...index])))
        }
    }

    @Test(arguments: recordings)
    func aTornLineInTheMiddleIsAnError(recording: String) throws {
        let lines = recording.split(separator: "\n", omittingEmptySubsequences: false)
        let press = try #require(lines.firstIndex { $0.contains("KEY_ENTER") })
        var torn = lines
        torn[press] = torn[press].prefix(22)
        guard case .badLine("shop", press + 1, _, _) = Reading(torn.joined(separator: "\n")).error
        else {
            Issue.record("\(torn[press])")
            return
        }
    }
}
