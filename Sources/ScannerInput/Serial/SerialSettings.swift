internal import Glibc
import WireText

package struct SerialSettings: Hashable, Sendable {
    package enum Parity: String, Hashable, Sendable, CaseIterable {
        case none, even, odd
    }

    /// The speed in bits per second; USB scanners that appear as a serial port ignore it.
    package var baud = 9600
    /// The number of data bits: 7 or 8.
    package var bits = 8
    package var parity = Parity.none
    /// The number of stop bits: 1 or 2.
    package var stop = 1
    /// The bytes to send for each signal; empty if the scanner's commands are unknown.
    package var commands: [ScannerSignal: [UInt8]] = [:]

    package init() {}

    package static let bauds = speeds.keys.sorted()
    private static let speeds: [Int: Int32] = [
        1200: B1200, 2400: B2400, 4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400,
        57_600: B57600, 115_200: B115200, 230_400: B230400, 460_800: B460800, 921_600: B921600,
    ]

    /// Applies the settings to a port, and discards the bytes that have already arrived.
    func apply(to descriptor: Int32, _ path: String) throws(SystemCallError) {
        var port = termios()
        try SystemCallError.check("tcgetattr", path, tcgetattr(descriptor, &port))
        cfmakeraw(&port)
        port.c_cflag &= ~tcflag_t(CSIZE | PARENB | PARODD | CSTOPB | HUPCL) & ~Self.crtscts
        port.c_cflag |= tcflag_t(CLOCAL | CREAD | (bits == 7 ? CS7 : CS8))
        if parity != .none { port.c_cflag |= tcflag_t(PARENB) }
        if parity == .odd { port.c_cflag |= tcflag_t(PARODD) }
        if stop == 2 { port.c_cflag |= tcflag_t(CSTOPB) }
        // The kernel marks damaged bytes instead of passing them on as valid ones.
        port.c_iflag |= tcflag_t(PARMRK | (parity == .none ? 0 : INPCK))
        withUnsafeMutableBytes(of: &port.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        let speed = speed_t(Self.speeds[baud] ?? B9600)
        guard cfsetispeed(&port, speed) == 0, cfsetospeed(&port, speed) == 0,
            tcsetattr(descriptor, TCSANOW, &port) == 0
        else { throw SystemCallError(operation: "tcsetattr", path: path, errno: errno) }
        tcflush(descriptor, TCIOFLUSH)
    }

    /// The flag `CRTSCTS`, which turns on hardware flow control; Swift cannot import the macro.
    private static let crtscts: tcflag_t = 0o20_000_000_000
}
