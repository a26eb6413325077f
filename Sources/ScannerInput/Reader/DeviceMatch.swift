package import Keystrokes

/// The criteria for a configured scanner: a device must match every field that is not nil.
package struct DeviceMatch: Hashable, Sendable {
    package var vendor: UInt16?
    package var product: UInt16?
    package var name: Glob?
    /// The device's node or a link to it, for instance `/dev/input/by-id/usb-…-event-kbd`.
    package var path: String?
    /// The port that the device is plugged into, with or without `/input0` at the end.
    package var phys: String?
    /// The device's serial number or Bluetooth address.
    package var uniq: String?
    /// The node of a serial port or a link to it, for instance `/dev/serial/by-id/usb-…`.
    package var serial: String?
    package var interface: ScannerInterface.Kind?

    package init(
        vendor: UInt16? = nil, product: UInt16? = nil, name: Glob? = nil, path: String? = nil,
        phys: String? = nil, uniq: String? = nil, serial: String? = nil,
        interface: ScannerInterface.Kind? = nil
    ) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.path = path
        self.phys = phys
        self.uniq = uniq
        self.serial = serial
        self.interface = interface
    }

    package var isEmpty: Bool { self == DeviceMatch() }

    /// Whether the criteria ask for a serial port; others match no port, because any device may be attached to it.
    package var isForPorts: Bool { serial != nil || interface == .serial }

    /// Whether a device matches every field that is not nil; false if all are nil.
    package func matches(
        _ identity: DeviceIdentity, _ kind: ScannerInterface.Kind = .keyboard,
        resolvesToDevice: (_ path: String) -> Bool
    ) -> Bool {
        guard !isEmpty, kind != .serial || isForPorts else { return false }
        return holds(interface) { $0 == kind }
            && holds(serial) { kind == .serial && resolvesToDevice($0) }
            && holds(vendor) { $0 == identity.vendor }
            && holds(product) { $0 == identity.product }
            && holds(name) { $0.matches(identity.name ?? "") }
            && holds(uniq) { $0 == identity.uniq }
            && holds(phys) { $0 == identity.phys || $0 == identity.physOfWholeDevice }
            && holds(path, resolvesToDevice)
    }

    private func holds<Value>(_ value: Value?, _ test: (Value) -> Bool) -> Bool {
        value.map(test) ?? true
    }
}

extension DeviceIdentity {
    /// The port of the entire device: `phys` without the `/inputN` that the kernel's HID drivers append for each
    /// interface (`usbhid_probe`, `uhid`).
    var physOfWholeDevice: String? {
        guard let phys, let slash = phys.lastIndex(of: "/") else { return phys }
        let end = phys[phys.index(after: slash)...]
        guard end.hasPrefix("input"), end.dropFirst(5).allSatisfy(\.isNumber) else { return phys }
        return String(phys[..<slash])
    }
}

/// A name pattern in which `*` matches any text, and `?` matches one character.
package struct Glob: Hashable, Sendable {
    package let pattern: String
    private let parts: [Unicode.Scalar]

    package init(_ pattern: String) {
        self.pattern = pattern
        parts = Array(pattern.unicodeScalars)
    }

    /// Whether the pattern matches the entire text; letter case matters.
    package func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var (at, inPattern) = (0, 0)
        var star: (inPattern: Int, at: Int)?
        while at < text.count {
            if inPattern < parts.count, parts[inPattern] == "*" {
                star = (inPattern, at)
                inPattern += 1
            } else if inPattern < parts.count, ["?", text[at]].contains(parts[inPattern]) {
                (at, inPattern) = (at + 1, inPattern + 1)
            } else if let last = star {
                star = (last.inPattern, last.at + 1)
                (at, inPattern) = (last.at + 1, last.inPattern + 1)
            } else {
                return false
            }
        }
        return parts[inPattern...].allSatisfy { $0 == "*" }
    }
}
