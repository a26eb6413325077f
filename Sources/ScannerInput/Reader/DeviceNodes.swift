enum DeviceNodes {
    enum Kind {
        case event, hidraw, other
    }

    static func kind(of path: String) -> Kind {
        let name = name(of: path)
        if number(in: name, after: "event") != nil { return .event }
        return number(in: name, after: "hidraw") != nil ? .hidraw : .other
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Returns the number after `start`, such as 3 in `event3`; nil if the name has another form.
    static func number(in name: String, after start: String) -> Int? {
        guard name.hasPrefix(start) else { return nil }
        let digits = name.dropFirst(start.count)
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int(digits)
    }

    /// Returns the paths of all nodes that may be scanners, followed by the configured ports.
    static func all(in places: DevicePlaces, for rules: SelectionRules) -> [String] {
        all(in: places.nodes, ["event"]) + all(in: places.devices, others(for: rules)) + rules.ports
    }

    /// Returns the name prefixes of the non-event nodes to search, such as `hidraw`.
    private static func others(for rules: SelectionRules) -> [String] {
        ["hidraw"] + (rules.searchesPorts ? ["ttyACM", "ttyUSB"] : [])
    }

    private static func all(in folder: String, _ starts: [String]) -> [String] {
        let names = KernelFile.names(in: folder)
        return starts.flatMap { start in
            names.compactMap { name in number(in: name, after: start).map { ($0, name) } }
                .sorted { $0.0 < $1.0 }
                .map { "\(folder)/\($0.1)" }
        }
    }

    /// Whether ``all(in:for:)`` would list this path if the node existed.
    static func include(_ path: String, in places: DevicePlaces, for rules: SelectionRules) -> Bool
    {
        if rules.ports.contains(path) { return true }
        let name = name(of: path)
        let starts = path == "\(places.nodes)/\(name)" ? ["event"] : others(for: rules)
        return starts.contains { number(in: name, after: $0) != nil }
    }
}
