internal import Glibc
internal import Keystrokes
import WireText

/// An open serial port that a scanner is attached to: USB CDC-ACM, a USB adapter or RS-232.
final class SerialDevice: InputDevice {
    let number: dev_t
    let descriptor: Int32
    let described: DescribedDevice
    let signals: [ScannerSignal: [UInt8]]
    private let path: String
    private var isClaimed = false
    private var errors = LineErrors()
    private var buffer = [UInt8](repeating: 0, count: 4096)

    /// Opens a port for this process alone.
    ///
    /// Raw mode is set as soon as the port is locked, because a port with echo sends the codes back to the scanner.
    ///
    /// - Throws: `ENOTTY` for a node that is not a port; `EBUSY` if another process has claimed the port.
    init(
        path: String, identity: DeviceIdentity, settings: SerialSettings
    ) throws(SystemCallError) {
        (descriptor, number) = try CharacterDevice.open(path, flags: O_NOCTTY)
        described = DescribedDevice(identity: identity, interface: .serial)
        self.path = path
        signals = settings.commands
        // Two readers would each get part of a code. TIOCEXCL alone does not keep root from opening the port.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno == EWOULDBLOCK ? EBUSY : errno
            throw SystemCallError(operation: "flock", path: path, errno: number)
        }
        isClaimed = true
        try settings.apply(to: descriptor, path)
        try SystemCallError.check("TIOCEXCL", path, ioctl(descriptor, UInt(TIOCEXCL)))
    }

    deinit {
        release()
        close(descriptor)
    }

    func release() {
        guard isClaimed else { return }
        isClaimed = false
        _ = ioctl(descriptor, UInt(TIOCNXCL))
        _ = flock(descriptor, LOCK_UN)
    }

    func read(limit: Int, _ receive: (DeviceEvent) -> Void) throws(SystemCallError) -> Bool {
        var count = 0
        while count < limit {
            let length = Glibc.read(descriptor, &buffer, min(buffer.count, limit - count))
            let time = MonotonicClock.now()
            guard length > 0 else {
                guard try CharacterDevice.isEmpty(length, path) else { continue }
                return false
            }
            for byte in buffer[..<length] {
                switch errors.next(byte) {
                case .byte(let byte): receive(.byte(byte, at: time))
                case .damage: DeviceEvent.loss(at: time).forEach(receive)
                case .nothing: break
                }
            }
            count += length
        }
        return true
    }
}

/// A decoder that finds the bytes that the kernel marked as damaged.
///
/// With `PARMRK`, the kernel puts FF 00 before each damaged byte, and doubles a valid FF.
///
/// Rule: POSIX.1-2017, section 11.2.2.
struct LineErrors {
    enum Result: Equatable {
        case byte(UInt8)
        /// A byte with wrong parity or without a stop bit, or a break condition.
        case damage
        case nothing
    }

    private enum State { case data, marked, damaged }

    private var state = State.data

    mutating func next(_ byte: UInt8) -> Result {
        switch (state, byte) {
        case (.data, 0xFF):
            state = .marked
            return .nothing
        case (.marked, 0x00):
            state = .damaged
            return .nothing
        case (.damaged, _):
            state = .data
            return .damage
        default:
            state = .data
            return .byte(byte)
        }
    }
}
