internal import CLibevdev
internal import Glibc

/// The names of event nodes and what they lead to.
enum EventNodes {
    /// The number in the name of an event node, or nil where it is none: 3 for `event3`.
    static func number(in name: String) -> Int? {
        guard name.hasPrefix("event") else { return nil }
        let digits = name.dropFirst(5)
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int(digits)
    }

    /// The event nodes in a folder, in the order of their numbers.
    static func all(in folder: String) -> [String] {
        (KernelFile.names(in: folder) ?? [])
            .compactMap { name in number(in: name).map { (number: $0, name: name) } }
            .sorted { $0.number < $1.number }
            .map { "\(folder)/\($0.name)" }
    }

    /// The device a path leads to, or nil where it leads to none.
    static func device(at path: String) -> dev_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return status.st_rdev
    }
}

extension DeviceFacts {
    /// What an open node shows.
    init(of node: InputNode, rules: SelectionRules, places: DevicePlaces) {
        self.init(of: KnownDevice(of: node), at: node.path, rules: rules, places: places)
    }

    /// What is known of a device, and what may have changed since: its mark, and the links to it.
    init(of device: KnownDevice, at path: String, rules: SelectionRules, places: DevicePlaces) {
        self.init(
            node: path, identity: device.identity, keys: device.keys,
            isMarked: UdevDatabase(folder: places.udevData).isMarked(device.number),
            paths: Set(rules.paths.filter { EventNodes.device(at: $0) == device.number }))
    }
}
