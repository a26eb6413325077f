import Foundation
import Keystrokes

/// A device that umockdev emulates: the content of sysfs, and the answers to ioctls.
struct MockDevice {
    var number: Int
    var identity: DeviceIdentity
    var keys: [KeyCode]

    static let keyboardKeys = (1...127).map { KeyCode(rawValue: $0) }

    /// The device in umockdev's format (umockdev's documentation, section "device description").
    var description: String {
        """
        P: /devices/virtual/input/input\(number)/event\(number)
        N: input/event\(number)
        E: DEVNAME=/dev/input/event\(number)
        E: MAJOR=13
        E: MINOR=\(64 + number)
        E: SUBSYSTEM=input
        A: dev=13:\(64 + number)\\n
        L: device=../../input\(number)

        P: /devices/virtual/input/input\(number)
        E: SUBSYSTEM=input
        A: name=\(identity.name ?? "")\\n

        """
    }

    /// The ioctls of `linux/input.h`, each with its result and the bytes that it returns.
    var ioctls: String {
        let id = [identity.bus, identity.vendor, identity.product, identity.version]
        let texts: [(call: String, text: String?)] = [
            ("EVIOCGNAME", identity.name), ("EVIOCGPHYS", identity.phys),
            ("EVIOCGUNIQ", identity.uniq),
        ]
        let emptyTypes = [2, 3, 4, 5, 17, 18].map { "EVIOCGBIT(\($0)) 8 \(hex([], 8))" }
        return
            (["@DEV /dev/input/event\(number)", "EVIOCGBIT(0) 8 \(hex([0x03], 8))"]
            + texts.map { text($0.call, $0.text) }
            + [
                "EVIOCGID 0 \(hex(id.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, 8))",
                "EVIOCGVERSION 0 01000100", "EVIOCGPROP(0) 8 \(hex([], 8))",
                "EVIOCGBIT(1) 96 \(hex(keyBits, 96))", "EVIOCGKEY(0) 96 \(hex([], 96))",
                "EVIOCGBIT(21) 16 \(hex([], 16))", "EVIOCGLED(0) 8 \(hex([], 8))",
                "EVIOCGSW(0) 8 \(hex([], 8))", "EVIOCGREP 0 FA00000021000000",
            ] + emptyTypes).joined(separator: "\n") + "\n"
    }

    private var keyBits: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 96)
        for key in keys { bytes[Int(key.rawValue / 8)] |= 1 << (key.rawValue % 8) }
        return bytes
    }

    private func text(_ call: String, _ text: String?) -> String {
        let bytes = Array((text ?? "").utf8) + [0]
        return "\(call)(0) \(bytes.count) \(hex(bytes, 255))"
    }

    private func hex(_ bytes: [UInt8], _ length: Int) -> String {
        (bytes + [UInt8](repeating: 0, count: length - bytes.count))
            .map { String(format: "%02X", $0) }.joined()
    }
}

extension MockDevice {
    static let scanner = MockDevice(
        number: 0,
        identity: DeviceIdentity(
            name: "Honeywell \u{1B}[2J Voyager", bus: 3, vendor: 0x0C2E, product: 0x0B61,
            version: 0x111, phys: "usb-0000:00:14.0-2/input0", uniq: "17031B2345"),
        keys: keyboardKeys)
    static let mouse = MockDevice(
        number: 1,
        identity: DeviceIdentity(
            name: "Scanner", bus: 3, vendor: 0x0C2E, product: 1, version: 1,
            phys: "usb-0000:00:14.0-3/input0"),
        keys: [KeyCode(rawValue: 0x110)])
    static let keyboard = MockDevice(
        number: 2,
        identity: DeviceIdentity(
            name: "Plain Keyboard", bus: 3, vendor: 0x046D, product: 0xC31C, version: 1,
            phys: "usb-0000:00:14.0-4/input0"),
        keys: keyboardKeys)
    static let all = [scanner, mouse, keyboard]
}
