internal import CLibevdev
internal import Glibc
internal import Keystrokes
import WireText

/// An open device of a scanner: the boundary between the reader and the kernel.
///
/// It is closed when the last reference goes away. There is one type for each interface; tests have their own.
protocol InputDevice: AnyObject {
    /// The device number of the node (`st_rdev`).
    var number: dev_t { get }
    /// A descriptor that becomes readable when events arrive; reading it never blocks.
    var descriptor: Int32 { get }
    var described: DescribedDevice { get }
    /// The keys that are down, according to the events read so far.
    var heldKeys: [KeyCode] { get }
    /// The bytes to send for each signal that the scanner can give.
    var signals: [ScannerSignal: [UInt8]] { get }
    /// Whether another process can resume reading the device after this process stops.
    var canBeHandedOver: Bool { get }

    /// Keeps the device's events from all other processes until it is released or closed.
    ///
    /// - Returns: Whether earlier events were discarded.
    /// - Throws: `EBUSY` if another process has claimed the device.
    @discardableResult func claim() throws(SystemCallError) -> Bool

    /// Releases the device, even if another process has a copy of the descriptor.
    ///
    /// The device cannot be read afterwards.
    func release()

    /// Switches to a descriptor with which an earlier process claimed the device, and keeps the events that wait in it.
    ///
    /// - Returns: False, without any effect, if the descriptor belongs to another device, or the device is gone.
    func resume(from descriptor: Int32) -> Bool

    /// Reads the events that have arrived.
    ///
    /// After a loss of events, `receive` gets `SYN_DROPPED`, `SYN_REPORT` and an auto-repeat (value 2) of each key that
    /// is still down. At most `limit` events are read, so that one device cannot keep the others waiting.
    ///
    /// - Returns: Whether more events may already be waiting.
    /// - Throws: `ENODEV` if the device is gone.
    func read(limit: Int, _ receive: (DeviceEvent) -> Void) throws(SystemCallError) -> Bool
}

/// Defaults for devices that are not keyboards, whose events no console reads: a claim only discards earlier events.
extension InputDevice {
    var heldKeys: [KeyCode] { [] }
    var canBeHandedOver: Bool { false }

    func claim() throws(SystemCallError) -> Bool {
        var hasDiscarded = false
        while try read(limit: 64, { _ in hasDiscarded = true }) {}
        return hasDiscarded
    }

    func release() {}

    func resume(from descriptor: Int32) -> Bool { false }
}

/// A node that the finder has claimed for the reader.
///
/// The finder and the reader pass it to each other in messages; only one of them uses it at a time.
struct ClaimedNode: Sendable {
    enum Origin: Sendable {
        /// This process claimed the node. `sawKeys` is true if keys came between opening and claiming; other processes
        /// may have received these keys, too.
        case claimed(sawKeys: Bool)
        /// An earlier process claimed the node, and left its scanner in this state between two scans; nil if that state
        /// was not recorded.
        case resumed(ScanAssembler.Rest?)

        var rest: ScanAssembler.Rest? { if case .resumed(let rest) = self { rest } else { nil } }

        var sawKeys: Bool { if case .claimed(sawKeys: true) = self { true } else { false } }

        /// Whether another process may have received keys of a scan from the node.
        var mayHaveLostAScan: Bool { if case .resumed(nil) = self { true } else { sawKeys } }
    }

    let path: String
    nonisolated(unsafe) let device: any InputDevice
    let origin: Origin
    /// Events that were read from the node but not assembled yet.
    var pending: [DeviceEvent] = []
    /// The keys that were down before the events in ``pending``.
    var heldKeys: [KeyCode] = []

    var number: dev_t { device.number }
}

/// Access to a machine's devices; tests use devices of their own instead of the kernel's.
protocol InputDevices: Sendable {
    /// The number of the device that a path leads to; nil if it leads to no device.
    func number(at path: String) -> dev_t?

    /// Opens a node, and applies the settings to a serial port. The kernel may take 50 ms if no other process has the
    /// node open.
    ///
    /// `described` is the device as sysfs describes it; nil for an event node without a description.
    func open(
        _ path: String, as described: DescribedDevice?, serial: SerialSettings
    ) throws(SystemCallError) -> any InputDevice
}

struct KernelDevices: InputDevices {
    func number(at path: String) -> dev_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return status.st_rdev
    }

    func open(
        _ path: String, as described: DescribedDevice?, serial: SerialSettings = SerialSettings()
    ) throws(SystemCallError) -> any InputDevice {
        let identity = described?.identity ?? DeviceIdentity()
        switch described?.interface {
        case .keyboard, nil: return try EvdevDevice(path: path)
        case .serial: return try SerialDevice(path: path, identity: identity, settings: serial)
        case .hidPOS(let layout):
            let (descriptor, number) = try CharacterDevice.open(path)
            return HIDRawDevice(
                descriptor, number: number, path: path, identity: identity, layout: layout)
        }
    }
}

/// The folders of the kernel and of udev that the finder examines, the same on every Linux distribution.
package struct DevicePlaces: Hashable, Sendable {
    /// The folder of the event nodes.
    package var nodes = "/dev/input"
    /// The folder of all other nodes.
    package var devices = "/dev"
    package var udevData = "/run/udev/data"
    package var sysfs = "/sys"

    package init() {}
}
