internal import Glibc
internal import Keystrokes
import WireText

/// An open HID device node, such as `/dev/hidraw3`, which delivers the device's raw reports.
///
/// The kernel cannot reserve a HID device for one process: each process that opens the node gets a copy of every
/// report. Usually, no other program on a cash register reads these reports.
final class HIDRawDevice: InputDevice {
    /// How many unread reports the kernel stores before it silently drops new ones (`HIDRAW_BUFFER_SIZE` − 1,
    /// drivers/hid/hidraw.c).
    static let ringSize = 63
    /// The maximum size of a report in bytes (`HID_MAX_BUFFER_SIZE`).
    private static let longestReport = 16_384

    let number: dev_t
    let descriptor: Int32
    let described: DescribedDevice
    let signals: [ScannerSignal: [UInt8]]
    private let path: String
    private var buffer = [UInt8](repeating: 0, count: longestReport)

    /// Creates a device that owns `descriptor`, from which each `read` call returns one report.
    init(
        _ descriptor: Int32, number: dev_t, path: String, identity: DeviceIdentity,
        layout: HIDPOSLayout
    ) {
        self.descriptor = descriptor
        self.number = number
        self.path = path
        described = DescribedDevice(identity: identity, interface: .hidPOS(layout))
        signals = layout.signals
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `limit` reports; returns whether more may be waiting.
    ///
    /// If one call reads ``ringSize`` reports or more, the kernel may have dropped some. Therefore, each report from
    /// number ``ringSize`` on is followed by events that signal a loss.
    func read(limit: Int, _ receive: (DeviceEvent) -> Void) throws(SystemCallError) -> Bool {
        for count in 1...max(limit, 1) {
            let length = Glibc.read(descriptor, &buffer, buffer.count)
            let time = MonotonicClock.now()
            guard length > 0 else {
                guard try CharacterDevice.isEmpty(length, path) else { continue }
                return false
            }
            receive(.report(Array(buffer[..<length]), at: time))
            if count >= Self.ringSize { DeviceEvent.loss(at: time).forEach(receive) }
        }
        return true
    }
}

/// Functions that open character devices, and that interpret a `read` that returns no data.
enum CharacterDevice {
    /// Opens a node in non-blocking mode, read-only if writing is not permitted.
    static func open(
        _ path: String, flags: Int32 = 0
    ) throws(SystemCallError) -> (descriptor: Int32, number: dev_t) {
        let flags = flags | O_NONBLOCK | O_CLOEXEC
        var descriptor = Glibc.open(path, O_RDWR | flags)
        if descriptor < 0, [EACCES, EPERM, EROFS].contains(errno) {
            descriptor = Glibc.open(path, O_RDONLY | flags)
        }
        try SystemCallError.check("open", path, descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
            close(descriptor)
            throw SystemCallError(operation: "stat", path: path, errno: ENODEV)
        }
        return (descriptor, status.st_rdev)
    }

    /// Whether a `read` returned nothing because no data is waiting, not because of a signal.
    ///
    /// - Throws: `ENODEV` if the device is gone, however its driver reports this; otherwise the error of `read`.
    static func isEmpty(_ length: Int, _ path: String) throws(SystemCallError) -> Bool {
        if length < 0, errno == EAGAIN || errno == EINTR { return errno == EAGAIN }
        let isGone = length == 0 || errno == EIO || errno == ENXIO
        throw SystemCallError(operation: "read", path: path, errno: isGone ? ENODEV : errno)
    }
}
