/// Where events go.
package enum SinkConfiguration: Equatable, Sendable {
    /// How an event is written.
    package enum Format: String, CaseIterable, Sendable {
        /// One CloudEvents JSON object per line.
        case json
        /// The code alone, one per line.
        case text
        /// Tab-separated columns.
        case tsv
        /// Aligned columns for people.
        case pretty
    }

    /// Standard output; without a format, `pretty` on a terminal and else `json`; at once, or once
    /// an event is in the journal.
    case stdout(format: Format?, isAfterJournal: Bool = false)
    /// An MQTT broker.
    case mqtt(MQTTConfiguration)
    /// A web server.
    case webhook(WebhookConfiguration)
    /// A command.
    case exec(ExecConfiguration)
    case keyboard(KeyboardConfiguration)

    /// Whether the sink reads the journal.
    package var readsJournal: Bool {
        switch self {
        case .stdout(_, let isAfterJournal): isAfterJournal
        case .mqtt, .webhook, .exec: true
        case .keyboard: false
        }
    }

    /// What is common to sinks with a cursor of their own; nil for the others.
    package var durable: DurableSinkConfiguration? {
        switch self {
        case .stdout, .keyboard: nil
        case .mqtt(let mqtt): mqtt.durable
        case .webhook(let webhook): webhook.durable
        case .exec(let exec): exec.durable
        }
    }

    /// The name of a sink with a cursor of its own: the one it is given, or else its kind.
    package var durableName: String? {
        switch self {
        case .stdout, .keyboard: nil
        case .mqtt(let mqtt): mqtt.durable.name ?? "mqtt"
        case .webhook(let webhook): webhook.durable.name ?? "webhook"
        case .exec(let exec): exec.durable.name ?? "exec"
        }
    }
}
