internal import CLibevdev
internal import Glibc
package import Keystrokes

/// What a device is for as long as it is attached.
struct KnownDevice: Hashable {
    /// The number of its node (`st_rdev`).
    let number: dev_t
    /// What it says of itself.
    let identity: DeviceIdentity
    /// Which keys it has.
    let keys: KeyCapabilities

    /// What an open node shows.
    init(of node: InputNode) {
        number = node.number
        identity = node.identity
        keys = node.keys
    }

    /// What sysfs shows, without opening the node; nil where sysfs does not show all of it.
    ///
    /// The kernel may take 50 ms to open a node that nobody else has open (`usbhid_open`), and half as
    /// long to close one (`evdev_release`); so long nobody would read the scanners.
    ///
    /// Format: `input_dev_attrs`, `input_dev_id_attrs` and `input_dev_caps_attrs` in drivers/input/input.c.
    ///
    /// - Parameters:
    ///   - number: The number of the node.
    ///   - sysfs: Where sysfs is.
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
        self.number = number
        identity = DeviceIdentity(
            name: text(name), bus: bus, vendor: vendor, product: product, version: version,
            phys: text(line("phys")), uniq: text(line("uniq")))
        self.keys = KeyCapabilities(
            movesPointer: types[EV_REL] && relative[0] || types[EV_ABS] && absolute[0]
        ) { types[EV_KEY] && keys[Int32($0.rawValue)] }
    }
}

/// A set of bits as the kernel prints it: words of a `long` in hexadecimal, the highest first.
struct KernelBits {
    private let words: [UInt]

    /// Reads what the kernel printed; nil where it is something else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map { UInt($0, radix: 16) }
        guard !words.isEmpty, !words.contains(nil) else { return nil }
        self.words = words.reversed().compactMap(\.self)
    }

    /// Whether a bit is set.
    subscript(bit: Int32) -> Bool {
        let (word, place) = Int(bit).quotientAndRemainder(dividingBy: UInt.bitWidth)
        return words.indices.contains(word) && words[word] >> UInt(place) & 1 == 1
    }
}

/// Which keys a device has, as far as it matters for a scanner.
package struct KeyCapabilities: Hashable, Sendable {
    /// Whether it has all ten digits, on the main keys or on the keypad.
    package var hasDigits: Bool
    /// Whether it has an Enter key, on the main keys or on the keypad.
    package var hasEnter: Bool
    /// Whether it moves a pointer.
    package var movesPointer: Bool

    /// Makes capabilities.
    ///
    /// - Parameters:
    ///   - hasDigits: Whether it has all ten digits.
    ///   - hasEnter: Whether it has an Enter key.
    ///   - movesPointer: Whether it moves a pointer.
    package init(hasDigits: Bool, hasEnter: Bool, movesPointer: Bool = false) {
        self.hasDigits = hasDigits
        self.hasEnter = hasEnter
        self.movesPointer = movesPointer
    }

    /// Finds out what a device has.
    ///
    /// - Parameters:
    ///   - movesPointer: Whether it moves a pointer.
    ///   - hasKey: Whether the device has a key.
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

/// All that a recording says of a device before its events: who it is and what it can send.
package struct DeviceDescription: Hashable, Sendable {
    /// What the device says of itself.
    package var identity: DeviceIdentity
    /// The input properties it has (`INPUT_PROP_*`), ascending.
    package var properties: [UInt16]
    /// The codes it can send, ascending, by event type (`EV_*`).
    package var codes: [UInt16: [UInt16]]

    package init(
        identity: DeviceIdentity, properties: [UInt16] = [], codes: [UInt16: [UInt16]] = [:]
    ) {
        self.identity = identity
        self.properties = properties
        self.codes = codes
    }
}
