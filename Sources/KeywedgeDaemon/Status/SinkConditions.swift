package import EventService
package import KeywedgeConfiguration
import Sinks
import Synchronization

/// What the sinks of a daemon have said of themselves.
package final class SinkConditions: Sendable {
    private let statuses: Mutex<[SinkStatus]>

    /// Makes conditions; nothing was said yet.
    ///
    /// - Parameter configuration: The sinks.
    package init(of configuration: Configuration) {
        statuses = Mutex(Self.statuses(of: configuration))
    }

    private static func statuses(of configuration: Configuration) -> [SinkStatus] {
        configuration.events.compactMap { sink in
            switch sink {
            case .stdout: nil
            case .keyboard: SinkStatus(name: "keyboard", isDurable: false)
            case .mqtt, .webhook, .exec:
                sink.durableName.map { SinkStatus(name: $0, isDurable: true) }
            }
        }
    }

    /// Goes on with the sinks of another configuration.
    ///
    /// - Parameters:
    ///   - configuration: The sinks.
    ///   - kept: The names of those that run on, and have said what they have said.
    func follow(_ configuration: Configuration, keeping kept: Set<String>) {
        statuses.withLock { statuses in
            let former = statuses
            statuses = Self.statuses(of: configuration).map { new in
                former.first { $0.name == new.name && kept.contains(new.name) } ?? new
            }
        }
    }

    /// How the sinks are doing, in their order.
    package var current: [SinkStatus] { statuses.withLock { $0 } }

    /// Takes note of what a sink says.
    ///
    /// - Parameters:
    ///   - notice: What it says.
    ///   - name: The sink's name.
    func note(_ notice: SinkStatusReporter.Notice, of name: String) {
        let now = SystemClock().now
        statuses.withLock { statuses in
            guard let index = statuses.firstIndex(where: { $0.name == name }) else { return }
            switch notice {
            case .trouble(let text):
                let failure = SinkStatus.Failure(message: text, time: now)
                statuses[index].trouble = failure
                statuses[index].lastError = failure
            case .warning(let text):
                statuses[index].lastError = SinkStatus.Failure(message: text, time: now)
            case .well: statuses[index].trouble = nil
            }
        }
    }
}
