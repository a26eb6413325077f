import WireText

/// What systemd says of the daemon's unit.
package struct UnitState: Equatable, Sendable {
    /// Its properties by name; empty where systemd says nothing of it.
    private let properties: [String: String]

    /// Reads what `systemctl show` prints.
    ///
    /// - Parameter text: A line `Name=value` for each property.
    package init(_ text: String) {
        properties = Dictionary(
            text.split(whereSeparator: \.isNewline).compactMap { line in
                guard let sign = line.firstIndex(of: "=") else { return nil }
                return (String(line[..<sign]), String(line[line.index(after: sign)...]))
            }, uniquingKeysWith: { $1.isEmpty ? $0 : "\($0) \($1)" })
    }

    /// Asks systemd.
    ///
    /// - Parameters:
    ///   - programs: Runs `systemctl`.
    ///   - unit: The unit.
    /// - Returns: Its state; nil where no systemd runs the box.
    package static func asked(
        _ programs: any ProgramRunner, _ unit: String = UnitNetwork.unit
    ) async -> UnitState? {
        guard let shown = await programs.run(["systemctl", "show", "--no-pager", unit]),
            shown.code == 0
        else { return nil }
        return UnitState(shown.text)
    }

    /// A property; nil where it is empty, or none of the unit's.
    subscript(name: String) -> String? {
        properties[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var isInstalled: Bool { self["LoadState"] == "loaded" }
    /// Whether somebody has made the unit one that cannot be started.
    var isMasked: Bool { self["LoadState"] == "masked" }
    package var isRunning: Bool { self["ActiveState"] == "active" }
    /// Whether systemd waits at the unit's sockets for somebody to connect.
    package var isListening: Bool { isRunning && self["Listen"] != nil }
    /// The daemon's process; nil where it does not run.
    package var process: Int32? {
        self["MainPID"].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    /// The user that the daemon runs as.
    package var user: String { self["User"] ?? (isInstalled ? "root" : "keywedge") }

    /// The program that the unit starts.
    var program: String? {
        self["ExecStart"].flatMap { text in
            text.split(separator: " ").first { $0.hasPrefix("path=") }.map {
                String($0.dropFirst("path=".count))
            }
        }
    }
}
