package import Events
import Keystrokes
import ScannerInput
import WireText

/// The register that an MQTT sink speaks for.
package struct MQTTRegister: Sendable {
    package var name: String
    /// The names of the configured scanners; without any, scanners have automatic names.
    package var scanners: [String]
    /// The name of the sink.
    package var sink = "mqtt"
    /// Which events the sink receives.
    package var filter = EventFilter()
    /// The version of keywedge.
    package var version = ""

    package init(_ name: String, scanners: [String] = []) {
        self.name = name
        self.scanners = scanners
    }
}

/// Describes scanners to Home Assistant as entities of its platform "MQTT event".
///
/// An entity is named after a scanner, or after the register if the topic of events does not name the scanner.
package struct MQTTDiscovery: Sendable {
    struct Entity: Equatable, Sendable {
        let name: String
        /// The retained message that announces it.
        let message: MQTTMessage
    }

    /// The types of events that scanners cause.
    static let types: [EventType] = [
        .scan, .scanRejected, .scanRedacted, .scannerConnected, .scannerDisconnected,
    ]

    /// The types of events that the entities receive.
    let types: [EventType]
    private let prefix: String
    private let topic: TopicTemplate
    private let register: MQTTRegister
    /// The topic of the register's presence.
    private let status: String?
    private let isPerScanner: Bool

    /// Returns nil if discovery is off, or if the sink receives no events about scanners.
    init?(_ settings: MQTTSettings, _ register: MQTTRegister, status: String?) {
        let wanted = register.filter.types
        types = Self.types.filter { wanted.isEmpty || wanted.contains($0) }
        guard let prefix = settings.discoveryPrefix, !types.isEmpty else { return nil }
        self.prefix = prefix
        self.register = register
        topic = settings.topic
        isPerScanner = topic.contains(.scanner)
        // Without a retained message, Home Assistant would take up to a minute to learn that the register is online.
        self.status = settings.isRetaining ? status : nil
    }

    /// The entities to announce on a new connection; `former` are the names of those that were announced before.
    func entities(after former: some Sequence<String>) -> [Entity] {
        guard isPerScanner else { return [entity(register.name)] }
        // If scanners are configured, an automatic name belongs to a second device, or is no longer used.
        let automatic = register.scanners.isEmpty ? former.filter(DeviceIdentity.isAutomatic) : []
        return Set(register.scanners + automatic).filter(isWanted).sorted().map(entity)
    }

    /// The entity that receives an event; nil if no entity does.
    func entity(for event: MQTTEvent) -> Entity? {
        guard isPerScanner, let name = event.place.scanner, event.place.register == register.name,
            register.scanners.contains(name) || DeviceIdentity.isAutomatic(name), isWanted(name)
        else { return nil }
        return entity(name)
    }

    /// Whether an entity receives an event.
    func covers(_ event: MQTTEvent) -> Bool {
        types.contains(event.type) && (!isPerScanner || entity(for: event) != nil)
    }

    private func isWanted(_ scanner: String) -> Bool {
        register.filter.scanners.isEmpty || register.filter.scanners.contains(scanner)
    }

    private func entity(_ name: String) -> Entity {
        let words = ["keywedge", register.name] + (isPerScanner ? [name] : [])
        let id = Self.id(words.joined(separator: "-"))
        let message = MQTTMessage(
            topic: "\(prefix)/event/\(id)/config",
            payload: Array(JSONWriter.text(of: .object(description(id, name))).utf8),
            contentType: "application/json", isRetained: true)
        return Entity(name: name, message: message)
    }

    /// The name as Home Assistant allows it in the topics of its discovery; `a.b` and `a-b` become equal.
    package static func id(_ name: String) -> String {
        String(name.map { $0 == "." ? "-" : $0 })
    }

    private func description(_ id: String, _ name: String) -> JSONObject {
        let events = topic.topic(register: register.name, scanner: name, type: nil)
        var entity: JSONObject = [
            "name": .string(name), "unique_id": .string(id), "state_topic": .string(events),
            "event_types": .array(types.map { .string($0.rawValue) }),
            "value_template": .string(template), "qos": 1,
            "device": .object([
                "identifiers": .array([.string("keywedge-" + register.name)]),
                "name": .string("keywedge " + register.name),
            ]),
            "origin": .object(["name": "keywedge", "sw_version": .string(register.version)]),
        ]
        if let status { entity.append("availability_topic", .string(status)) }
        return entity
    }

    /// A template that turns an event into the JSON that Home Assistant expects, with `event_type` beside the
    /// data; it ignores all other messages on the topic.
    private var template: String {
        let types = types.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return "{% if value_json is mapping and value_json.type in [\(types)] %}"
            + "{{ dict(value_json.data, event_type=value_json.type, id=value_json.id, "
            + "time=value_json.time, sequence=value_json.sequence | int, "
            + "origin=(value_json.data.get('lookup') or {}).get('origin')) | tojson }}{% endif %}"
    }
}
