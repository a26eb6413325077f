import Glibc
import Keystrokes
import TestWaiting
import Testing
import WireText

@testable import ScannerInput

/// Tests a HID device whose node is a socket, which keeps reports separate, as the kernel's node does.
@Suite(.blocking) struct HIDRawDeviceTests {
    private let device: HIDRawDevice
    private let scanner: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends)
                == 0)
        let layout = try #require(HIDPOSLayout(descriptor: HIDDescriptors.honeywell))
        device = HIDRawDevice(
            ends[0], number: 1, path: "/dev/hidraw1", identity: DeviceIdentity(), layout: layout)
        scanner = ends[1]
    }

    private func send(_ number: UInt8) {
        let report = [2, 1, 0, 0, 0, number] + [UInt8](repeating: 0, count: 58)
        #expect(write(scanner, report, report.count) == report.count)
    }

    /// Reads the data of the reports that have arrived; -1 stands for a loss.
    private func read() throws -> [Int] {
        var events: [DeviceEvent] = []
        while try device.read(limit: 1_024, { events.append($0) }) {}
        return events.compactMap { event in
            if case .report(let bytes, _) = event { return Int(bytes[5]) }
            return event.isLoss ? -1 : nil
        }
    }

    @Test func reportsComeOneByOne() throws {
        #expect(try read() == [])
        for number in 1...3 { send(UInt8(number)) }
        #expect(try read() == [1, 2, 3])
        #expect(close(scanner) == 0)
    }

    @Test func asManyReportsAsTheKernelKeepsMeanThatOthersWereLost() throws {
        for number in 1...62 { send(UInt8(number)) }
        #expect(try read() == Array(1...62))
        for number in 1...63 { send(UInt8(number)) }
        #expect(try read() == Array(1...63) + [-1])
        // The kernel's buffer may have filled up again while the first reports were read.
        for number in 1...65 { send(UInt8(number)) }
        #expect(try read() == Array(1...63) + [-1, 64, -1, 65, -1])
        #expect(close(scanner) == 0)
    }

    @Test func whatCameBeforeTheClaimIsThrownAway() throws {
        #expect(try !device.claim())
        send(1)
        #expect(try device.claim())
        send(2)
        #expect(try read() == [2])
        #expect(close(scanner) == 0)
    }

    @Test func aDeviceThatIsGoneSaysSo() throws {
        close(scanner)
        #expect(throws: SystemCallError(operation: "read", path: "/dev/hidraw1", errno: ENODEV)) {
            try read()
        }
    }

    @Test func aSignalIsTheReportOfTheDescriptor() throws {
        let line = try #require(SignalLine(to: device))
        line.give(.notOnFile)
        var buffer = [UInt8](repeating: 0, count: 8)
        let count = Glibc.read(scanner, &buffer, buffer.count)
        #expect(Array(buffer.prefix(max(count, 0))) == [4, 4])
        close(scanner)
        line.give(.error)
    }
}
