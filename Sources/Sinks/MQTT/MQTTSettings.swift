package import Events
package import Journal
import WireText

/// The address of an MQTT broker.
package struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether TLS secures the connection.
    package let isSecure: Bool
    /// A name or an address; IPv6 without brackets.
    package let host: String
    package let port: Int

    package static let localhost = MQTTAddress(isSecure: false, host: "localhost", port: 1883)

    /// The address as it is written, always with its port.
    package var description: String {
        "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension MQTTAddress {
    /// Reads `mqtt://broker.lan` or `mqtts://[fd00::1]:8884`: no user, no password, no path.
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

/// The settings of an MQTT sink.
package struct MQTTSettings: Equatable, Sendable {
    package enum Version: String, CaseIterable, Sendable {
        /// MQTT 5, or 3.1.1 if the broker does not speak it.
        case auto
        case v5 = "5"
        case v311 = "3.1.1"
    }

    /// How to treat an event that has no subscriber, if the broker says so (MQTT 5).
    package enum NoSubscriber: String, CaseIterable, Sendable {
        /// Report the first event without a subscriber, and the number of such events once someone has subscribed.
        case warn
        /// Until someone subscribes, resend scans, events of entities, and events of topics that once had a
        /// subscriber; only one event is in flight at a time.
        case hold
    }

    /// The message that says whether the register is online.
    package struct Presence: Equatable, Sendable {
        package var topic: TopicTemplate
        /// Whether the broker keeps it for clients that subscribe later.
        package var isRetained = true
        /// The time between a broken connection and the broker's publication of `offline` (MQTT 5).
        package var willDelay: Duration

        package init(topic: TopicTemplate = .status, willDelay: Duration = .seconds(30)) {
            self.topic = topic
            self.willDelay = willDelay
        }
    }

    /// The longest time without sending anything.
    static let keepAlive = Duration.seconds(60)
    /// The maximum number of events in flight.
    package static let mostInFlight = 20

    /// The brokers, at least one: each of them accepts the events.
    package var addresses: [MQTTAddress]
    package var topic: TopicTemplate
    package var version = Version.auto
    /// The name by which the broker knows this client.
    package var clientID: String
    /// How many events may be on their way at a time; with 1, they arrive in strict order.
    package var inFlight = mostInFlight
    /// How long the broker keeps an event for a subscriber that is away (MQTT 5).
    package var expiry: [EventType: Duration] = [:]
    package var noSubscriber = NoSubscriber.warn
    package var presence: Presence?
    /// The first levels of the topics for Home Assistant's discovery; nil for no discovery.
    package var discoveryPrefix: String?

    /// Whether the broker may keep messages about the register for clients that subscribe later.
    var isRetaining: Bool { presence?.isRetained ?? true }

    package init(
        addresses: [MQTTAddress], topic: TopicTemplate = .events, clientID: String = "keywedge"
    ) {
        self.addresses = addresses
        self.topic = topic
        self.clientID = clientID
    }
}

/// The credentials of the register, and the authorities that vouch for the broker.
package struct MQTTSecurity: Sendable {
    /// Both are read at each connection, so that a new password needs no restart.
    package var user: (@Sendable () throws -> String)?
    package var password: (@Sendable () throws -> String)?
    /// The file with the certificate authorities to trust.
    package var authorityFile: String?
    /// Whether to distrust the system's certificate authorities.
    package var trustsOnlyThese = false
    package var certificateFile: String?
    package var keyFile: String?

    package init() {}
}

/// The topic of events: words, and the names of register, scanner and type; never what was scanned.
package struct TopicTemplate: Hashable, Sendable, CustomStringConvertible {
    /// A word in braces that stands for a name.
    package enum Field: String, CaseIterable, Sendable {
        case register
        /// The scanner's name; `_` for an event of the daemon itself.
        case scanner
        case type

        fileprivate var text: String { "{\(rawValue)}" }
    }

    package let description: String

    package static let events = TopicTemplate(checked: "keywedge/{register}/{scanner}/{type}")
    package static let status = TopicTemplate(checked: "keywedge/{register}/status")

    private init(checked text: String) { description = text }

    /// Reads a template: levels of `A-Z a-z 0-9 . _ -`, with `fields` in them.
    package init(_ text: String, fields: [Field] = Field.allCases) throws(TopicTemplateError) {
        guard text.utf8.count <= 1024 else { throw .tooLong }
        guard !"/\(text)/".contains("//") else { throw .emptyLevel }
        for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false)
            .enumerated()
        {
            var words = part
            if index > 0 {
                let name = part.prefix { $0 != "}" }
                guard name.endIndex < part.endIndex, fields.contains(where: { $0.rawValue == name })
                else { throw .unknownField(String(name)) }
                words = part[name.endIndex...].dropFirst()
            }
            let other = words.unicodeScalars.first { $0 != "/" && !$0.isTopicCharacter }
            if let other { throw .character(other) }
        }
        description = text
    }

    /// The topic of an event; `-` replaces characters in names that topics must not contain.
    package func topic(of entry: JournalEntry) -> String {
        let place = EventPlace(source: entry.source)
        return topic(
            register: place.register ?? "_", scanner: place.scanner ?? "_",
            type: entry.type.rawValue)
    }

    /// The topic with these names; without a type, the filter for events of all types.
    func topic(register: String, scanner: String, type: String?) -> String {
        description.replacing(Field.register.text, with: Self.level(register))
            .replacing(Field.scanner.text, with: Self.level(scanner))
            .replacing(Field.type.text, with: type.map(Self.level) ?? "+")
    }

    package func contains(_ field: Field) -> Bool { description.contains(field.text) }

    /// Whether `{type}` is absent or a whole level, so that one filter covers all types.
    package var hasFilterOfAllTypes: Bool {
        levels.allSatisfy { $0 == Field.type.text || !$0.contains(Field.type.text) }
    }

    /// Whether the filter of all types covers another topic too.
    package func covers(_ other: TopicTemplate) -> Bool {
        levels.count == other.levels.count
            && zip(levels, other.levels).allSatisfy { $0 == $1 || $0 == Field.type.text }
    }

    private var levels: [Substring] { description.split(separator: "/") }

    /// The name with `-` in place of each character that a level must not contain.
    package static func level(_ name: String) -> String {
        String(name.unicodeScalars.map { $0.isTopicCharacter ? Character($0) : "-" })
    }
}

package enum TopicTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case emptyLevel
    /// A field that does not exist, or is not allowed here.
    case unknownField(String)
    case character(Unicode.Scalar)
    case tooLong

    /// The fault, for the end of a sentence.
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
    /// Whether a level of a topic may contain the character: `A-Z a-z 0-9 . _ -`.
    var isTopicCharacter: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}
