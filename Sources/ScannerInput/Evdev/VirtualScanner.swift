internal import CLibevdev
internal import Glibc
package import Keystrokes
package import WireText

/// A virtual keyboard, created through uinput; it is unplugged when this object is deallocated.
package final class VirtualScanner {
    private let descriptor: Int32
    private let device: OpaquePointer
    /// The event node of the keyboard, for instance `/dev/input/event7`; nil if it is unknown.
    package let node: String?

    /// The `phys` of the virtual keyboard that keywedge types on, which is never a scanner.
    package static let keyboardPhys = "keywedge/keyboard"

    package static let usualIdentity = DeviceIdentity(
        name: "keywedge virtual scanner", bus: UInt16(BUS_VIRTUAL), phys: "keywedge/virtual")

    /// Plugs in a virtual scanner; the identity's `uniq` is ignored, because uinput cannot set it.
    package init(
        identity: DeviceIdentity = VirtualScanner.usualIdentity,
        keys: some Sequence<KeyCode> = KeyCode.ofAKeyboard
    ) throws(SystemCallError) {
        let path = "/dev/uinput"
        let descriptor = try SystemCallError.check("open", path, open(path, O_RDWR | O_CLOEXEC))
        if let phys = identity.phys { _ = clibevdev_uinput_set_phys(descriptor, phys) }
        var device: OpaquePointer?
        let model = Self.model(identity, keys)
        let result = libevdev_uinput_create_from_device(model, descriptor, &device)
        libevdev_free(model)
        guard result == 0, let device else {
            close(descriptor)
            throw SystemCallError(operation: "UI_DEV_CREATE", path: path, errno: -result)
        }
        self.descriptor = descriptor
        self.device = device
        node = libevdev_uinput_get_devnode(device).map { String(cString: $0) }
    }

    deinit {
        libevdev_uinput_destroy(device)
        close(descriptor)
    }

    /// Sends one event; other processes receive it with the next `SYN_REPORT`.
    package func send(_ event: KeyEvent) throws(SystemCallError) {
        let result = libevdev_uinput_write_event(
            device, UInt32(event.type), UInt32(event.code), event.value)
        guard result == 0 else {
            throw SystemCallError(operation: "write", path: "/dev/uinput", errno: -result)
        }
    }

    private static func model(
        _ identity: DeviceIdentity, _ keys: some Sequence<KeyCode>
    ) -> OpaquePointer? {
        guard let model = clibevdev_new_silent() else { return nil }
        libevdev_set_name(model, identity.name ?? "")
        libevdev_set_id_bustype(model, Int32(identity.bus))
        libevdev_set_id_vendor(model, Int32(identity.vendor))
        libevdev_set_id_product(model, Int32(identity.product))
        libevdev_set_id_version(model, Int32(identity.version))
        for key in keys {
            libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(key.rawValue), nil)
        }
        return model
    }
}

extension KeyCode {
    /// The keys of a full keyboard, from Escape to the Menu key (`KEY_ESC` to `KEY_COMPOSE`).
    package static let ofAKeyboard: [KeyCode] = (1...127).map { KeyCode(rawValue: $0) }
}
