import Keystrokes
import Recordings
import TestWaiting
import Testing

@Suite(.blocking) struct EvemuWriterTests {
    static let scanner = DeviceIdentity(
        name: "Corded Scanner", bus: 3, vendor: 0x0c2e, product: 0x0b61, version: 0x110)
    static let events = [
        KeyEvent(1_088_649, 4, 4, 458792), KeyEvent(1_088_649, 1, 28, 1),
        KeyEvent(1_088_649, 0, 0, 0), KeyEvent(1_096_100, 1, 28, 0), KeyEvent(1_096_100, 0, 3, 0),
        KeyEvent(1_090_000, 0x11, 0, -1), KeyEvent(9_999_999_999_999_999, 1, 767, 2),
    ]

    static func written(_ device: DeviceIdentity, _ events: [KeyEvent]) -> [UInt8] {
        var writer = EvemuWriter(device: device)
        var bytes: [UInt8] = []
        writer.appendHeader(to: &bytes)
        for event in events { writer.append(event, to: &bytes) }
        return bytes
    }

    @Test func writesEventsAsEvemuDoes() {
        var writer = EvemuWriter(device: Self.scanner)
        var bytes: [UInt8] = []
        for event in Self.events { writer.append(event, to: &bytes) }
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                E: 1.088649 0004 0004 458792\t# EV_MSC / MSC_SCAN             458792
                E: 1.088649 0001 001c 0001\t# EV_KEY / KEY_ENTER            1
                E: 1.088649 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +1088ms
                E: 1.096100 0001 001c 0000\t# EV_KEY / KEY_ENTER            0
                E: 1.096100 0000 0003 0000\t# ------------ SYN_DROPPED (0) ---------- +8ms
                E: 1.090000 0011 0000 -001\t# EV_LED / 0                    -1
                E: 9999999999.999999 0001 02ff 0002\t# EV_KEY / KEY_0x2ff            2

                """)
    }

    @Test func writesTheDeviceAndItsKeys() {
        var bytes: [UInt8] = []
        let writer = EvemuWriter(
            device: Self.scanner, keys: [.esc, .enter, KeyCode(rawValue: 767)])
        writer.appendHeader(to: &bytes)
        let none = String(repeating: "B: 01 00 00 00 00 00 00 00 00\n", count: 10)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                # EVEMU 1.3
                N: Corded Scanner
                I: 0003 0c2e 0b61 0110
                P: 00 00 00 00 00 00 00 00
                B: 00 0b 00 00 00 00 00 00 00
                B: 01 02 00 00 10 00 00 00 00
                \(none)B: 01 00 00 00 00 00 00 00 80
                B: 04 10 00 00 00 00 00 00 00

                """)
    }

    @Test func aWrittenRecordingReadsBackAsItWas() {
        let reading = Reading(bytes: Self.written(Self.scanner, Self.events))
        #expect(reading.error == nil)
        #expect(reading.items == [.device(Self.scanner)] + Self.events.map { .event($0) })
    }

    @Test(arguments: [
        ("a\nE: 0.000001 0001 001c 0001", "a\\nE: 0.000001 0001 001c 0001"),
        ("\u{1B}[2J\r", "\\x1b[2J\\r"), ("é # \u{202E}", "é # \\u202e"), ("", "unknown"),
        (nil, "unknown"),
    ])
    func aHostileNameStaysOneLine(name: String?, written: String) {
        let reading = Reading(bytes: Self.written(DeviceIdentity(name: name), []))
        #expect(reading.items == [.device(DeviceIdentity(name: written))])
    }

    @Test func aTimeBeforeZeroIsWrittenAsZero() {
        let reading = Reading(bytes: Self.written(Self.scanner, [.report(at: -5)]))
        #expect(reading.events == [.report(at: 0)])
    }

    @Test func extremeTimesAndValuesAreWrittenAsTheNearestOnesThatCanBeRead() {
        let latest = HostileNumberTests.latest
        let times: [Int64] = [.min, -1, 0, latest, latest + 1, .max, .min]
        let values: [Int32] = [.min, -1, 0, .max]
        let written = times.flatMap { time in values.map { KeyEvent(time, 4, 4, $0) } }
        let reading = Reading(bytes: Self.written(Self.scanner, written))
        #expect(reading.error == nil)
        #expect(
            reading.events
                == written.map { KeyEvent(min(max(0, $0.microseconds), latest), 4, 4, $0.value) })
    }

    /// If the clock steps back, or by more than fits in a number, the nearest time that can be read is written.
    @Test(arguments: [
        ([5_000_000, 5_000_001, 4_999_999, 7_000_000], [0, 1, 0, 2_000_000]),
        ([Int64.min, 0, .max], [0, HostileNumberTests.latest, HostileNumberTests.latest]),
        ([Int64.max, .min, 0, .max], [0, 0, 0, 0]), ([-7, -5, 3], [0, 2, 10]),
    ])
    func aWriterThatStartsAtZeroCountsFromItsFirstEvent(times: [Int64], expected: [Int64]) {
        var writer = EvemuWriter(device: Self.scanner, startsAtZero: true)
        var bytes: [UInt8] = []
        for time in times { writer.append(.report(at: time), to: &bytes) }
        let reading = Reading(bytes: bytes)
        #expect(reading.error == nil)
        #expect(reading.events.map(\.microseconds) == expected)
    }

    @Test(.enabled(if: LibEvemu() != nil, "needs libevemu3, which evemu-tools installs"))
    func theEvemuLibraryReadsWhatIsWritten() throws {
        let library = try #require(LibEvemu())
        let hostile = DeviceIdentity(name: "a\nb", bus: 3, vendor: 0x0c2e)
        #expect(
            library.read(Self.written(hostile, Self.events))
                == LibEvemu.Understood(
                    name: "a\\nb", vendor: 0x0c2e, keys: EvemuWriter.keyboard,
                    events: Self.events))
    }
}
