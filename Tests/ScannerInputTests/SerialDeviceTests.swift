import Glibc
import Keystrokes
import Testing
import WireText

@testable import ScannerInput

/// Tests a serial device with a pseudo terminal in place of the port.
@Suite struct SerialDeviceTests {
    private var scanner: VirtualPort?
    private let path: String

    init() throws {
        let scanner = try VirtualPort()
        self.scanner = scanner
        path = scanner.path
    }

    private func open(_ settings: SerialSettings = SerialSettings()) throws -> SerialDevice {
        try SerialDevice(path: path, identity: DeviceIdentity(), settings: settings)
    }

    private func send(_ bytes: [UInt8]) throws { try scanner?.send(bytes) }

    /// Reads the bytes that have arrived; -1 stands for a loss.
    private func read(_ device: SerialDevice) throws -> [Int] {
        var events: [DeviceEvent] = []
        while try device.read(limit: 10, { events.append($0) }) {}
        return events.compactMap { event in
            if case .byte(let byte, _) = event { return Int(byte) }
            return event.isLoss ? -1 : nil
        }
    }

    @Test func bytesComeAsTheyAreAndNothingIsEchoed() throws {
        let device = try open()
        let bytes: [UInt8] = [0x00, 0x03, 0x0A, 0x0D, 0x11, 0x13, 0x1A, 0x7F, 0x80, 0xFF, 0x41]
        try send(bytes)
        #expect(try read(device) == bytes.map(Int.init))
        #expect(scanner?.waitingCount == 0)
    }

    @Test func whatCameBeforeTheClaimIsThrownAway() throws {
        let device = try open()
        #expect(try !device.claim())
        try send([0x41])
        #expect(try device.claim())
        try send([0x42])
        #expect(try read(device) == [0x42])
    }

    @Test func thePortIsSetAsConfigured() throws {
        var settings = SerialSettings()
        (settings.baud, settings.bits) = (19_200, 7)
        (settings.parity, settings.stop) = (.even, 2)
        let device = try open(settings)
        var port = termios()
        #expect(tcgetattr(device.descriptor, &port) == 0)
        // A pseudo terminal has no parity, and always eight bits.
        #expect(cfgetispeed(&port) == speed_t(B19200))
        #expect(
            port.c_cflag & tcflag_t(CSTOPB | CLOCAL | CREAD) == tcflag_t(CSTOPB | CLOCAL | CREAD))
        #expect(port.c_cflag & tcflag_t(HUPCL) == 0)
        #expect(port.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
        #expect(port.c_iflag & tcflag_t(PARMRK | INPCK) == tcflag_t(PARMRK | INPCK))
    }

    @Test mutating func aPortThatIsGoneSaysSo() throws {
        let device = try open()
        scanner = nil
        #expect(throws: SystemCallError(operation: "read", path: path, errno: ENODEV)) {
            try read(device)
        }
    }

    @Test func oneReaderHasAPortForItself() throws {
        let device = try open()
        try send([0x41])
        #expect(throws: SystemCallError(operation: "flock", path: path, errno: EBUSY)) {
            try open()
        }
        // The attempt changed nothing for the reader that has the port.
        #expect(try read(device) == [0x41])
        device.release()
        let next = try open()
        try send([0x42])
        #expect(try read(next) == [0x42])
    }

    @Test func anotherNodeIsNoPort() {
        #expect(throws: SystemCallError(operation: "tcgetattr", path: "/dev/null", errno: ENOTTY)) {
            try SerialDevice(
                path: "/dev/null", identity: DeviceIdentity(), settings: SerialSettings())
        }
    }

    @Test func aSignalIsTheConfiguredCommand() throws {
        var settings = SerialSettings()
        settings.commands = [.error: [0x1B, 0x38, 0x2C]]
        let device = try open(settings)
        let line = try #require(SignalLine(to: device))
        #expect(line.canGive(.notOnFile) && !line.canGive(.good))
        line.give(.good)
        line.give(.notOnFile)
        #expect(scanner?.receive() == [0x1B, 0x38, 0x2C])
    }

    @Test(
        arguments: [
            ([0x41, 0xFF, 0xFF, 0x42], [0x41, 0xFF, 0x42]),
            ([0x41, 0xFF, 0x00, 0x42, 0x43], [0x41, -1, 0x43]),
            ([0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x00], [-1, 0xFF, 0x00]),
        ] as [([UInt8], [Int])])
    func damagedBytesAreMarked(bytes: [UInt8], expected: [Int]) {
        var errors = LineErrors()
        let results = bytes.compactMap { byte -> Int? in
            switch errors.next(byte) {
            case .byte(let byte): Int(byte)
            case .damage: -1
            case .nothing: nil
            }
        }
        #expect(results == expected)
    }
}

extension VirtualPort {
    /// The number of bytes that the port has sent to the scanner and that are not read yet.
    fileprivate var waitingCount: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Reads the bytes that the port has sent; waits if none have arrived.
    fileprivate func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(count, 0)))
    }
}
