import Keystrokes
import Testing

@testable import Recordings

/// Recordings of scanners that do not type.
@Suite struct DataRecordingTests {
    private static let hid = """
        # Scanner
        # 0x05, 0x8c, // Usage Page (Bar Code Scanner)
        D: 0
        R: 4 05 8c 09 02
        N: Scanner = 1
        P: usb-1/input0
        I: 3 0c2e 0b61
        # ReportID: 2
        E: 000000.000000 3 02 01 31
        E: 000001.250000 2 02 00

        """
    private static let device = DeviceIdentity(
        name: "Scanner = 1", bus: 3, vendor: 0x0C2E, product: 0x0B61, phys: "usb-1/input0")

    @Test func hidRecorderGivesDescriptorAndReports() {
        let reading = Reading(Self.hid)
        #expect(reading.format == .hidRecorder)
        #expect(reading.error == nil)
        #expect(
            reading.items == [
                .hid(Self.device, descriptor: [0x05, 0x8C, 0x09, 0x02]),
                .report([2, 1, 0x31], at: 0), .report([2, 0], at: 1_250_000),
            ])
    }

    @Test func reportsOfTwoDevicesComeInTurns() {
        let reading = Reading(
            "D: 0\nR: 1 05\nN: a\nD: 1\nR: 1 06\nN: b\nE: 0.100000 1 01\nD: 0\nE: 0.200000 1 02\n")
        #expect(
            reading.items == [
                .hid(DeviceIdentity(name: "b"), descriptor: [6]), .report([1], at: 100_000),
                .hid(DeviceIdentity(name: "a"), descriptor: [5]), .report([2], at: 200_000),
            ])
    }

    @Test(arguments: [
        ("R: 1 05\nE: 0.1 2 01", 2), ("R: 1 05\nE: 0.1 1 01 02", 2), ("R: 1 05\nE: 0.1", 2),
        ("R: 1 05\nQ: 1", 2), ("R: 1 05\nD: x", 2), ("R: 1 05\nI: 3 0c2e", 2),
        ("R: 1 05\nR: 2 05", 2), ("R: 1 05\nE: 0.1 1 zz", 2),
    ])
    func aWrongLineIsAnError(text: String, line: Int) {
        let reading = Reading(text)
        guard case .badLine(_, let found, _, _)? = reading.error else {
            Issue.record("\(reading)")
            return
        }
        #expect(found == line)
    }

    @Test func theWriterWritesWhatIsReadBack() {
        var bytes: [UInt8] = []
        var writer = HIDRecorderWriter(device: Self.device, descriptor: [5, 0x8C])
        writer.appendHeader(to: &bytes)
        writer.append(report: [2, 0xFF, 0], at: 7_000_000, to: &bytes)
        writer.append(report: [2], at: 9_000_001, to: &bytes)
        let reading = Reading(bytes: bytes)
        #expect(reading.format == .hidRecorder)
        #expect(
            reading.items == [
                .hid(Self.device, descriptor: [5, 0x8C]), .report([2, 0xFF, 0], at: 0),
                .report([2], at: 2_000_001),
            ])
    }

    @Test func sentBytesComeAtThePace() {
        let reading = Reading(
            "device vendor=05e0\npace 5us\nsend \"1\\xff\\r\"\nwait 1ms\nsend \"2\"\n")
        #expect(reading.format == .keys)
        let device = DeviceIdentity(vendor: 0x05E0)
        #expect(
            reading.items == [
                .device(device), .port(device), .byte(0x31, at: 0), .byte(0xFF, at: 5),
                .byte(0x0D, at: 10), .byte(0x32, at: 1_015),
            ])
    }

    @Test func keysAfterBytesAreThoseOfAKeyboardAgain() {
        let items = Reading("send \"1\"\nkey KEY_1\n").items
        #expect(items.prefix(3) == [.port(nil), .byte(0x31, at: 0), .device(DeviceIdentity())])
    }

    @Test func onlyCharactersThatAreBytesAreSent() {
        #expect(Reading("send \"€\"\n").message?.contains("which stand for bytes") == true)
    }

    @Test func sentBytesAreReadBack() {
        var bytes: [UInt8] = []
        var writer = SentBytesWriter(device: DeviceIdentity(name: "a\"b", bus: 3, vendor: 1))
        writer.appendHeader(to: &bytes)
        let all = (0...255).map { UInt8($0) }
        writer.append(bytes: all, at: 50, to: &bytes)
        writer.append(bytes: [0x0D], at: 1_050, to: &bytes)
        let items = Reading(bytes: bytes).items
        #expect(
            items.dropFirst(2)
                == all.map { .byte($0, at: 0) }[...] + [.byte(0x0D, at: 1_000)])
    }

    @Test func aLossBetweenBytesIsReadBack() {
        var bytes: [UInt8] = []
        var writer = SentBytesWriter(device: DeviceIdentity(name: "a", bus: 3, vendor: 1))
        writer.appendHeader(to: &bytes)
        writer.append(bytes: [0x31], at: 50, to: &bytes)
        writer.appendLoss(to: &bytes)
        writer.append(bytes: [0x32], at: 60, to: &bytes)
        let items = Reading(bytes: bytes).items
        #expect(
            items.dropFirst(2) == [
                .byte(0x31, at: 0), .event(.dropped(at: 0)), .event(.report(at: 0)),
                .byte(0x32, at: 10),
            ])
    }
}
