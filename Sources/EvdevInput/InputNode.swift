internal import CLibevdev
internal import Glibc
internal import Keystrokes
import WireText

/// An open event node.
///
/// It closes with the last reference to it, and the kernel takes the grab back.
///
/// `EVIOCGKEY` flushes queued key events in the kernel; libevdev calls it when it is given the
/// descriptor and when it resynchronises after lost events, and nothing here does otherwise.
/// `EVIOCSCLOCKID` flushes too, and reports what it threw away as lost: it comes before anything
/// can have been queued.
final class InputNode {
    /// The path it was opened by.
    let path: String
    /// The file descriptor; it never blocks.
    private(set) var descriptor: Int32
    /// The device's number (`st_rdev`).
    let number: dev_t
    private let device: OpaquePointer
    private let closer: NodeCloser?
    /// Whether the kernel stamps the events with the monotonic clock; else they get the time at
    /// which they are read, for the wall clock may be set at any time.
    private let hasMonotonicClock: Bool

    /// Opens a node for reading, with events on the monotonic clock.
    ///
    /// - Parameters:
    ///   - path: The node.
    ///   - closer: Closes it in the end; nil for whoever has the time.
    /// - Throws: The first call that fails.
    init(path: String, closer: NodeCloser? = nil) throws(SystemCallError) {
        let opened = try Self.open(path)
        guard let device = clibevdev_new_silent() else {
            close(opened.descriptor)
            throw SystemCallError(operation: "libevdev_new", path: path, errno: ENOMEM)
        }
        let result = libevdev_set_fd(device, opened.descriptor)
        guard result == 0 else {
            libevdev_free(device)
            close(opened.descriptor)
            throw SystemCallError(operation: "libevdev_set_fd", path: path, errno: -result)
        }
        self.path = path
        self.device = device
        self.closer = closer
        descriptor = opened.descriptor
        number = opened.number
        hasMonotonicClock = opened.hasMonotonicClock
    }

    /// Reads from a descriptor of the same device from now on, that another process has grabbed and left.
    ///
    /// What waits in it is kept: libevdev looks at a device's keys, which throws away what waits, only when
    /// it is given its first descriptor. That one was opened for nothing else.
    ///
    /// - Parameter other: The descriptor; where it is taken, it is closed with this.
    /// - Returns: Whether it is the same device, and still there.
    func goOn(with other: Int32) -> Bool {
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
        if let closer { closer.close(descriptor) } else { close(descriptor) }
        descriptor = other
        return true
    }

    deinit {
        libevdev_free(device)
        if let closer { closer.close(descriptor) } else { close(descriptor) }
    }

    private static func open(_ path: String) throws(SystemCallError) -> (
        descriptor: Int32, number: dev_t, hasMonotonicClock: Bool
    ) {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        let hasMonotonicClock = clibevdev_set_clock(descriptor, MonotonicClock.number) == 0
        guard let number = EventNodes.device(at: path) else {
            close(descriptor)
            throw SystemCallError(operation: "stat", path: path, errno: ENODEV)
        }
        return (descriptor, number, hasMonotonicClock)
    }
}

