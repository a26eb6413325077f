internal import CLibevdev
internal import Glibc
internal import Keystrokes
import WireText

/// An open event node, such as `/dev/input/event3`, read through libevdev.
///
/// Two `ioctl` requests discard the key events that wait in the kernel. libevdev issues `EVIOCGKEY` when it gets its
/// first descriptor, and when it resynchronises after lost events. This class issues `EVIOCSCLOCKID` right after it
/// opens the node.
final class EvdevDevice: InputDevice {
    let path: String
    let number: dev_t
    private(set) var descriptor: Int32
    private let device: OpaquePointer
    /// Whether the kernel timestamps events with the monotonic clock.
    private let hasMonotonicClock: Bool

    init(path: String) throws(SystemCallError) {
        (descriptor, number) = try CharacterDevice.open(path)
        self.path = path
        guard let device = clibevdev_new_silent() else {
            close(descriptor)
            throw SystemCallError(operation: "libevdev_new", path: path, errno: ENOMEM)
        }
        self.device = device
        hasMonotonicClock = clibevdev_set_clock(descriptor, MonotonicClock.number) == 0
        let result = libevdev_set_fd(device, descriptor)
        guard result == 0 else {
            throw SystemCallError(operation: "libevdev_set_fd", path: path, errno: -result)
        }
    }

    deinit {
        libevdev_free(device)
        close(descriptor)
    }
}

extension EvdevDevice {
    var described: DescribedDevice {
        let identity = DeviceIdentity(
            name: text(libevdev_get_name(device)),
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
            version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device)),
            phys: text(libevdev_get_phys(device)), uniq: text(libevdev_get_uniq(device)))
        let movesPointer = has(UInt32(EV_REL), 0) || has(UInt32(EV_ABS), 0)
        let keys = KeyCapabilities(movesPointer: movesPointer, hasKey: has)
        return DescribedDevice(identity: identity, interface: .keyboard(keys))
    }

    /// The bytes to send for each signal; always empty for a keyboard scanner.
    var signals: [ScannerSignal: [UInt8]] { [:] }

    var canBeHandedOver: Bool { true }

    var keyCodes: [KeyCode] { allKeys.filter(has) }

    var heldKeys: [KeyCode] {
        allKeys.filter {
            libevdev_get_event_value(device, UInt32(EV_KEY), UInt32($0.rawValue)) != 0
        }
    }

    private var allKeys: [KeyCode] { (1...KeyCode.highest).map(KeyCode.init(rawValue:)) }

    private func has(_ key: KeyCode) -> Bool { has(UInt32(EV_KEY), UInt32(key.rawValue)) }

    private func has(_ type: UInt32, _ code: UInt32) -> Bool {
        libevdev_has_event_code(device, type, code) != 0
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.flatMap { String(cString: $0).nonEmpty }
    }
}

extension EvdevDevice {
    /// Claims the device and turns off its Caps Lock LED; always returns false, because it discards no events.
    func claim() throws(SystemCallError) -> Bool {
        let result = libevdev_grab(device, LIBEVDEV_GRAB)
        guard result == 0 else {
            throw SystemCallError(operation: "EVIOCGRAB", path: path, errno: -result)
        }
        if has(UInt32(EV_LED), UInt32(LED_CAPSL)) {
            // If the node is open read-only, this fails and the LED stays as it is.
            _ = libevdev_kernel_set_led_value(device, UInt32(LED_CAPSL), LIBEVDEV_LED_OFF)
        }
        return false
    }

    func release() { Self.release(descriptor) }

    /// Revokes a descriptor and all its copies, which ends the claim.
    static func release(_ descriptor: Int32) {
        // The call fails only if the device is gone, and then no process holds it.
        _ = clibevdev_revoke(descriptor)
    }

    /// Switches to the descriptor `other` and its waiting events; returns false if that fails.
    func resume(from other: Int32) -> Bool {
        var status = stat()
        var id = input_id()
        guard fstat(other, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
            status.st_rdev == number, clibevdev_get_id(other, &id) == 0,
            Int32(id.bustype) == libevdev_get_id_bustype(device),
            Int32(id.vendor) == libevdev_get_id_vendor(device),
            Int32(id.product) == libevdev_get_id_product(device),
            Int32(id.version) == libevdev_get_id_version(device),
            libevdev_change_fd(device, other) == 0
        else { return false }
        close(descriptor)
        descriptor = other
        return true
    }
}

extension EvdevDevice {
    func read(limit: Int, _ receive: (DeviceEvent) -> Void) throws(SystemCallError) -> Bool {
        for _ in 0..<limit {
            var raw = input_event()
            let result = libevdev_next_event(device, Self.readFlags, &raw)
            switch result {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): receive(.key(stamped(raw)))
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue): resynchronise(receive)
            case -EAGAIN: return false
            case -EINTR: continue
            default: throw SystemCallError(operation: "read", path: path, errno: -result)
            }
        }
        return true
    }

    /// The flags for reads; `BLOCKING` does not block here, but makes libevdev empty its queue before it reads more.
    private static let readFlags =
        UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue | LIBEVDEV_READ_FLAG_BLOCKING.rawValue)

    /// Discards the events that the kernel has queued, and reports a loss and the keys that are down.
    ///
    /// libevdev must discard these events to find out which keys are down. It also reports which keys have changed, but
    /// not in which order, so these changes are ignored. Therefore all keys up to now count as lost, not only those
    /// before `SYN_DROPPED`.
    private func resynchronise(_ receive: (DeviceEvent) -> Void) {
        // Every event that is read later is newer than this time.
        let time = MonotonicClock.now()
        var raw = input_event()
        let flag = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        while libevdev_next_event(device, flag, &raw) == LIBEVDEV_READ_STATUS_SYNC.rawValue {}
        DeviceEvent.loss(at: time).forEach(receive)
        for event in KeyEvent.repeats(of: heldKeys, at: time) { receive(.key(event)) }
    }

    private func stamped(_ raw: input_event) -> KeyEvent {
        KeyEvent(
            type: raw.type, code: raw.code, value: raw.value,
            microseconds: hasMonotonicClock
                ? withUnsafePointer(to: raw) { clibevdev_microseconds($0) } : MonotonicClock.now())
    }
}

extension KeyEvent {
    /// Returns an auto-repeat of each key and a final `SYN_REPORT`; empty if there are no keys.
    static func repeats(of keys: [KeyCode], at time: Int64) -> [KeyEvent] {
        keys.isEmpty ? [] : keys.map { .key($0, 2, at: time) } + [.report(at: time)]
    }
}
