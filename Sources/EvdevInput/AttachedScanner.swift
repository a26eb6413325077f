package import Keystrokes

/// A scanner as the reader knows it: its name, and the device that is it now.
package struct AttachedScanner: Hashable, Sendable {
    /// The configured name, or one made of the device's numbers and its port.
    package var name: String
    /// Its position among the configured scanners; nil where none is configured.
    package var index: Int?
    /// What the device says of itself.
    package var identity: DeviceIdentity

    package init(name: String, index: Int? = nil, identity: DeviceIdentity) {
        self.name = name
        self.index = index
        self.identity = identity
    }

    /// The scanner a rule makes of a device.
    ///
    /// - Parameters:
    ///   - rule: The rule that takes it.
    ///   - identity: What the device says of itself.
    init(rule: SelectionVerdict.Rule, identity: DeviceIdentity) {
        switch rule {
        case .configured(let index, let name):
            self.init(name: name, index: index, identity: identity)
        case .marked, .knownMaker:
            self.init(name: identity.automaticName, identity: identity)
        }
    }
}

extension AttachedScanner {
    /// Whether there is room for one of the two only.
    func isSamePlace(as other: AttachedScanner) -> Bool {
        index == other.index && name == other.name
    }
}

extension DeviceIdentity {
    /// A name that stays the same for the same device at the same port, of `a-z 0-9 -` alone.
    package var automaticName: String {
        let numbers = [vendor, product].map(\.fourHexDigits)
        let place = (uniq ?? physOfWholeDevice ?? "").lowercased().unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        return (numbers + (place.isEmpty ? [] : [String(place)])).joined(separator: "-")
    }

    /// Whether another node belongs to the same piece of hardware.
    ///
    /// Nodes of one device share numbers, serial number and port, and differ in name and interface.
    /// Without a port nothing says that two nodes are one device.
    ///
    /// - Parameter other: What the other node says of itself.
    /// - Returns: Whether they are one device.
    package func isSameHardware(as other: DeviceIdentity) -> Bool {
        hardware != nil && hardware == other.hardware
    }

    /// What all nodes of this piece of hardware have in common; nil where the port is unknown.
    package var hardware: DeviceIdentity? {
        guard let physOfWholeDevice else { return nil }
        return DeviceIdentity(
            bus: bus, vendor: vendor, product: product, phys: physOfWholeDevice, uniq: uniq)
    }
}
