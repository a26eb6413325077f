import Sinks
import WireText

/// Gives each event to a command on its standard input, until the command takes it.
struct CommandOutlet: ListenOutlet {
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(30)

    let isSlow = true
    private let outlet: ExecOutlet

    /// Makes an outlet.
    ///
    /// - Parameter command: The command and its arguments.
    init(command: [String]) {
        outlet = ExecOutlet(ExecSettings(command: command)) { line in
            StandardError.write("keywedge: \(line)")
        }
    }

    func take(_ line: [UInt8]) async throws {
        var pause = Self.firstPause
        while true {
            let ending = try await outlet.run(line)
            try Task.checkCancellation()
            switch ending.verdict {
            case .taken: return
            case .refused(let reason):
                StandardError.write("keywedge: an event is passed over: \(reason)")
                return
            case nil:
                StandardError.write(
                    "keywedge: \(ending.text); the event is given again in \(pause.text)")
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
