import Events
import Journal
import WireText

/// A message to a broker, sent with quality of service 1.
struct MQTTMessage: Equatable, Sendable {
    var topic: String
    var payload: [UInt8]
    var contentType: String?
    /// Whether the broker keeps it for clients that subscribe later.
    var isRetained = false
    /// How many seconds the broker keeps it for subscribers that are away.
    var expiry: UInt32?
}

/// The messages that a register sends: its events, whether it is online, and its entities for Home Assistant.
struct MQTTMessages: Sendable {
    /// How often the register repeats that it is online.
    static let presenceInterval = Duration.seconds(60)

    /// Nil without `presence`, as is ``offline``.
    let online: MQTTMessage?
    /// The last message of a connection; also the will, which the broker publishes if the connection breaks.
    let offline: MQTTMessage?
    let discovery: [MQTTMessage]
    private let topic: TopicTemplate
    private let expiry: [EventType: UInt32]

    init(_ settings: MQTTSettings, register: String, scanners: [String]) {
        topic = settings.topic
        expiry = settings.expiry.mapValues { UInt32(clamping: max(1, $0.components.seconds)) }
        let status = settings.presence?.topic.topic(register: register, scanner: "", type: "")
        func presence(_ word: String) -> MQTTMessage? {
            status.map {
                MQTTMessage(
                    topic: $0, payload: Array(word.utf8), contentType: "text/plain",
                    isRetained: settings.presence?.isRetained ?? false)
            }
        }
        online = presence("online")
        offline = presence("offline")
        let entities = Entities(topic: settings.topic, register: register, status: status)
        discovery =
            settings.discoveryPrefix.map { entities.messages(below: $0, scanners: scanners) } ?? []
    }

    func event(_ entry: JournalEntry) -> MQTTMessage {
        MQTTMessage(
            topic: topic.topic(of: entry), payload: entry.line,
            contentType: "application/cloudevents+json",
            expiry: expiry[entry.type])
    }
}

/// Describes scanners to Home Assistant as entities of its platform "MQTT event".
private struct Entities {
    let topic: TopicTemplate
    let register: String
    /// The topic of the register's presence.
    let status: String?

    /// One message for each scanner, or one for all if the topic does not tell scanners apart.
    func messages(below prefix: String, scanners: [String]) -> [MQTTMessage] {
        let isPerScanner = topic.contains(.scanner)
        return (isPerScanner ? scanners : [register]).map { name in
            let words = ["keywedge", register] + (isPerScanner ? [name] : [])
            let id = String(words.joined(separator: "-").map { $0 == "." ? "-" : $0 })
            return MQTTMessage(
                topic: "\(prefix)/event/\(id)/config",
                payload: Array(JSONWriter.text(of: .object(entity(id, name))).utf8),
                contentType: "application/json", isRetained: true)
        }
    }

    private func entity(_ id: String, _ name: String) -> JSONObject {
        let events = topic.topic(register: register, scanner: name, type: nil)
        var entity: JSONObject = [
            "name": .string(name), "unique_id": .string(id), "state_topic": .string(events),
            "event_types": .array(Self.types.map { .string($0) }),
            "value_template": .string(Self.template),
            "device": .object([
                "identifiers": .array([.string("keywedge-" + register)]),
                "name": .string("keywedge " + register),
            ]),
        ]
        if let status { entity.append("availability_topic", .string(status)) }
        return entity
    }

    private static let types = [
        "keywedge.scan", "keywedge.scan.rejected", "keywedge.scan.redacted",
        "keywedge.scanner.connected", "keywedge.scanner.disconnected",
    ]

    /// Gives the event's type the name that Home Assistant expects, with the event's data next to it.
    private static let template =
        "{{ dict(value_json.data, event_type=value_json.type, id=value_json.id) | tojson }}"
}
