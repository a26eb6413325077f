import Sinks
import WireText

/// The state of a systemd unit.
package struct UnitState: Equatable, Sendable {
    /// The name of the daemon's unit.
    package static let daemon = "keywedge.service"

    /// The unit's properties by name; empty if systemd does not know the unit.
    private let properties: [String: String]

    /// Parses the output of `systemctl show`.
    package init(_ text: String) {
        properties = Dictionary(
            text.split(whereSeparator: \.isNewline).compactMap { line in
                guard let sign = line.firstIndex(of: "=") else { return nil }
                return (String(line[..<sign]), String(line[line.index(after: sign)...]))
            }, uniquingKeysWith: { $1.isEmpty ? $0 : "\($0) \($1)" })
    }

    /// Asks systemd for the state.
    ///
    /// - Returns: The state; nil if the box does not run systemd. In a chroot, systemctl succeeds and prints nothing.
    package static func asked(
        _ unit: String = daemon, _ programs: any ProgramRunner = SystemPrograms()
    ) async -> UnitState? {
        guard let shown = await programs.run(["systemctl", "show", "--no-pager", unit]),
            shown.code == 0
        else { return nil }
        let state = UnitState(shown.text)
        return state["LoadState"] == nil ? nil : state
    }

    /// A property; nil if it is empty or missing.
    subscript(name: String) -> String? {
        properties[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var isInstalled: Bool { self["LoadState"] == "loaded" }
    /// Whether an administrator has masked the unit, so that it cannot start.
    var isMasked: Bool { self["LoadState"] == "masked" }
    package var isRunning: Bool { self["ActiveState"] == "active" }
    /// Whether systemd listens at the unit's sockets.
    package var isListening: Bool { isRunning && self["Listen"] != nil }
    /// The process ID of the daemon; nil if it is not running.
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

/// Runs system programs and reads their output.
package protocol ProgramRunner: Sendable {
    /// Runs a program, the first of `words`, with the others as its arguments.
    ///
    /// Returns nil if there is no such program, or if it does not end in time.
    func run(_ words: [String]) async -> ProgramOutput?
}

/// A program's output and exit code.
package struct ProgramOutput: Equatable, Sendable {
    /// Its exit code; 128 and the signal's number if a signal ended it.
    package var code: Int32
    /// The text from standard output.
    package var text: String

    package init(code: Int32 = 0, text: String = "") {
        self.code = code
        self.text = text
    }
}

/// Runs programs of this box, each for at most `limit`; their standard error is ignored.
package struct SystemPrograms: ProgramRunner {
    private let limit: Duration

    package init(limit: Duration = .seconds(10)) {
        self.limit = limit
    }

    package func run(_ words: [String]) async -> ProgramOutput? {
        let run = try? await RunningCommand.run(words, readsErrors: false, limit: limit)
        guard let run else { return nil }
        let text = String(decoding: run.output, as: UTF8.self)
        return switch run.ending {
        case .exited(let code): ProgramOutput(code: code, text: text)
        case .signalled(let number): ProgramOutput(code: 128 + number, text: text)
        case .overtime: nil
        }
    }
}
