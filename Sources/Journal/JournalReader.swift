/// Who has a cursor in the journal.
package enum JournalReader: Hashable, Sendable {
    /// A durable sink, by the name the configuration gives it.
    case sink(String)
    /// A consumer, by the name it gives itself.
    case consumer(String)

    /// The kind, as the journal's file has it.
    var kind: String {
        switch self {
        case .sink: "sink"
        case .consumer: "consumer"
        }
    }

    /// The name.
    package var name: String {
        switch self {
        case .sink(let name), .consumer(let name): name
        }
    }

    init?(kind: String, name: String) {
        switch kind {
        case "sink": self = .sink(name)
        case "consumer": self = .consumer(name)
        default: return nil
        }
    }
}
