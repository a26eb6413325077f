internal import CLibevdev
internal import FoundationEssentials
internal import Glibc
package import Keystrokes
internal import WireText

/// The facts that decide whether a device is a scanner.
package struct DeviceFacts: Hashable, Sendable {
    /// The node, for instance `/dev/input/event3`.
    package var node: String
    package var identity: DeviceIdentity
    package var interface: ScannerInterface
    /// Whether a udev rule marked the device as a scanner (property ``UdevDatabase/mark``).
    package var isMarked: Bool
    /// The configured paths that resolve to this node.
    package var paths: Set<String>

    package init(
        node: String, identity: DeviceIdentity, interface: ScannerInterface, isMarked: Bool = false,
        paths: Set<String> = []
    ) {
        self.node = node
        self.identity = identity
        self.interface = interface
        self.isMarked = isMarked
        self.paths = paths
    }

    /// Collects a device's facts; do not reuse them, because the udev mark and links can change.
    init(
        of device: DescribedDevice, number: dev_t, at path: String, rules: SelectionRules,
        places: DevicePlaces, devices: some InputDevices
    ) {
        self.init(
            node: path, identity: device.identity, interface: device.interface,
            isMarked: UdevDatabase.isMarked(number, in: places.udevData),
            paths: Set(rules.paths.filter { devices.number(at: $0) == number }))
    }
}

struct DescribedDevice: Hashable {
    let identity: DeviceIdentity
    let interface: ScannerInterface
}

/// Initializers that read the description of a device from sysfs, without opening the device's node.
///
/// The kernel may need 50 ms to open a node that no other process has open (`usbhid_open`), and 25 ms to close it
/// (`evdev_release`). Opening a serial port can affect the device that is attached to it.
extension DescribedDevice {
    /// Reads a device's description from sysfs.
    ///
    /// Returns nil for an event node without one, and for a HID device not described as a scanner.
    init?(number: dev_t, at path: String, sysfs: String) {
        let folder = DeviceFolder(
            path: "\(sysfs)/dev/char/\(clibevdev_major(number)):\(clibevdev_minor(number))/device/")
        switch DeviceNodes.kind(of: path) {
        case .event: self.init(input: folder)
        case .hidraw: self.init(hid: folder)
        case .other: self.init(port: folder)
        }
    }

    /// Reads the device of an event node; nil if an attribute is missing or malformed.
    ///
    /// Format: `input_dev_attrs`, `input_dev_id_attrs`, `input_dev_caps_attrs` (drivers/input/input.c).
    private init?(input folder: DeviceFolder) {
        func line(_ name: String) -> String? { folder.line(name) }
        func hex(_ name: String) -> UInt16? { line("id/" + name).flatMap { UInt16($0, radix: 16) } }
        func bits(_ name: String) -> KernelBits? {
            line("capabilities/" + name).flatMap(KernelBits.init)
        }
        guard let bus = hex("bustype"), let vendor = hex("vendor"), let product = hex("product"),
            let version = hex("version"), let name = line("name"), let types = bits("ev"),
            let keys = bits("key"), let relative = bits("rel"), let absolute = bits("abs")
        else { return nil }
        identity = DeviceIdentity(
            name: name.nonEmpty, bus: bus, vendor: vendor, product: product, version: version,
            phys: line("phys")?.nonEmpty, uniq: line("uniq")?.nonEmpty)
        interface = .keyboard(
            KeyCapabilities(
                movesPointer: types[EV_REL] && relative[0] || types[EV_ABS] && absolute[0]
            ) { types[EV_KEY] && keys[Int32($0.rawValue)] })
    }

    /// Reads the facts about a HID node's device; nil unless its report descriptor describes a barcode scanner.
    ///
    /// Format: `hid_uevent`, `report_descriptor` (drivers/hid/hid-core.c).
    private init?(hid folder: DeviceFolder) {
        guard let descriptor = try? SmallFile.read(folder.path + "report_descriptor", limit: 4096),
            let layout = HIDPOSLayout(descriptor: descriptor)
        else { return nil }
        let facts = folder.properties("uevent")
        let numbers = (facts["HID_ID"] ?? "").split(separator: ":").map { UInt32($0, radix: 16) }
        func number(_ index: Int) -> UInt16 {
            UInt16(truncatingIfNeeded: numbers.indices.contains(index) ? numbers[index] ?? 0 : 0)
        }
        identity = DeviceIdentity(
            name: facts["HID_NAME"]?.nonEmpty, bus: number(0), vendor: number(1),
            product: number(2), phys: facts["HID_PHYS"]?.nonEmpty,
            uniq: facts["HID_UNIQ"]?.nonEmpty)
        interface = .hidPOS(layout)
    }

