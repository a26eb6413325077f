package import Events

/// How events go to an MQTT broker.
package struct MQTTSettings: Equatable, Sendable {
    /// The version of the protocol.
    package enum Version: String, CaseIterable, Sendable {
        /// MQTT 5, and 3.1.1 where the broker does not know it.
        case auto
        /// MQTT 5.
        case v5 = "5"
        /// MQTT 3.1.1.
        case v311 = "3.1.1"
    }

    /// What to do where the broker says that nobody has subscribed to an event (MQTT 5).
    package enum NoSubscriber: String, CaseIterable, Sendable {
        /// Say so once.
        case warn
        /// Give the event again until somebody has; one event is on its way at a time.
        case hold
    }

    /// A retained message that tells whether the register is there.
    package struct Presence: Equatable, Sendable {
        /// Its topic.
        package var topic: TopicTemplate
        /// Whether the broker keeps it for those who subscribe later.
        package var isRetained: Bool
        /// How long the broker waits after the connection broke before it says `offline` (MQTT 5).
        package var willDelay: Duration

        /// Makes the settings.
        ///
        /// - Parameters:
        ///   - topic: Its topic.
        ///   - isRetained: Whether the broker keeps it.
        ///   - willDelay: How long the broker waits before it says `offline`.
        package init(
            topic: TopicTemplate = .status, isRetained: Bool = true,
            willDelay: Duration = .seconds(30)
        ) {
            self.topic = topic
            self.isRetained = isRetained
            self.willDelay = willDelay
        }
    }

    /// The brokers, at least one: any of them takes the events.
    package var addresses: [MQTTAddress]
    /// The topic of events.
    package var topic: TopicTemplate
    /// The version of the protocol.
    package var version: Version
    /// What the broker calls this client.
    package var clientID: String
    /// How long the broker keeps an event for a subscriber that is away, by the event's type (MQTT 5).
    package var expiry: [EventType: Duration]
    /// What to do where nobody has subscribed.
    package var noSubscriber: NoSubscriber
    /// Whether the register tells that it is there.
    package var presence: Presence?
    /// The topics' prefix for Home Assistant's discovery; nil where it is told nothing.
    package var discoveryPrefix: String?

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - addresses: The brokers, at least one.
    ///   - topic: The topic of events.
    ///   - clientID: What the broker calls this client.
    package init(
        addresses: [MQTTAddress], topic: TopicTemplate = .events,
        clientID: String = "keywedge"
    ) {
        self.addresses = addresses
        self.topic = topic
        self.clientID = clientID
        version = .auto
        expiry = [:]
        noSubscriber = .warn
    }
}

/// What proves to a broker who we are, and to us who it is.
package struct MQTTSecurity: Sendable {
    /// A user's name; read at each connection.
    package var user: (@Sendable () throws -> String)?
    /// A password; read at each connection, so that a new one needs no restart.
    package var password: (@Sendable () throws -> String)?
    /// A file with authorities that are trusted.
    package var authorityFile: String?
    /// Whether the authorities of the system are not trusted.
    package var trustsOnlyThese = false
    /// A file with a certificate to show.
    package var certificateFile: String?
    /// A file with the key of that certificate.
    package var keyFile: String?

    /// Nothing to prove.
    package init() {}
}
