import WireText

/// What a register tells of itself: that it is there, and what Home Assistant can make of its events.
struct MQTTBirthMessages: Sendable {
    /// How often the register says that it is there.
    static let interval = Duration.seconds(60)

    /// The register is there; nil where it tells nothing.
    let online: MQTTClient.Message?
    /// The register is not there.
    let offline: MQTTClient.Message?
    /// What Home Assistant finds.
    let discovery: [MQTTClient.Message]

    /// Makes the messages.
    ///
    /// - Parameters:
    ///   - settings: The settings of the sink.
    ///   - register: The register's name.
    ///   - scanners: The names of the configured scanners.
    init(_ settings: MQTTSettings, register: String, scanners: [String]) {
        let topic = settings.presence?.topic.topic(register: register, scanner: "", type: "")
        func message(_ word: String) -> MQTTClient.Message? {
            topic.map {
                MQTTClient.Message(
                    topic: $0, payload: Array(word.utf8), contentType: "text/plain",
                    isRetained: settings.presence?.isRetained ?? false)
            }
        }
        online = message("online")
        offline = message("offline")
        discovery =
            settings.discoveryPrefix.map { prefix in
                Self.entities(settings, register: register, scanners: scanners).map { id, entity in
                    MQTTClient.Message(
                        topic: "\(prefix)/event/\(id)/config",
                        payload: Array(JSONWriter.text(of: .object(entity(topic))).utf8),
                        contentType: "application/json", isRetained: true)
                }
            } ?? []
    }

    /// One `event` entity for each scanner; one for all where the topic does not tell them apart.
    private static func entities(
        _ settings: MQTTSettings, register: String, scanners: [String]
    ) -> [(id: String, entity: (String?) -> JSONObject)] {
        let isPerScanner = settings.topic.contains(.scanner)
        return (isPerScanner ? scanners : [register]).map { name in
            let id = ["keywedge", register] + (isPerScanner ? [name] : [])
            let text = id.joined(separator: "-").map { $0 == "." ? "-" : $0 }
            let topic = settings.topic.topic(register: register, scanner: name, type: "+")
            return (
                String(text),
                { status in
                    entity(String(text), name, of: register, topic: topic, status: status)
                }
            )
        }
    }

    /// What Home Assistant is told of an entity.
    ///
    /// Source: Home Assistant, MQTT event.
    private static func entity(
        _ id: String, _ name: String, of register: String, topic: String, status: String?
    ) -> JSONObject {
        var entity: JSONObject = [
            "name": .string(name), "unique_id": .string(id), "state_topic": .string(topic),
            "event_types": .array(types.map { .string($0) }),
            "value_template": .string(template),
            "device": .object([
                "identifiers": .array([.string("keywedge-" + register)]),
                "name": .string("keywedge " + register),
            ]),
        ]
        if let status { entity.append("availability_topic", .string(status)) }
        return entity
    }

    /// What comes from a scanner.
    private static let types = [
        "keywedge.scan", "keywedge.scan.rejected", "keywedge.scan.redacted",
        "keywedge.scanner.connected", "keywedge.scanner.disconnected",
    ]

    /// The event's type under the name Home Assistant knows it by, and the data beside it.
    private static let template =
        "{{ dict(value_json.data, event_type=value_json.type, id=value_json.id) | tojson }}"
}
