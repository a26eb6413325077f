internal import CLibevdev
internal import Glibc
internal import Keystrokes
import WireText

/// An open device that sends key events: the edge between the reader and the kernel.
///
/// Releasing the last reference closes it. ``EvdevDevice`` is the real one; tests have their own.
protocol InputDevice: AnyObject {
    /// The number of its node (`st_rdev`).
    var number: dev_t { get }
    /// Becomes readable when events have come; it never blocks.
    var descriptor: Int32 { get }
    var identity: DeviceIdentity { get }
    var keys: KeyCapabilities { get }
    /// The keys that are down, as far as the events read so far show.
    var heldKeys: [KeyCode] { get }

    /// Keeps the device's events from all other processes until it is released or closed.
    ///
    /// - Throws: `EBUSY` if another process has claimed it.
    func claim() throws(SystemCallError)

    /// Releases the device, even if another process keeps a copy of the descriptor.
    ///
    /// Nothing can be read from it afterwards.
    func release()

    /// Switches to another descriptor of the same device, which another process claimed.
    ///
    /// The events that wait in that descriptor are kept.
    ///
    /// - Returns: Whether it is the same device and still attached; if not, nothing changes.
    func resume(from descriptor: Int32) -> Bool

    /// Reads the events that have arrived.
    ///
    /// Lost events show as `SYN_DROPPED` and `SYN_REPORT`, followed by an auto-repeat (value 2) of
    /// each key that is still down. At most `limit` events are read, so that one device cannot keep
    /// the others waiting.
    ///
    /// - Returns: Whether more events may already be waiting.
    /// - Throws: `ENODEV` if the device is gone.
    func read(limit: Int, _ receive: (KeyEvent) -> Void) throws(SystemCallError) -> Bool
}

/// The devices of a machine.
///
/// Tests replace the kernel here.
protocol InputDevices: Sendable {
    /// The number of the device that a path leads to; nil if it leads to no device.
    func number(at path: String) -> dev_t?

    /// Opens an event node. The kernel may take 50 ms for the first process that does.
    func open(_ path: String) throws(SystemCallError) -> any InputDevice
}

/// The devices of this machine.
struct KernelDevices: InputDevices {
    func number(at path: String) -> dev_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return status.st_rdev
    }

    func open(_ path: String) throws(SystemCallError) -> any InputDevice {
        try EvdevDevice(path: path)
    }
}

/// The folders of the kernel and of udev that the finder looks at.
package struct DevicePlaces: Hashable, Sendable {
    /// The folder of the event nodes.
    package var nodes: String
    /// The folder of udev's database.
    package var udevData: String
    /// Where sysfs is mounted.
    package var sysfs: String

    /// The defaults are those of every Linux distribution.
    package init(
        nodes: String = "/dev/input", udevData: String = "/run/udev/data", sysfs: String = "/sys"
    ) {
        self.nodes = nodes
        self.udevData = udevData
        self.sysfs = sysfs
    }
}

/// The names of event nodes.
enum EventNodes {
    /// The number in the name of an event node, 3 for `event3`; nil for any other name.
    static func number(in name: String) -> Int? {
        guard name.hasPrefix("event") else { return nil }
        let digits = name.dropFirst(5)
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int(digits)
    }

    /// The paths of the event nodes in a folder, in the order of their numbers.
    static func all(in folder: String) -> [String] {
        (KernelFile.names(in: folder) ?? [])
            .compactMap { name in number(in: name).map { (number: $0, name: name) } }
            .sorted { $0.number < $1.number }
            .map { "\(folder)/\($0.name)" }
    }
}
