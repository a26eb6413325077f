import Events
import Journal

/// A message to a broker, sent with quality of service 1.
struct MQTTMessage: Equatable, Sendable {
    var topic: String
    var payload: [UInt8]
    var contentType: String?
    /// Whether the broker keeps the message for clients that subscribe later.
    var isRetained = false
    /// How many seconds the broker keeps the message for offline subscribers; nil if it never expires.
    var expiry: UInt32?
}

/// An event as an MQTT message, with the properties needed to process the broker's acknowledgement.
struct MQTTEvent: Equatable, Sendable {
    let message: MQTTMessage
    let type: EventType
    let place: EventPlace
    let sequence: UInt64
}

/// The messages that a register sends: events, presence, and entities for Home Assistant.
struct MQTTMessages: Sendable {
    /// How often the register repeats that it is online.
    static let presenceInterval = Duration.seconds(60)

    /// The message saying that the register is online; nil without the `presence` setting.
    let online: MQTTMessage?
    /// The register's `offline` message and MQTT will; nil without the `presence` setting.
    let offline: MQTTMessage?
    let discovery: MQTTDiscovery?
    private let topic: TopicTemplate
    private let expiry: [EventType: UInt32]

    init(_ settings: MQTTSettings, _ register: MQTTRegister) {
        topic = settings.topic
        expiry = settings.expiry.mapValues { UInt32(clamping: max(1, $0.components.seconds)) }
        let status = settings.presence?.topic.topic(register: register.name, scanner: "", type: "")
        func presence(_ word: String) -> MQTTMessage? {
            status.map {
                MQTTMessage(
                    topic: $0, payload: Array(word.utf8), contentType: "text/plain",
                    isRetained: settings.isRetaining)
            }
        }
        online = presence("online")
        offline = presence("offline")
        discovery = MQTTDiscovery(settings, register, status: status)
    }

    func event(_ entry: JournalEntry) -> MQTTEvent {
        MQTTEvent(
            message: MQTTMessage(
                topic: topic.topic(of: entry), payload: entry.line,
                contentType: "application/cloudevents+json", expiry: expiry[entry.type]),
            type: entry.type, place: EventPlace(source: entry.source), sequence: entry.sequence)
    }
}

/// The state of a connection that a broker has accepted.
struct MQTTLink: Sendable {
    typealias Instant = MQTTSession.Instant

    /// How long events wait for Home Assistant to subscribe after a new entity is announced.
    static let subscribingTime = Duration.seconds(2)

    let since: Instant
    let limits: MQTTLimits
    /// Whether the broker reports messages that had no subscriber (MQTT 5).
    let tellsSubscribers: Bool
    /// The messages about the register and its entities that must be sent before the next event.
    var announcements: [MQTTMessage] = []
    /// The announcements sent but not yet acknowledged, keyed by message number.
    private(set) var announced: [Int32: MQTTMessage] = [:]
    /// When to make announcements about the register next; nil if none are needed.
    var nextPresence: Instant?
    var eventsFrom: Instant
    var lastSent: Instant
    /// The deadline for the broker's next acknowledgement; nil if none is outstanding.
    var answerDue: Instant?
    /// Whether the session has reported that this connection works.
    var isWell = false
    /// When to disconnect, even if the last message is not acknowledged; nil unless the session is ending.
    var leaveBy: Instant?

    init(at now: Instant, _ limits: MQTTLimits, tellsSubscribers: Bool) {
        since = now
        nextPresence = now
        eventsFrom = now
        lastSent = now
        self.limits = limits
        self.tellsSubscribers = tellsSubscribers
    }

    /// When to ping the broker, unless something is sent before then.
    var pingDue: Instant { lastSent + MQTTSettings.keepAlive + .seconds(1) }

    func isOverdue(at now: Instant) -> Bool {
        leaveBy == nil && answerDue.map { $0 <= now } ?? false
    }

    /// Adds messages to send before the next event, retained only if the broker allows this.
    mutating func announce(_ messages: [MQTTMessage]) {
        announcements += messages.map { message in
            var message = message
            message.isRetained = message.isRetained && limits.retains
            return message
        }
    }

    /// Records that an announcement was sent as message `id`; returns false if none was waiting.
    mutating func sent(as id: Int32) -> Bool {
        guard let message = dropAnnouncement() else { return false }
        announced[id] = message
        return true
    }

    @discardableResult mutating func dropAnnouncement() -> MQTTMessage? {
        announcements.isEmpty ? nil : announcements.removeFirst()
    }

    /// Removes and returns the announcement with message number `id`; nil if no announcement has it.
    mutating func answered(_ id: Int32) -> MQTTMessage? { announced.removeValue(forKey: id) }
}

/// Limits that a broker states when it accepts a connection.
struct MQTTLimits: Equatable, Sendable {
    /// The maximum number of unacknowledged messages.
    var receiveMaximum = 65_535
    var retains = true
}
