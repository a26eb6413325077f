internal import CLibevdev
internal import Glibc
internal import Keystrokes
import WireText

/// An open scanner device of any kind, closed when this object is deallocated.
protocol InputDevice: AnyObject {
    /// The device number of the node (`st_rdev`).
    var number: dev_t { get }
    /// A descriptor that becomes readable when events arrive; reading it never blocks.
    var descriptor: Int32 { get }
    var described: DescribedDevice { get }
    /// The keys that are down, according to the events read so far.
    var heldKeys: [KeyCode] { get }
    /// The bytes to send for each signal that the scanner supports.
    var signals: [ScannerSignal: [UInt8]] { get }
    /// Whether another process can resume reading the device after this process stops.
    var canBeHandedOver: Bool { get }

    /// Hides a keyboard's events from other processes until ``release()``; for other devices, discards waiting input.
    ///
    /// - Returns: Whether earlier events were discarded.
    /// - Throws: `EBUSY` if another process has claimed the device.
    @discardableResult func claim() throws(SystemCallError) -> Bool

    /// Releases the device, which must not be read afterwards.
    func release()

    /// Switches to the descriptor with which an earlier process claimed the device; the events waiting in it are kept.
    ///
    /// - Returns: False, with nothing changed, if the descriptor belongs to another device or the device is gone.
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

/// Defaults for devices other than keyboards.
///
/// No console reads such a device, so a claim only has to discard the input that has already arrived.
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

/// A claimed node, used by only one thread at a time: the finder's or the reader's.
struct ClaimedNode: Sendable {
    enum Origin: Sendable {
        /// This process claimed the node. If `sawKeys` is true, keys arrived before the claim, and other processes may
        /// have received them too.
        case claimed(sawKeys: Bool)
        /// An earlier process claimed the node and left its scanner in this state, if known.
        case resumed(ScanAssembler.Rest?)

        var rest: ScanAssembler.Rest? { if case .resumed(let rest) = self { rest } else { nil } }

        var sawKeys: Bool { if case .claimed(sawKeys: true) = self { true } else { false } }

        /// Whether another process may have received keys of a scan from the node.
        var mayHaveLostAScan: Bool { if case .resumed(nil) = self { true } else { sawKeys } }
    }

    let path: String
    nonisolated(unsafe) let device: any InputDevice
    let origin: Origin
    /// Events that have been read but not assembled yet.
    var pending: [DeviceEvent] = []
    /// The keys that were down before the events in ``pending``.
    var heldKeys: [KeyCode] = []

    var number: dev_t { device.number }
}

/// A source of input devices: this machine's own or, in tests, fake ones.
protocol InputDevices: Sendable {
    /// Returns the number of the character device at a path, following links, or nil.
    func number(at path: String) -> dev_t?

    /// Opens a node, which may take 50 ms; `described` may be nil only for an event node.
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

/// The folders that the finder examines, which are the same on every Linux distribution.
package struct DevicePlaces: Hashable, Sendable {
    package var nodes = "/dev/input"
    package var devices = "/dev"
    package var udevData = "/run/udev/data"
    package var sysfs = "/sys"

    package init() {}
}
