package import Events
import Keystrokes
import ScannerInput
import WireText

/// The register whose events an MQTT sink sends.
package struct MQTTRegister: Sendable {
    package var name: String
    /// The names of the configured scanners; empty if scanners are named automatically.
    package var scanners: [String]
    /// The sink's name, for the `keywedge journal replay --sink …` command that a warning suggests.
    package var sink = "mqtt"
    package var filter = EventFilter()
    package var version = ""

    package init(_ name: String, scanners: [String] = []) {
        self.name = name
        self.scanners = scanners
    }
}

/// The announcements of scanners to Home Assistant, as entities of its "MQTT event" platform.
///
/// Each scanner has its own entity if the event topic contains the scanner's name; otherwise, all share one entity.
package struct MQTTDiscovery: Sendable {
    struct Entity: Equatable, Sendable {
        let name: String
        let message: MQTTMessage
    }

    /// The types of the events that an entity in Home Assistant can receive.
    static let types: [EventType] = [
        .scan, .scanRejected, .scanRedacted, .scannerConnected, .scannerDisconnected,
    ]

    let types: [EventType]
    private let prefix: String
    private let topic: TopicTemplate
    private let register: MQTTRegister
    /// The topic of the register's retained online status; nil if the status is not retained.
    private let status: String?
    private let isPerScanner: Bool

    /// Creates the announcements for Home Assistant; nil if none are wanted.
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

    /// Returns the entities to announce, given the names that were announced earlier.
    func entities(after former: some Sequence<String>) -> [Entity] {
        guard isPerScanner else { return [entity(register.name)] }
        // If scanners are configured, an automatic name belongs to a second matching device, or is no longer used.
        let automatic = register.scanners.isEmpty ? former.filter(DeviceIdentity.isAutomatic) : []
        return Set(register.scanners + automatic).filter(isWanted).sorted().map(entity)
    }

    func entity(for event: MQTTEvent) -> Entity? {
        guard isPerScanner, let name = event.place.scanner, event.place.register == register.name,
            register.scanners.contains(name) || DeviceIdentity.isAutomatic(name), isWanted(name)
        else { return nil }
        return entity(name)
    }

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

    /// Replaces each `.` with `-`, because discovery topics must not contain `.`.
    ///
    /// As a result, `a.b` and `a-b` get the same id.
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

    /// A Home Assistant template that turns an event into the JSON for an event entity.
    private var template: String {
        let types = types.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return "{% if value_json is mapping and value_json.type in [\(types)] %}"
            + "{{ dict(value_json.data, event_type=value_json.type, id=value_json.id, "
            + "time=value_json.time, sequence=value_json.sequence | int, "
            + "origin=(value_json.data.get('lookup') or {}).get('origin')) | tojson }}{% endif %}"
    }
}
