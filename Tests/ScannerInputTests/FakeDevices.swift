import Foundation
import Glibc
import Keystrokes
import Synchronization
import TestFolders
import WireText

@testable import ScannerInput

/// Simulated input devices, whose nodes are in a temporary folder; tests plug them in, type on them and unplug them.
final class FakeDevices: InputDevices {
    let folder: TemporaryFolder
    private let attached = Mutex<[String: FakeHardware]>([:])

    init() throws {
        folder = try TemporaryFolder()
        for name in ["input", "data"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: false)
        }
    }

    var places: DevicePlaces {
        var places = DevicePlaces()
        places.nodes = folder.path("input")
        places.devices = folder.path("")
        places.udevData = folder.path("data")
        places.sysfs = folder.path("sys")
        return places
    }

    func path(_ number: Int) -> String { folder.path("input/event\(number)") }

    /// Plugs a device in, and makes its node.
    @discardableResult
    func plug(
        _ number: Int, vendor: UInt16 = 0x0C2E, product: UInt16 = 0x0B61, phys: String? = nil,
        hasPort: Bool = true, uniq: String? = nil, openErrno: Int32? = nil, held: Set<UInt16> = [],
        blocksOpening: Bool = false
    ) throws -> FakeHardware {
        let hardware = FakeHardware(
            number: dev_t(13 << 8 | 64 + number),
            identity: DeviceIdentity(
                name: "Scanner", bus: 3, vendor: vendor, product: product,
                phys: hasPort ? phys ?? "usb-\(number)/input0" : nil, uniq: uniq))
        hardware.change { state in
            state.openErrno = openErrno
            state.held = held
            state.blocksOpening = blocksOpening
        }
        attached.withLock { $0[path(number)] = hardware }
        try Data().write(to: URL(filePath: path(number)))
        return hardware
    }

    /// Unplugs a device, and removes its node.
    func unplug(_ number: Int) throws {
        attached.withLock { $0.removeValue(forKey: path(number)) }?.vanish()
        try FileManager.default.removeItem(atPath: path(number))
    }

    /// Makes a node accessible, as udev does by changing its permissions.
    func permit(_ number: Int) throws {
        attached.withLock { $0[path(number)] }?.change { $0.openErrno = nil }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o660], ofItemAtPath: path(number))
    }

    /// Marks a device as a scanner in udev's database.
    func mark(_ number: Int) throws {
        let entry = folder.path("data/c13:\(64 + number)")
        try Data("E:\(UdevDatabase.mark)=1\n".utf8).write(to: URL(filePath: entry + ".new"))
        try FileManager.default.moveItem(atPath: entry + ".new", toPath: entry)
    }

    func number(at path: String) -> dev_t? { attached.withLock { $0[path]?.number } }

    func open(
        _ path: String, as described: DescribedDevice?, serial: SerialSettings
    ) throws(SystemCallError) -> any InputDevice {
        let hardware = attached.withLock { $0[path] }
        guard let hardware else {
            throw SystemCallError(operation: "open", path: path, errno: ENOENT)
        }
        hardware.waitUntilOpeningIsPossible()
        if let error = hardware.state.openErrno {
            throw SystemCallError(operation: "open", path: path, errno: error)
        }
        return FakeDevice(try FakeFile(hardware))
    }
}

/// A simulated device, which may have several open files.
final class FakeHardware: Sendable {
    struct State: Sendable {
        var held: Set<UInt16> = []
        var openErrno: Int32?
        var readErrno: Int32?
        /// Whether opening the device blocks.
        var blocksOpening = false
        var isBeingOpened = false
        var isClaimedElsewhere = false
        var claim: ObjectIdentifier?
        /// The codes of keys pressed while the device was not claimed, which all programs received.
        var console = ""
        fileprivate var files: [Weak] = []
    }

    fileprivate struct Weak: Sendable {
        weak let file: FakeFile?
    }

    let number: dev_t
    let identity: DeviceIdentity
    private let current = Mutex(State())
    private let opening = NSCondition()

    init(number: dev_t, identity: DeviceIdentity) {
        self.number = number
        self.identity = identity
    }

    var state: State { current.withLock { $0 } }

    func change(_ change: (inout State) -> Void) { current.withLock { change(&$0) } }

    /// Blocks the finder's thread while ``State/blocksOpening`` is true.
    func waitUntilOpeningIsPossible() {
        change { $0.isBeingOpened = true }
        opening.lock()
        while state.blocksOpening { opening.wait() }
        opening.unlock()
        change { $0.isBeingOpened = false }
    }

    /// Ends ``waitUntilOpeningIsPossible()``.
    func letItBeOpened() {
        opening.lock()
        change { $0.blocksOpening = false }
        opening.broadcast()
        opening.unlock()
    }

    fileprivate func add(_ file: FakeFile) { change { $0.files.append(Weak(file: file)) } }

