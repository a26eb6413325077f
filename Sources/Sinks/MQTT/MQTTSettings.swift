package import Events
package import Journal
import WireText

/// The address of an MQTT broker, such as `mqtts://broker.lan:8883`.
package struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    /// A host name or an IP address; an IPv6 address has no brackets.
    package let host: String
    package let port: Int
    package static let localhost = MQTTAddress(isSecure: false, host: "localhost", port: 1883)

    /// The address as a URL, always with a port.
    package var description: String {
        "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension MQTTAddress {
    /// Reads an `mqtt` or `mqtts` URL with a host and an optional port; nil for other text.
    package init?(_ text: String) {
        guard
            let match = text.wholeMatch(
                of:
                    /(?i)mqtt(s?):\/\/(?:\[([0-9a-f:.]*:[0-9a-f:.]*)\]|([a-z0-9._-]+))(?::([1-9][0-9]{0,4}))?\/?/
            ),
            let host = match.2 ?? match.3
        else { return nil }
        let isSecure = !match.1.isEmpty
        guard let port = match.4.map({ UInt16($0) }) ?? (isSecure ? 8883 : 1883) else { return nil }
        self.init(isSecure: isSecure, host: String(host), port: Int(port))
    }
}

package struct MQTTSettings: Equatable, Sendable {
    package enum Version: String, CaseIterable, Sendable {
        /// MQTT 5, or 3.1.1 if the broker does not support version 5.
        case auto
        case v5 = "5"
        case v311 = "3.1.1"
    }

    /// The action to take if the broker reports that an event had no subscriber (MQTT 5).
    package enum NoSubscriber: String, CaseIterable, Sendable {
        /// Warn about the first event without a subscriber, and again when a later event has a subscriber.
        case warn
        /// Send one event at a time, and resend an event that had no subscriber until someone subscribes.
        ///
        /// Scans are resent; other events are resent only if their topic has had a subscriber. If ``discoveryPrefix``
        /// is set, events about scanners, including scans, are resent only if a Home Assistant entity receives them.
        case hold
    }

    /// The settings of the message that announces whether the register is online.
    package struct Presence: Equatable, Sendable {
        package var topic: TopicTemplate
        /// Whether the broker keeps the message for clients that subscribe later.
        package var isRetained = true
        /// How long the broker waits after a broken connection before it publishes `offline` (MQTT 5).
        package var willDelay: Duration

        package init(topic: TopicTemplate = .status, willDelay: Duration = .seconds(30)) {
            self.topic = topic
            self.willDelay = willDelay
        }
    }

    /// MQTT's keep-alive time; if the sink sends nothing for this long, it pings the broker.
    static let keepAlive = Duration.seconds(60)
    package static let mostInFlight = 20

    /// The brokers' addresses, at least one; the sink connects to one broker at a time.
    package var addresses: [MQTTAddress]
    package var topic: TopicTemplate
    package var version = Version.auto
    /// The MQTT client identifier, which no other client of the broker may use.
    package var clientID: String
    /// How many events may be unacknowledged at a time; with 1, they always arrive in order.
    package var inFlight = mostInFlight
    /// How long the broker keeps events for offline subscribers (MQTT 5); types not listed never expire.
    package var expiry: [EventType: Duration] = [:]
    package var noSubscriber = NoSubscriber.warn
    package var presence: Presence?
    /// The prefix of Home Assistant's discovery topics; nil to announce no entities.
    package var discoveryPrefix: String?

    /// Whether presence and discovery messages are retained, so that later subscribers receive them.
    var isRetaining: Bool { presence?.isRetained ?? true }

    package init(
        addresses: [MQTTAddress], topic: TopicTemplate = .events, clientID: String = "keywedge"
    ) {
        self.addresses = addresses
        self.topic = topic
        self.clientID = clientID
    }
}

