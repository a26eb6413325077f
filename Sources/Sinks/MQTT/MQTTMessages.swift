import Events
import Journal

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

/// An event as a message, with the facts that decide how to treat the broker's answer.
struct MQTTEvent: Equatable, Sendable {
    let message: MQTTMessage
    let type: EventType
    let place: EventPlace
    let sequence: UInt64
}

/// The messages that a register sends: its events, whether it is online, and its entities for Home Assistant.
struct MQTTMessages: Sendable {
    /// How often the register repeats that it is online.
    static let presenceInterval = Duration.seconds(60)

    /// The message that the register is online; nil without `presence`, as is ``offline``.
    let online: MQTTMessage?
    /// The last message of a connection; also the will, which the broker publishes if the connection breaks.
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

/// A connection that a broker accepted.
struct MQTTLink: Sendable {
    typealias Instant = MQTTSession.Instant

    /// How long events wait after the announcement of a new entity: Home Assistant subscribes to its topic within about
    /// a second.
    static let subscribingTime = Duration.seconds(2)

    let since: Instant
    let limits: MQTTLimits
    /// Whether the broker reports whether a message had a subscriber.
    let tellsSubscribers: Bool
    /// The register's own messages that go out before the next event.
    var announcements: [MQTTMessage] = []
    /// The unacknowledged announcements, by their message numbers.
    private(set) var announced: [Int32: MQTTMessage] = [:]
    /// When to repeat that the register is online; nil for never.
    var nextPresence: Instant?
    var eventsFrom: Instant
    var lastSent: Instant
    /// The deadline for the broker's next acknowledgement.
    var answerDue: Instant?
    /// Whether the broker has accepted everything that was waiting.
    var isWell = false
    /// When to disconnect, even if the last message is not acknowledged.
    var leaveBy: Instant?

    init(at now: Instant, _ limits: MQTTLimits, tellsSubscribers: Bool) {
        since = now
        nextPresence = now
        eventsFrom = now
        lastSent = now
        self.limits = limits
        self.tellsSubscribers = tellsSubscribers
    }

    /// When to ping, unless something is sent before.
    var pingDue: Instant { lastSent + MQTTSettings.keepAlive + .seconds(1) }

    func isOverdue(at now: Instant) -> Bool {
        leaveBy == nil && answerDue.map { $0 <= now } ?? false
    }

    /// Adds messages to send before the next event; not retained if the broker does not support that.
    mutating func announce(_ messages: [MQTTMessage]) {
        announcements += messages.map { message in
            var message = message
            message.isRetained = message.isRetained && limits.retains
            return message
        }
    }

    /// Records that the next announcement is on its way; returns false if no announcement waits.
    mutating func sent(as id: Int32) -> Bool {
        guard let message = dropAnnouncement() else { return false }
        announced[id] = message
        return true
    }

    /// Removes the next announcement.
    @discardableResult mutating func dropAnnouncement() -> MQTTMessage? {
        announcements.isEmpty ? nil : announcements.removeFirst()
    }

    /// Returns the announcement that the broker has answered; nil if it answered an event.
    mutating func answered(_ id: Int32) -> MQTTMessage? { announced.removeValue(forKey: id) }
}

/// Limits that a broker states when it accepts a connection.
struct MQTTLimits: Equatable, Sendable {
    /// The maximum number of unacknowledged messages.
    var receiveMaximum = 65_535
    /// Whether it can keep messages for clients that subscribe later.
    var retains = true
}