    /// Types keys that all have the same timestamp, so that a delayed test makes no pause in a scan.
    func type(_ text: String) {
        let now = MonotonicClock.now()
        send(
            text.unicodeScalars.compactMap { Self.keys[$0] }.flatMap { key in
                [1, 0].flatMap { [KeyEvent.key(key, $0, at: now), .report(at: now)] }
            })
    }

    private static let keys: [Unicode.Scalar: KeyCode] = {
        var keys: [Unicode.Scalar: KeyCode] = ["\n": .enter, "\t": .tab]
        for digit in 0...9 {
            keys[Unicode.Scalar(UInt8(0x30 + digit))] =
                KeyCode(rawValue: digit == 0 ? 11 : UInt16(digit + 1))
        }
        return keys
    }()

    func press(_ key: KeyCode) {
        change { $0.held.insert(key.rawValue) }
        send(.key(key, 1, at: MonotonicClock.now()))
    }

    func release(_ key: KeyCode) {
        change { $0.held.remove(key.rawValue) }
        send(.key(key, 0, at: MonotonicClock.now()))
    }

    func send(_ event: KeyEvent) { send([event, .report(at: event.microseconds)]) }

    /// Delivers events to the file that has claimed the device, otherwise to all files and the console.
    private func send(_ events: [KeyEvent]) {
        let files = current.withLock { state in
            if state.claim == nil {
                for event in events where event.value == 1 { state.console += "\(event.code) " }
            }
            return state.files.compactMap(\.file)
                .filter { state.claim == nil || state.claim == ObjectIdentifier($0) }
        }
        for file in files { file.deliver(events) }
    }

    fileprivate func vanish() { fail(ENODEV) }

    /// Makes reading fail after the events delivered so far; nil makes it succeed again.
    func fail(_ errno: Int32?) {
        change { $0.readErrno = errno }
        for file in state.files { file.file?.deliver([]) }
    }
}

/// A simulated open file description, as in the kernel: copies of its descriptor share it, and a claim ends when the
/// last copy is closed.
final class FakeFile: Sendable {
    let hardware: FakeHardware
    private let wakeup: Wakeup
    private let events = Mutex<[KeyEvent]>([])
    private static let all = Mutex<[Int32: Unmanaged<FakeFile>]>([:])

    init(_ hardware: FakeHardware) throws(SystemCallError) {
        self.hardware = hardware
        wakeup = try Wakeup()
        hardware.add(self)
        Self.all.withLock { $0[descriptor] = .passUnretained(self) }
    }

    deinit {
        release()
        Self.all.withLock { $0[descriptor] = nil }
    }

    var descriptor: Int32 { wakeup.descriptor }

    static func of(_ descriptor: Int32) -> FakeFile? {
        all.withLock { $0[descriptor]?.takeUnretainedValue() }
    }

    func deliver(_ added: [KeyEvent]) {
        events.withLock { $0 += added }
        wakeup.wake()
    }

    func take() throws(SystemCallError) -> [KeyEvent] {
        var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&readable, 1, 0) > 0 { wakeup.wait() }
        let taken = events.withLock { events in
            defer { events = [] }
            return events
        }
        guard let error = hardware.state.readErrno else { return taken }
        guard !taken.isEmpty else { throw SystemCallError(operation: "read", errno: error) }
        // The descriptor stays readable, so that the next read throws the error.
        deliver([])
        return taken
    }

    func claim() throws(SystemCallError) {
        let isFree = hardware.state.isClaimedElsewhere == false && hardware.state.claim == nil
        guard isFree else { throw SystemCallError(operation: "EVIOCGRAB", errno: EBUSY) }
        hardware.change { $0.claim = ObjectIdentifier(self) }
    }

    func release() {
        hardware.change { if $0.claim == ObjectIdentifier(self) { $0.claim = nil } }
    }
}

/// An open device, used by one thread at a time.
final class FakeDevice: InputDevice {
    private var file: FakeFile

    init(_ file: FakeFile) {
        self.file = file
    }

    var number: dev_t { file.hardware.number }
    var descriptor: Int32 { file.descriptor }
    var described: DescribedDevice {
        DescribedDevice(
            identity: file.hardware.identity,
            interface: .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true)))
    }
    var signals: [ScannerSignal: [UInt8]] { [:] }
    var canBeHandedOver: Bool { true }
    var heldKeys: [KeyCode] { file.hardware.state.held.sorted().map(KeyCode.init(rawValue:)) }

    func claim() throws(SystemCallError) -> Bool {
        try file.claim()
        return false
    }

    func release() { file.release() }

    func resume(from descriptor: Int32) -> Bool {
        guard let other = FakeFile.of(descriptor), other.hardware === file.hardware else {
            return false
        }
        file = other
        return true
    }

    func read(limit: Int, _ receive: (DeviceEvent) -> Void) throws(SystemCallError) -> Bool {
        for event in try file.take() { receive(.key(event)) }
        return false
    }
}