/// The register's credentials, and the certificate authorities that it trusts.
package struct MQTTSecurity: Sendable {
    /// A closure that reads the user name, which may change, for each connection; nil for no user name.
    package var user: (@Sendable () throws -> String)?
    package var password: (@Sendable () throws -> String)?
    /// A file with certificate authorities to trust; nil to trust only the system's.
    package var authorityFile: String?
    /// Whether to trust ``authorityFile`` alone, without the system's certificate authorities.
    package var trustsOnlyThese = false
    package var certificateFile: String?
    package var keyFile: String?

    package init() {}
}

/// A topic in which fields such as `{scanner}` are replaced by names.
package struct TopicTemplate: Hashable, Sendable, CustomStringConvertible {
    /// A field of a topic template, such as `{scanner}`, which is replaced by a name.
    package enum Field: String, CaseIterable, Sendable {
        case register
        /// The scanner's name; `_` for events of the daemon itself.
        case scanner
        case type

        fileprivate var text: String { "{\(rawValue)}" }
    }

    package let description: String

    package static let events = TopicTemplate(checked: "keywedge/{register}/{scanner}/{type}")
    package static let status = TopicTemplate(checked: "keywedge/{register}/status")

    private init(checked text: String) { description = text }

    /// Parses a template; its levels may contain the characters `A-Z a-z 0-9 . _ -` and the given fields in braces.
    package init(_ text: String, fields: [Field] = Field.allCases) throws(TopicTemplateError) {
        guard text.utf8.count <= 1024 else { throw .tooLong }
        guard !"/\(text)/".contains("//") else { throw .emptyLevel }
        for field in text.matches(of: /\{([^}]*)(\}?)/) {
            guard !field.2.isEmpty, fields.contains(where: { $0.rawValue == field.1 })
            else { throw .unknownField(String(field.1)) }
        }
        let words = text.replacing(/\{[^}]*\}/, with: "").unicodeScalars
        let other = words.first { $0 != "/" && !$0.isTopicCharacter }
        if let other { throw .character(other) }
        description = text
    }

    /// Returns the topic of an event; `-` replaces forbidden characters in names.
    package func topic(of entry: JournalEntry) -> String {
        let place = EventPlace(source: entry.source)
        return topic(
            register: place.register ?? "_", scanner: place.scanner ?? "_",
            type: entry.type.rawValue)
    }

    /// Returns the topic for these names, or a topic filter for all event types if `type` is nil.
    func topic(register: String, scanner: String, type: String?) -> String {
        description.replacing(Field.register.text, with: Self.level(register))
            .replacing(Field.scanner.text, with: Self.level(scanner))
            .replacing(Field.type.text, with: type.map(Self.level) ?? "+")
    }

    package func contains(_ field: Field) -> Bool { description.contains(field.text) }

    /// Whether a single topic filter can match all event types.
    package var hasFilterOfAllTypes: Bool {
        levels.allSatisfy { $0 == Field.type.text || !$0.contains(Field.type.text) }
    }

    /// Whether this template's topic filter for all event types also matches another template's topics.
    package func covers(_ other: TopicTemplate) -> Bool {
        levels.count == other.levels.count
            && zip(levels, other.levels).allSatisfy { $0 == $1 || $0 == Field.type.text }
    }

    private var levels: [Substring] { description.split(separator: "/") }

    /// Returns the name with `-` in place of each character that a topic level must not contain.
    package static func level(_ name: String) -> String {
        String(name.unicodeScalars.map { $0.isTopicCharacter ? Character($0) : "-" })
    }
}

package enum TopicTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case emptyLevel
    /// The template contains a field that does not exist or is not allowed.
    case unknownField(String)
    case character(Unicode.Scalar)
    case tooLong

    /// The mistake as a clause in which "it" means the template, such as `a level of it is empty`.
    package var description: String {
        switch self {
        case .emptyLevel: "a level of it is empty"
        case .unknownField(let name): "there is no field {\(name.quoted())} here"
        case .character(let scalar):
            "\(String(scalar).quoted()) is none of A-Z, a-z, 0-9, \".\", \"_\" and \"-\""
        case .tooLong: "it is longer than 1024 bytes"
        }
    }
}

extension Unicode.Scalar {
    /// Whether a topic level may contain the character: `A-Z a-z 0-9 . _ -`.
    var isTopicCharacter: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}
