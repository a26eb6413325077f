package struct UnitState: Equatable, Sendable {
    package static let daemon = "keywedge.service"
    private let properties: [String: String]

    /// Parses the output of `systemctl show`.
    package init(_ text: String) {
        properties = Dictionary(
            text.split(whereSeparator: \.isNewline).compactMap { line in
                guard let sign = line.firstIndex(of: "=") else { return nil }
                return (String(line[..<sign]), String(line[line.index(after: sign)...]))
            }, uniquingKeysWith: { $1.isEmpty ? $0 : "\($0) \($1)" })
    }

    /// Reads a unit's state from systemd; nil if systemd does not answer.
    package static func asked(
        _ unit: String = daemon, _ output: Programs = Box.output
    ) async -> UnitState? {
        let shown = await output(["systemctl", "show", "--no-pager", unit])
        return shown.map { UnitState($0) }.flatMap { $0["LoadState"] == nil ? nil : $0 }
    }

    /// The value of a property; nil if it is empty or missing.
    subscript(name: String) -> String? {
        properties[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var isInstalled: Bool { self["LoadState"] == "loaded" }
    var isMasked: Bool { self["LoadState"] == "masked" }
    package var isRunning: Bool { self["ActiveState"] == "active" }
    /// Whether the unit is a socket unit and systemd listens on its sockets.
    package var isListening: Bool { isRunning && self["Listen"] != nil }
    package var process: Int32? {
        self["MainPID"].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    package var user: String { self["User"] ?? (isInstalled ? "root" : "keywedge") }

    var program: String? {
        self["ExecStart"]?.firstMatch(of: /path=([^ ]+)/).map { String($0.1) }
    }
}
