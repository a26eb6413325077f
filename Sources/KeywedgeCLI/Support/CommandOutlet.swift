import EventService
import Events
import Sinks
import WebAPI
import WireText

/// Passes each event to a command on its standard input, and repeats this until the command accepts the event.
///
/// After a cancellation, it starts no further command; an event that a running command accepts still counts.
struct CommandOutlet: Sendable {
    private let outlet: ExecOutlet

    /// `command` contains the command's name and its arguments.
    init(command: [String]) {
        outlet = ExecOutlet(ExecSettings(command: command)) { line in
            StandardError.write("\(line)")
        }
    }

    func deliver(_ event: EventClient.Received) async throws {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        while true {
            try Task.checkCancellation()
            switch try await outlet.run(event.line) {
            case .settled(.taken): return
            case .settled(.refused(let reason)):
                let id = Event(line: event.line)?.id ?? ""
                StandardError.write(
                    "event \(event.cursor) (id \(id.quoted())) is refused for good: \(reason). It "
                        + "counts as accepted, and is not given again")
                return
            case .later(let reason, _):
                try Task.checkCancellation()
                let pause = backoff.next()
                StandardError.write(
                    "\(reason); the event is given again in \(pause.text)")
                try await Task.sleep(for: pause)
            }
        }
    }
}
