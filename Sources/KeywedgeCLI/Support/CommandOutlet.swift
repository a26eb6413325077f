import Sinks
import WebAPI
import WireText

/// Gives each event to a command on its standard input, again and again until the command accepts it.
///
/// After a cancellation no command is started, and an event that a command accepted counts.
struct CommandOutlet: ListenOutlet {
    let isSlow = true
    private let outlet: ExecOutlet

    /// `command` is the command and its arguments.
    init(command: [String]) {
        outlet = ExecOutlet(ExecSettings(command: command)) { line in
            StandardError.write("keywedge: \(line)")
        }
    }

    func take(_ line: [UInt8]) async throws {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        while true {
            try Task.checkCancellation()
            switch try await outlet.run(line) {
            case .settled(.taken): return
            case .settled(.refused(let reason)):
                StandardError.write("keywedge: an event is skipped: \(reason)")
                return
            case .later(let reason, _):
                try Task.checkCancellation()
                let pause = backoff.next()
                StandardError.write(
                    "keywedge: \(reason); the event is given again in \(pause.text)")
                try await Task.sleep(for: pause)
            }
        }
    }
}
