import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct EvemuParserTests {
    static let enter = "E: 1.088649 0001 001c 0001\t# EV_KEY / KEY_ENTER            1\n"
    static let expected =
        "\"E: SECONDS.MICROSECONDS TYPE CODE VALUE\""

    @Test func readsFormat13WithItsDevice() {
        let reading = Reading(
            """
            # EVEMU 1.3
            # Kernel: 6.1.0
            # Input device name: "Corded Scanner"
            N: Corded Scanner # 2
            I: 0003 0c2e 0b61 0110
            P: 00 00 00 00 00 00 00 00
            B: 00 0b 00 00 00 00 00 00 00
            B: 01 fe ff ff ff ff ff ff ff
            A: 00 0 32767 15 0 0
            L: 00 1
            S: 01 0
            ################################
            #      Waiting for events      #
            ################################
            E: 0.000001 0004 0004 458792\t# EV_MSC / MSC_SCAN             458792
            E: 0.000001 0001 001c 0001\t# EV_KEY / KEY_ENTER            1
            E: 0.000001 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +0ms

            """)
        #expect(reading.error == nil)
        #expect(reading.format == .evemu)
        let device = DeviceIdentity(
            name: "Corded Scanner # 2", bus: 3, vendor: 0x0c2e, product: 0x0b61, version: 0x110)
        #expect(
            reading.items == [
                .device(device), .event(KeyEvent(1, 4, 4, 458792)), .event(KeyEvent(1, 1, 28, 1)),
                .event(KeyEvent(1, 0, 0, 0)),
            ])
    }

    @Test func readsTheOldFormWithoutVersionCommentsAndPadding() {
        let reading = Reading(
            """
            E: 1299660550.563177 0003 0035 6634
            E: 1299660550.563183 0003 0000 -5
            E: 1299660550.563221 0001 014a 1
            E: 1299660550.600967 0000 0000 0
            """)
        #expect(reading.error == nil)
        #expect(
            reading.events == [
                KeyEvent(1_299_660_550_563_177, 3, 0x35, 6634),
                KeyEvent(1_299_660_550_563_183, 3, 0, -5),
                KeyEvent(1_299_660_550_563_221, 1, 0x14a, 1),
                KeyEvent(1_299_660_550_600_967, 0, 0, 0),
            ])
    }

    @Test func resolutionMayBeMissingBeforeFormat12() {
        let reading = Reading("# EVEMU 1.1\nN: x\nI: 0003 0596 0502 0110\nA: 2f 0 59 0 0\n")
        #expect(reading.error == nil)
        #expect(reading.devices.map(\.vendor) == [0x0596])
    }

    @Test func aRecordingOfADeviceWithoutEventsStillNamesTheDevice() {
        #expect(Reading("N: idle\n").items == [.device(DeviceIdentity(name: "idle"))])
    }

    @Test func concatenatedRecordingsGiveEachDeviceBeforeItsEvents() {
        let reading = Reading("N: a\n\(Self.enter)N: b\n\(Self.enter)")
        let event = RecordingItem.event(KeyEvent(1_088_649, 1, 28, 1))
        #expect(
            reading.items == [
                .device(DeviceIdentity(name: "a")), event, .device(DeviceIdentity(name: "b")),
                event,
            ])
    }

    @Test func timesThatGoBackwardsPassThrough() {
        let reading = Reading("E: 2.000000 0000 0000 0\nE: 1.999999 0000 0000 0\n")
        #expect(reading.events.map(\.microseconds) == [2_000_000, 1_999_999])
    }

    @Test func theLatestTimeIsExact() {
        let reading = Reading("E: 9999999999.999999 0000 0000 0\n")
        #expect(reading.events.map(\.microseconds) == [9_999_999_999_999_999])
    }

    @Test func carriageReturnsAndAByteOrderMarkDoNotMatter() {
        let reading = Reading("\u{FEFF}# EVEMU 1.3\r\nN: x\r\nE: 0.000001 0001 001c 0001\r\n")
        #expect(reading.error == nil)
        #expect(
            reading.items == [
                .device(DeviceIdentity(name: "x")), .event(KeyEvent(1, 1, 28, 1)),
            ])
    }

    @Test(arguments: [
        "E: 1.08 0001", "E: 1.088649 0001 001c", "E: 1.088649 0001 001c ", "E: 1.088649 0001",
        "E:", "E: ", "E: 1.088649 0001 001g 0001", "E: 1.088649 0001 0x1c 0001",
        "E: 1.088649 00001 001c 0001", "E: 1.088649 0001 001c 2147483648",
        "E: 1.088649 0001 001c 0001x", "E: 1.088649 0001 001c 0001#", "E: 1.088649 0001 001c --1",
        "E: -1.088649 0001 001c 0001", "E: 1.-88649 0001 001c 0001", "E: 1.0886490 0001 001c 0001",
        "E: 1.5 0001 001c 0001", "E: 1 0001 001c 0001", "E: .000001 0001 001c 0001",
        "E: 10000000000.000000 0001 001c 0001",
        "E: 99999999999999999999.000000 0001 001c 0001", "E: 1.088649\u{A0}0001 001c 0001",
    ])
    func aDamagedEventNamesItsLineAndKeepsWhatWasBefore(line: String) {
        let reading = Reading("# EVEMU 1.3\n\(Self.enter)\(line)\n\(Self.enter)")
        #expect(reading.events == [KeyEvent(1_088_649, 1, 28, 1)])
        #expect(
            reading.error
                == .badLine(
                    name: "shop", line: 3, expected: Self.expected, found: "\"\(line)\""))
    }

    @Test func theMessageIsOneSentence() {
        #expect(
            Reading("\(Self.enter)E: 1.08 0001\n").message
                == #"shop:2: expected "E: SECONDS.MICROSECONDS TYPE CODE VALUE", "#
                + #"found "E: 1.08 0001""#)
    }

    @Test(arguments: [
        ("E: 0.000001 0001 0300 0001", "a key code up to 767"),
        ("E: 0.000001 0001 001c 0003", "a key value of 0, 1 or 2"),
        ("E: 0.000001 0001 001c -001", "a key value of 0, 1 or 2"),
        ("I: 0003 0c2e 0b61", "\"I: BUS VENDOR PRODUCT VERSION\" in hexadecimal"),
        ("I: 0003 0c2e 0b61 0110 7", "\"I: BUS VENDOR PRODUCT VERSION\" in hexadecimal"),
        ("I: 0003 0c2e 0b61 10110", "\"I: BUS VENDOR PRODUCT VERSION\" in hexadecimal"),
        ("P: 00 00 00 00 00 00 00", "8 hexadecimal numbers of two digits"),
        ("B: 01 fe ff ff ff ff ff ff zz", "9 hexadecimal numbers of two digits"),
        ("A: 00 0 32767", "1 hexadecimal numbers of two digits, then 5 decimal"),
        ("L: 00 1 2", "1 hexadecimal numbers of two digits, then 1 decimal"),
        ("# EVEMU 2.0", "\"# EVEMU 1.0\" to 1.3"),
        (
            "- [  0, 1, 1, 28, 1] # EV_KEY / KEY_ENTER 1",
            "\"E: SECONDS.MICROSECONDS TYPE CODE VALUE\" or one of \"N: I: P: B: A: L: S: #\""
        ),
        (
            "Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1",
            "\"E: SECONDS.MICROSECONDS TYPE CODE VALUE\" or one of \"N: I: P: B: A: L: S: #\""
        ),
    ])
    func anImpossibleLineIsAnError(line: String, expected: String) {
        let reading = Reading("# EVEMU 1.3\n\(line)\n")
        guard case .badLine("shop", 2, expected, _) = reading.error else {
            Issue.record("\(String(describing: reading.message))")
            return
        }
    }

    @Test(arguments: [
        "E: 0.000002 0001 001c 000", "E: 0.000002 0001 001c 0", "E: 0.000002 0001 001c",
        "E: 0.0000", "E", "E: 0.000002 0000 0000 000",
    ])
    func aLastLineThatWasCutIsAnError(line: String) {
        let reading = Reading("\(Self.enter)\(line)")
        #expect(reading.events.count == 1)
        guard case .badLine("shop", 2, _, "\"\(line)\"") = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    @Test func aShortLastValueIsAnErrorIfNoOtherIsShort() {
        #expect(
            Reading("E: 0.000002 0001 001c 0").message
                == "shop:1: expected a value of four digits or a line end, "
                + "found \"E: 0.000002 0001 001c 0\"")
        #expect(Reading("E: 0.000002 0001 001c 0\n").events == [KeyEvent(2, 1, 28, 0)])
    }

    @Test(arguments: ["E: 0.000002 0001 001c 0001", "E: 0.000002 0001 001c 0001\t# EV_KE"])
    func aWholeLastLineNeedsNoLineEnd(line: String) {
        let reading = Reading("\(Self.enter)\(line)")
        #expect(reading.error == nil)
        #expect(reading.events.last == KeyEvent(2, 1, 28, 1))
    }

    @Test func nothingComesAfterAnError() throws {
        let text = "N: x\nE: bad\n\(Self.enter)"
        var reader = try RecordingReader(bytes: Array(text.utf8), name: "shop")
        #expect(throws: RecordingError.self) { try reader.next() }
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }
}
