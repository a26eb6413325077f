internal import CLibevdev
internal import Glibc
internal import Keystrokes
import WireText

/// An open device of a scanner: the boundary between the reader and the kernel.
///
/// Releasing the last reference closes it. There is one type for each interface; tests have their own.
protocol InputDevice: AnyObject {
    /// The number of its node (`st_rdev`).
    var number: dev_t { get }
    /// Becomes readable when events have arrived; it never blocks.
    var descriptor: Int32 { get }
    var described: DescribedDevice { get }
    /// The keys that are down, according to the events read so far.
    var heldKeys: [KeyCode] { get }
    /// The bytes that make the scanner give each signal that it can give.
    var signals: [ScannerSignal: [UInt8]] { get }
    /// Whether another process can resume reading where this one stops.
    var canBeHandedOver: Bool { get }

    /// Keeps the device's events from all other processes until it is released or closed.
    ///
    /// - Returns: Whether earlier events were discarded.
    /// - Throws: `EBUSY` if another process has claimed it.
    @discardableResult func claim() throws(SystemCallError) -> Bool

    /// Releases the device, even if another process keeps a copy of the descriptor.
    ///
    /// It cannot be read afterwards.
    func release()

    /// Switches to another descriptor of the same device, which another process claimed.
    ///
    /// This keeps the events that wait in that descriptor.
    ///
    /// - Returns: Whether it is the same device and still attached; if not, nothing changes.
    func resume(from descriptor: Int32) -> Bool

    /// Reads the events that have arrived.
    ///
    /// `SYN_DROPPED` and `SYN_REPORT`, followed by an auto-repeat (value 2) of each key that is still down, mean that
    /// events were lost. At most `limit` events are read, so one device cannot keep the others waiting.
    ///
    /// - Returns: Whether more events may already be waiting.
    /// - Throws: `ENODEV` if the device is gone.
    func read(limit: Int, _ receive: (DeviceEvent) -> Void) throws(SystemCallError) -> Bool
}

/// Devices that are not keyboards are not shared, so there is nothing to claim or release.
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
/// The finder and the reader pass it to each other in messages; only one of them has it at a time.
struct ClaimedNode: Sendable {
    enum Origin: Sendable {
        /// This process claimed it. `sawKeys` says whether something arrived between opening and claiming, which other
        /// processes may also have received.
        case claimed(sawKeys: Bool)
        /// An earlier process claimed it and left its scanner in this state between two scans; nil if that process did
        /// not record the state.
        case resumed(ScanAssembler.Rest?)

        var rest: ScanAssembler.Rest? { if case .resumed(let rest) = self { rest } else { nil } }

        var sawKeys: Bool { if case .claimed(sawKeys: true) = self { true } else { false } }

        /// Whether it may have sent keys that this process does not know about.
        var mayHaveLostAScan: Bool { if case .resumed(nil) = self { true } else { sawKeys } }
    }

    let path: String
    nonisolated(unsafe) let device: any InputDevice
    let origin: Origin
    /// Events that were read from it but not assembled yet.
    var pending: [DeviceEvent] = []
    /// The keys that were down before the events in ``pending``.
    var heldKeys: [KeyCode] = []

    var number: dev_t { device.number }
}

/// The devices of a machine; tests replace the kernel here.
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
