import Glibc
import Keystrokes

/// The installed evemu library, called as by `evemu-play` and `evemu-device`.
struct LibEvemu {
    private typealias New = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias Read = @convention(c) (OpaquePointer?, UnsafeMutablePointer<FILE>?) -> Int32
    private typealias Name = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    private typealias Number = @convention(c) (OpaquePointer?) -> UInt32
    private typealias Has = @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    private typealias Delete = @convention(c) (OpaquePointer?) -> Void
    private typealias ReadEvent =
        @convention(c) (UnsafeMutablePointer<FILE>?, UnsafeMutableRawPointer?) -> Int32

    /// What the library read from a recording.
    struct Understood: Equatable {
        var name: String
        var vendor: UInt32
        var keys: [KeyCode]
        var events: [KeyEvent]
    }

    private let library: UnsafeMutableRawPointer

    /// Loads the library; nil if it is not installed.
    init?() {
        guard let library = dlopen("libevemu.so.3", RTLD_NOW) else { return nil }
        self.library = library
    }

    /// Reads a recording; nil if the library refuses it.
    func read(_ recording: [UInt8]) -> Understood? {
        guard let file = tmpfile(), let new = function("evemu_new", New.self),
            let read = function("evemu_read", Read.self),
            let delete = function("evemu_delete", Delete.self)
        else { return nil }
        defer { fclose(file) }
        guard fwrite(recording, 1, recording.count, file) == recording.count else { return nil }
        rewind(file)
        guard let device = new(nil) else { return nil }
        defer { delete(device) }
        guard read(device, file) > 0 else { return nil }
        return understood(device, file)
    }

    private func understood(
        _ device: OpaquePointer, _ file: UnsafeMutablePointer<FILE>
    ) -> Understood? {
        guard let name = function("evemu_get_name", Name.self)?(device),
            let vendor = function("evemu_get_id_vendor", Number.self)?(device),
            let has = function("evemu_has_event", Has.self)
        else { return nil }
        let keys = (0...KeyCode.highest).filter { has(device, 1, Int32($0)) != 0 }
        return Understood(
            name: String(cString: name), vendor: vendor,
            keys: keys.map(KeyCode.init(rawValue:)), events: events(file))
    }

    private func events(_ file: UnsafeMutablePointer<FILE>) -> [KeyEvent] {
        guard let readEvent = function("evemu_read_event", ReadEvent.self) else { return [] }
        var events: [KeyEvent] = []
        withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { event in
            while readEvent(file, event.baseAddress) > 0 { events.append(Self.event(in: event)) }
        }
        return events
    }

    /// Reads the kernel's `struct input_event` as laid out on a 64-bit machine.
    private static func event(in bytes: UnsafeMutableRawBufferPointer) -> KeyEvent {
        let seconds = bytes.load(as: Int64.self)
        let microseconds = bytes.load(fromByteOffset: 8, as: Int64.self)
        return KeyEvent(
            seconds * 1_000_000 + microseconds, bytes.load(fromByteOffset: 16, as: UInt16.self),
            bytes.load(fromByteOffset: 18, as: UInt16.self),
            bytes.load(fromByteOffset: 20, as: Int32.self))
    }

    private func function<Function>(_ name: String, _: Function.Type) -> Function? {
        dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
