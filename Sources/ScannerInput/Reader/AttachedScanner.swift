package import Keystrokes

package struct AttachedScanner: Hashable, Sendable {
    /// The scanner's name in events; unique among the attached scanners.
    package var name: String
    /// The name of the configured scanner that the device matches; nil if it matches none.
    package var configuredName: String?
    package var identity: DeviceIdentity
    package var interface: ScannerInterface.Kind

    package init(
        name: String, configuredName: String? = nil, identity: DeviceIdentity,
        interface: ScannerInterface.Kind = .keyboard
    ) {
        self.name = name
        self.configuredName = configuredName
        self.identity = identity
        self.interface = interface
    }

    /// Finds the attached scanner that a node belongs to, or creates a new scanner with an unused name.
    ///
    /// Nodes with the same hardware and interface belong to the same scanner. If a second device matches the same
    /// configured scanner, it becomes a separate scanner with an automatic name.
    init(
        rule: SelectionVerdict.Rule, _ device: DescribedDevice, besides attached: [AttachedScanner]
    ) {
        let (identity, interface) = (device.identity, device.interface.kind)
        let configured: String? = if case .configured(let name) = rule { name } else { nil }
        let same = attached.first {
            $0.configuredName == configured && $0.interface == interface
                && $0.identity.isSameHardware(as: identity)
        }
        if let same {
            self = same
            return
        }
        let used = Set(attached.map(\.name))
        let automatic = identity.automaticName
        var name = configured.flatMap { used.contains($0) ? nil : $0 } ?? automatic
        var number = 2
        while used.contains(name) {
            name = "\(automatic)-\(number)"
            number += 1
        }
        self.init(
            name: name, configuredName: configured, identity: identity, interface: interface)
    }
}

extension DeviceIdentity {
    /// A stable name made of a device's USB IDs, serial number and port, in the characters `a-z`, `0-9` and `-`.
    ///
    /// The port is included because all devices of a cheap model may have the same serial number.
    package var automaticName: String {
        let parts = [vendor.fourHexDigits, product.fourHexDigits, uniq, physOfWholeDevice]
        return parts.compactMap { part in
            guard let part, !part.isEmpty else { return nil }
            return String(
                part.lowercased().unicodeScalars.map { scalar in
                    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                        ? Character(scalar) : "-"
                })
        }.joined(separator: "-")
    }

    /// Whether a name looks like an ``automaticName``, with or without a number after it.
    package static func isAutomatic(_ name: String) -> Bool {
        name.wholeMatch(of: /[0-9a-f]{4}-[0-9a-f]{4}(-[a-z0-9-]+)?/) != nil
    }

    /// Whether `other` has the same USB IDs, serial number and port; false if the port is unknown.
    package func isSameHardware(as other: DeviceIdentity) -> Bool {
        hardware != nil && hardware == other.hardware
    }

    /// The part of the identity that all nodes of one device share; nil if the port is unknown.
    package var hardware: DeviceIdentity? {
        guard let physOfWholeDevice else { return nil }
        return DeviceIdentity(
            bus: bus, vendor: vendor, product: product, phys: physOfWholeDevice, uniq: uniq)
    }
}