extension InputNode {
    /// What the device says of itself.
    var identity: DeviceIdentity {
        DeviceIdentity(
            name: text(libevdev_get_name(device)),
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
            version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device)),
            phys: text(libevdev_get_phys(device)), uniq: text(libevdev_get_uniq(device)))
    }

    /// Which keys it has.
    var keys: KeyCapabilities {
        KeyCapabilities(movesPointer: has(UInt32(EV_REL), 0) || has(UInt32(EV_ABS), 0)) {
            has(UInt32(EV_KEY), UInt32($0.rawValue))
        }
    }

    /// The input properties, and the codes of each event type, as numbers of the kernel's.
    var description: DeviceDescription {
        let types = (0...UInt32(EV_MAX)).filter { libevdev_has_event_type(device, $0) != 0 }
        let codes = types.map { type in
            let highest = libevdev_event_type_get_max(type)
            return (0...UInt32(max(highest, 0))).filter { has(type, $0) }.map(UInt16.init)
        }
        return DeviceDescription(
            identity: identity,
            properties: (0...UInt32(INPUT_PROP_MAX))
                .filter { libevdev_has_property(device, $0) != 0 }.map(UInt16.init),
            codes: Dictionary(uniqueKeysWithValues: zip(types.map(UInt16.init), codes)))
    }

    /// Whether a key is down, as far as the events read so far tell.
    var isAnyKeyDown: Bool {
        (1...UInt32(KeyCode.highest)).contains {
            libevdev_get_event_value(device, UInt32(EV_KEY), $0) != 0
        }
    }

    /// Takes the device for ourselves: nobody else gets its events until the node is closed.
    func grab() throws(SystemCallError) {
        let result = libevdev_grab(device, LIBEVDEV_GRAB)
        guard result == 0 else {
            throw SystemCallError(operation: "EVIOCGRAB", path: path, errno: -result)
        }
    }

    /// Gives the device back, to whoever else has it open; it may be held by copies of the descriptor.
    func ungrab() {
        // One that is gone is nobody's any more.
        _ = libevdev_grab(device, LIBEVDEV_UNGRAB)
    }

    /// Reads what has come, up to `limit` events: see ``read(limit:_:)``.
    ///
    /// - Parameters:
    ///   - events: Receives the events.
    ///   - limit: How many to read at the most.
    /// - Returns: Whether there may be more already.
    /// - Throws: `ENODEV` where the device is gone.
    func read(into events: inout [KeyEvent], limit: Int = 1024) throws(SystemCallError) -> Bool {
        try read(limit: limit) { events.append($0) }
    }

    /// Reads what has come, up to `limit` events.
    ///
    /// Lost events show as one `SYN_DROPPED` followed by a `SYN_REPORT`. The key states libevdev
    /// finds out in resynchronising are not passed on: in which order those keys came is not known,
    /// and an Enter among them may belong before or behind any other.
    ///
    /// - Parameters:
    ///   - limit: How many to read at the most, so that one device cannot keep the others waiting.
    ///   - take: Receives each event before the next is asked for, which may be a call to the kernel.
    /// - Returns: Whether there may be more already.
    /// - Throws: `ENODEV` where the device is gone.
    func read(
        limit: Int, _ take: (KeyEvent) -> Void
    ) throws(SystemCallError) -> Bool {
        for _ in 0..<limit {
            var raw = input_event()
            let result = libevdev_next_event(device, Self.readFlags, &raw)
            switch result {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                take(stamped(raw))
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
                resynchronise(take)
            case -EAGAIN: return false
            case -EINTR: continue
            default: throw SystemCallError(operation: "read", path: path, errno: -result)
            }
        }
        return true
    }

    /// `BLOCKING` has libevdev ask the kernel only when it has no event left, and not for each event;
    /// as the descriptor does not block, it waits all the same for nothing.
    private static let readFlags =
        UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue | LIBEVDEV_READ_FLAG_BLOCKING.rawValue)

    /// Throws away what the kernel has by now, as libevdev does to have both agree on the keys.
    ///
    /// Keys were lost up to now, and not only up to the time of `SYN_DROPPED`: a scanner that has typed
    /// all the while was not quiet.
    private func resynchronise(_ take: (KeyEvent) -> Void) {
        // No key that is read after this is older.
        let time = MonotonicClock.now()
        var raw = input_event()
        let flag = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        while libevdev_next_event(device, flag, &raw) == LIBEVDEV_READ_STATUS_SYNC.rawValue {}
        take(.dropped(at: time))
        take(.report(at: time))
    }

    private func stamped(_ raw: input_event) -> KeyEvent {
        var event = KeyEvent(raw)
        if !hasMonotonicClock { event.microseconds = MonotonicClock.now() }
        return event
    }

    private func has(_ type: UInt32, _ code: UInt32) -> Bool {
        libevdev_has_event_code(device, type, code) != 0
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer else { return nil }
        let text = String(cString: pointer)
        return text.isEmpty ? nil : text
    }
}

extension KeyEvent {
    /// The kernel's event.
    init(_ raw: input_event) {
        self.init(
            type: raw.type, code: raw.code, value: raw.value,
            microseconds: withUnsafePointer(to: raw) { clibevdev_microseconds($0) })
    }
}
