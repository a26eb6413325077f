package import Keystrokes

/// Decides which devices are a configured scanner: every given field must match.
package struct DeviceMatch: Hashable, Sendable {
    /// The vendor's number on its bus.
    package var vendor: UInt16?
    /// The vendor's number for the product.
    package var product: UInt16?
    /// A pattern for the name.
    package var name: Glob?
    /// The node or a link to it, for instance `/dev/input/by-id/usb-…-event-kbd`.
    package var path: String?
    /// Where it is plugged in, with or without the `/input0` at the end.
    package var phys: String?
    /// The serial number or Bluetooth address.
    package var uniq: String?

    /// With nothing given, it matches no device.
    package init(
        vendor: UInt16? = nil, product: UInt16? = nil, name: Glob? = nil, path: String? = nil,
        phys: String? = nil, uniq: String? = nil
    ) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.path = path
        self.phys = phys
        self.uniq = uniq
    }

    /// Whether nothing is given.
    package var isEmpty: Bool { self == DeviceMatch() }

    /// Whether a device matches every given field, and at least one is given; the closure says
    /// whether a path leads to the device's node.
    package func matches(
        _ identity: DeviceIdentity, resolvesToDevice: (_ path: String) -> Bool
    ) -> Bool {
        guard !isEmpty else { return false }
        return holds(vendor) { $0 == identity.vendor }
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
    /// Where the whole device is plugged in: `phys` without the `/inputN` of the single node.
    ///
    /// The kernel's HID drivers append it for each interface (`usbhid_probe`, `uhid`).
    var physOfWholeDevice: String? {
        guard let phys, let slash = phys.lastIndex(of: "/") else { return phys }
        let end = phys[phys.index(after: slash)...]
        guard end.hasPrefix("input"), end.dropFirst(5).allSatisfy(\.isNumber) else { return phys }
        return String(phys[..<slash])
    }
}

/// A pattern for names: `*` stands for any characters, `?` for one, everything else for itself.
package struct Glob: Hashable, Sendable {
    package let pattern: String
    private let parts: [Unicode.Scalar]

    /// Without `*` and `?`, a pattern matches only itself.
    package init(_ pattern: String) {
        self.pattern = pattern
        parts = Array(pattern.unicodeScalars)
    }

    /// Whether the whole of a text matches; upper and lower case differ.
    ///
    /// The time is at most proportional to the product of the two lengths, whatever the pattern,
    /// since names come from devices.
    package func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var (at, inPattern) = (0, 0)
        var star: (inPattern: Int, at: Int)?
        while at < text.count {
            if inPattern < parts.count, parts[inPattern] == "*" {
                star = (inPattern, at)
                inPattern += 1
            } else if inPattern < parts.count, stands(parts[inPattern], for: text[at]) {
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

    private func stands(_ part: Unicode.Scalar, for scalar: Unicode.Scalar) -> Bool {
        part == "?" || part == scalar
    }
}