    /// Reads the attributes of the USB device, if any, to which a port belongs.
    private init(port folder: DeviceFolder) {
        interface = .serial
        guard let device = folder.ancestor(with: "idVendor") else {
            identity = DeviceIdentity()
            return
        }
        func hex(_ name: String) -> UInt16 {
            device.line(name).flatMap { UInt16($0, radix: 16) } ?? 0
        }
        let names = [device.line("manufacturer"), device.line("product")].compactMap(\.self)
        identity = DeviceIdentity(
            name: names.joined(separator: " ").nonEmpty, bus: 3, vendor: hex("idVendor"),
            product: hex("idProduct"), version: hex("bcdDevice"),
            phys: "usb-" + (device.path.split(separator: "/").last ?? ""),
            uniq: device.line("serial")?.nonEmpty)
    }
}

/// The folder of a device in sysfs; its path ends in a slash.
private struct DeviceFolder {
    let path: String

    /// Returns the content of a one-line file, without the line ending; nil if the file cannot be read.
    func line(_ name: String) -> String? {
        KernelFile.read(path + name).map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
    }

    /// Returns the values in a file's `NAME=VALUE` lines, keyed by name; empty if the file cannot be read.
    func properties(_ name: String) -> [String: String] {
        let lines = (KernelFile.read(path + name) ?? "").split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            guard let equals = line.firstIndex(of: "=") else { return nil }
            return (String(line[..<equals]), String(line[line.index(after: equals)...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns this folder or its nearest ancestor with a readable file `name`, or nil.
    func ancestor(with name: String) -> DeviceFolder? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var parts = String(cString: resolved).split(separator: "/")
        while !parts.isEmpty {
            let folder = DeviceFolder(path: "/" + parts.joined(separator: "/") + "/")
            if access(folder.path + name, R_OK) == 0 { return folder }
            parts.removeLast()
        }
        return nil
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}

/// udev's database: a folder with a small file for each device.
///
/// Format: systemd's `device_update_db` (sd-device). A device's file is named `c` + major + `:` + minor, and has a line
/// `E:NAME=VALUE` for each property.
package enum UdevDatabase {
    /// The property that a udev rule sets to 1 to mark a device as a scanner.
    package static let mark = "KEYWEDGE_SCANNER"

    static func isMarked(_ number: dev_t, in folder: String) -> Bool {
        let path = "\(folder)/c\(clibevdev_major(number)):\(clibevdev_minor(number))"
        return hasMark(KernelFile.read(path) ?? "")
    }

    static func hasMark(_ entry: String) -> Bool {
        entry.split(separator: "\n").contains { $0 == "E:\(mark)=1" }
    }
}

enum KernelFile {
    static func read(_ path: String) -> String? {
        (try? SmallFile.read(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

/// A bit set in the kernel's notation: hexadecimal words, the most significant one first.
private struct KernelBits {
    private let words: [UInt]

    init?(_ text: String) {
        let words = text.split(separator: " ").map { UInt($0, radix: 16) }
        guard !words.isEmpty, !words.contains(nil) else { return nil }
        self.words = words.reversed().compactMap(\.self)
    }

    subscript(bit: Int32) -> Bool {
        let (word, place) = Int(bit).quotientAndRemainder(dividingBy: UInt.bitWidth)
        return words.indices.contains(word) && words[word] >> UInt(place) & 1 == 1
    }
}

package struct KeyCapabilities: Hashable, Sendable {
    /// Whether the device has all ten digit keys, either in the main block or on the keypad.
    package var hasDigits: Bool
    package var hasEnter: Bool
    package var movesPointer: Bool

    package init(hasDigits: Bool, hasEnter: Bool, movesPointer: Bool = false) {
        self.hasDigits = hasDigits
        self.hasEnter = hasEnter
        self.movesPointer = movesPointer
    }

    package init(movesPointer: Bool, hasKey: (KeyCode) -> Bool) {
        func has(_ code: UInt16) -> Bool { hasKey(KeyCode(rawValue: code)) }
        let keypad: [UInt16] = [0x47, 0x48, 0x49, 0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x51, 0x52]
        hasDigits = (0x02...0x0B).allSatisfy(has) || keypad.allSatisfy(has)
        hasEnter = has(0x1C) || has(0x60)
        self.movesPointer = movesPointer
    }

    /// Whether the device can type a number and Enter, as every keyboard scanner can.
    package var canTypeAScan: Bool { hasDigits && hasEnter }
}
