import Logging
import Sinks

extension SinkStatusReporter {
    /// A reporter that speaks in the log, and keeps what it said for whoever asks.
    ///
    /// - Parameters:
    ///   - name: The sink's name.
    ///   - conditions: What the sinks have said.
    ///   - log: The log.
    convenience init(_ name: String, _ conditions: SinkConditions, log: Logger) {
        self.init { notice in
            conditions.note(notice, of: name)
            switch notice {
            case .trouble(let text): log.warning("sink \(name): \(text)")
            case .warning(let text): log.warning("sink \(name): \(text)")
            case .well: log.notice("sink \(name): events go out again")
            }
        }
    }
}
