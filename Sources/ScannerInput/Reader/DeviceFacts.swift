internal import CLibevdev
internal import Glibc
package import Keystrokes

/// The facts that decide whether a device is a scanner.
package struct DeviceFacts: Hashable, Sendable {
    /// The node, for instance `/dev/input/event3`.
    package var node: String
    package var identity: DeviceIdentity
    package var keys: KeyCapabilities
    /// Whether a udev rule marked it as a scanner (property ``UdevDatabase/mark``).
    package var isMarked: Bool
    /// Which of the configured paths lead to this node.
    package var paths: Set<String>

    package init(
        node: String, identity: DeviceIdentity, keys: KeyCapabilities, isMarked: Bool = false,
        paths: Set<String> = []
    ) {
        self.node = node
        self.identity = identity
        self.keys = keys
        self.isMarked = isMarked
        self.paths = paths
    }

    /// The facts as they are now: mark and links of a device may change while it is attached.
    init(
        of identity: DeviceIdentity, _ keys: KeyCapabilities, number: dev_t, at path: String,
        rules: SelectionRules, places: DevicePlaces, devices: some InputDevices
    ) {
        self.init(
            node: path, identity: identity, keys: keys,
            isMarked: UdevDatabase(folder: places.udevData).isMarked(number),
            paths: Set(rules.paths.filter { devices.number(at: $0) == number }))
    }
}

/// A device as sysfs describes it, without opening its node.
///
/// The kernel may take 50 ms to open a node that no other process has open (`usbhid_open`), and
/// half of that to close one (`evdev_release`).
///
/// Format: `input_dev_attrs`, `input_dev_id_attrs`, `input_dev_caps_attrs` (drivers/input/input.c).
struct DescribedDevice: Hashable {
    let identity: DeviceIdentity
    let keys: KeyCapabilities

    /// Reads the attributes of a device; nil if any of them is missing.
    init?(number: dev_t, sysfs: String) {
        let major = clibevdev_major(number)
        let minor = clibevdev_minor(number)
        let device = "\(sysfs)/dev/char/\(major):\(minor)/device/"
        func line(_ name: String) -> String? {
            KernelFile.read(device + name).map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
        }
        func hex(_ name: String) -> UInt16? { line("id/" + name).flatMap { UInt16($0, radix: 16) } }
        func bits(_ name: String) -> KernelBits? {
            line("capabilities/" + name).flatMap(KernelBits.init)
        }
        guard let bus = hex("bustype"), let vendor = hex("vendor"), let product = hex("product"),
            let version = hex("version"), let name = line("name"), let types = bits("ev"),
            let keys = bits("key"), let relative = bits("rel"), let absolute = bits("abs")
        else { return nil }
        func text(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }
        identity = DeviceIdentity(
            name: text(name), bus: bus, vendor: vendor, product: product, version: version,
            phys: text(line("phys")), uniq: text(line("uniq")))
        self.keys = KeyCapabilities(
            movesPointer: types[EV_REL] && relative[0] || types[EV_ABS] && absolute[0]
        ) { types[EV_KEY] && keys[Int32($0.rawValue)] }
    }
}

/// A set of bits as the kernel prints it: words of a `long` in hexadecimal, the highest first.
private struct KernelBits {
    private let words: [UInt]

    /// Nil if the text is anything else.
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

/// The keys of a device that matter for a scanner.
package struct KeyCapabilities: Hashable, Sendable {
    /// Whether it has all ten digits, on the main keys or on the keypad.
    package var hasDigits: Bool
    /// Whether it has an Enter key, on the main keys or on the keypad.
    package var hasEnter: Bool
    package var movesPointer: Bool

    package init(hasDigits: Bool, hasEnter: Bool, movesPointer: Bool = false) {
        self.hasDigits = hasDigits
        self.hasEnter = hasEnter
        self.movesPointer = movesPointer
    }

    package init(movesPointer: Bool, hasKey: (KeyCode) -> Bool) {
        let digits: ClosedRange<UInt16> = 0x02...0x0B
        let keypad: [UInt16] = [0x47, 0x48, 0x49, 0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x51, 0x52]
        let enter: [UInt16] = [0x1C, 0x60]
        hasDigits =
            digits.allSatisfy { hasKey(KeyCode(rawValue: $0)) }
            || keypad.allSatisfy { hasKey(KeyCode(rawValue: $0)) }
        hasEnter = enter.contains { hasKey(KeyCode(rawValue: $0)) }
        self.movesPointer = movesPointer
    }

    /// Whether it can type a number and end it, as every keyboard scanner does.
    package var canTypeAScan: Bool { hasDigits && hasEnter }
}
