import Events
package import HTTPCatalog
package import Sinks
import WireText
import Yams

extension MQTTConfiguration {
    static let section = Section("mqtt", MQTTConfiguration(addresses: [.localhost])) {
        DurableSinkConfiguration.settings.map { $0.inside(\.durable) }
        Setting(
            "url", \.settings.addresses, .brokers,
            """
            The broker: mqtt://, or mqtts:// for TLS, a host, and a port unless it is the usual one; \
            or a list of the brokers of one cluster, which are tried in turn from a random one on.
            """,
            needed: "the address of a broker such as mqtts://broker.lan")
        Setting(
            "topic", \.settings.topic, .topic(TopicTemplate.Field.allCases),
            "The topic of events; {register}, {scanner} and {type} stand for names.")
        Setting(
            "version", \.settings.version, .choice,
            "The version of MQTT: 5, 3.1.1, or auto for 5 if the broker speaks it.")
        Setting(
            "client_id", \.clientID, .clientID,
            "What the broker calls this register; without it, keywedge, its name and the sink's.")
        Setting("user_file", \.user, .secret, "A file with the user's name, or credential:NAME.")
        Setting(
            "password_file", \.password, .secret, "A file with the password, or credential:NAME.")
        Setting(
            "ca_file", \.authority, .secret,
            "A file with authorities to trust besides those of the system, or credential:NAME.")
        Setting(
            "only_ca_file", \.trustsOnlyThese, .flag,
            "Whether to distrust the authorities of the system.")
        Setting(
            "certificate_file", \.certificate, .secret,
            "A file with a certificate to show, or credential:NAME.")
        Setting("key_file", \.key, .secret, "A file with its key, or credential:NAME.")
        Setting(
            "expiry", \.settings.expiry, .expiry,
            "How long the broker keeps an event for subscribers that are away, by type (MQTT 5).")
        Setting(
            "in_flight", \.settings.inFlight, .number(in: 1...MQTTSettings.mostInFlight),
            """
            How many events are on their way to the broker at a time; with 1 they arrive in strict \
            order, even if a broker fails.
            """)
        Setting(
            "no_subscriber", \.settings.noSubscriber, .choice,
            """
            What happens if nobody has subscribed (MQTT 5): warn reports it once, hold delivers the \
            event again until somebody has.
            """)
        Setting(
            "presence", \.settings.presence, .presence,
            "A message that tells whether the register is online; none for no such message.")
        Setting(
            "home_assistant", \.settings.discoveryPrefix, .discoveryPrefix,
            "The prefix of Home Assistant's discovery, mostly homeassistant; without it, none.")
    } check: { mqtt, section in
        if (mqtt.certificate == nil) != (mqtt.key == nil) {
            section.reader.report(
                expected: "certificate_file and key_file, or neither",
                found: mqtt.certificate == nil ? "key_file alone" : "certificate_file alone")
        }
        if mqtt.password != nil, mqtt.user == nil {
            section.reader.report(expected: "user_file beside password_file", found: "none")
        }
        if mqtt.trustsOnlyThese, mqtt.authority == nil {
            section.reader.report(expected: "ca_file beside only_ca_file", found: "none")
        }
        let files = mqtt.authority ?? mqtt.certificate
        if files != nil, !mqtt.settings.addresses.allSatisfy(\.isSecure) {
            section.at(\.settings.addresses).report(
                expected: "mqtts:// beside ca_file and certificate_file", found: "mqtt://")
        }
    }
}

extension Codec<MQTTAddress> {
    fileprivate static let mqttAddress = text(
        "the address of a broker such as mqtts://broker.lan, without user and path",
        .text(pattern: "^[Mm][Qq][Tt][Tt][Ss]?://[^/@ ]+/?$"), read: MQTTAddress.init,
        write: \.description)
}

extension Codec<[MQTTAddress]> {
    /// One broker, or a list of several.
    fileprivate static let brokers: Self = {
        let many = list(
            "a list of brokers such as [mqtts://broker-1.lan, mqtts://broker-2.lan]",
            of: .mqttAddress, nonEmpty: "at least one broker", onOneLine: true,
            check: reportDuplicates)
        var codec = oneOrMany("a broker or a list of them", of: .mqttAddress)
        codec.read = { reader in
            if case .sequence = reader.tree.content { return many.read(reader) }
            return Codec<MQTTAddress>.mqttAddress.read(reader).map { [$0] }
        }
        codec.write = { all in
            all.count == 1 ? Codec<MQTTAddress>.mqttAddress.write(all[0]) : many.write(all)
        }
        return codec
    }()

    private static func reportDuplicates(
        _ reader: ConfigurationReader, _ brokers: Items<MQTTAddress>
    ) {
        var seen: Set<MQTTAddress> = []
        for (item, broker) in brokers {
            guard let broker, !seen.insert(broker).inserted else { continue }
            item.report(expected: "each broker once", found: "\(broker.description) again")
        }
    }
}

extension Codec<TopicTemplate> {
    /// A topic in which some fields may stand.
    fileprivate static func topic(_ fields: [TopicTemplate.Field]) -> Self {
        let names = fields.map { "{\($0.rawValue)}" }
        return parsed(
            "a topic of A-Z, a-z, 0-9, \".\", \"_\", \"-\" and \"/\", \(Words.all(names))",
            explained: "a topic",
            .text(pattern: "^[A-Za-z0-9._{}-]+(/[A-Za-z0-9._{}-]+)*$"),
            read: { text throws(TopicTemplateError) in try TopicTemplate(text, fields: fields) },
            write: \.description)
    }
}

extension Codec<String> {
    fileprivate static let clientID = text(
        "up to 128 of A-Z, a-z, 0-9, \".\", \"_\" and \"-\"",
        .text(pattern: "^[A-Za-z0-9._-]{1,128}$")
    ) { text in
        (1...128).contains(text.utf8.count) && (try? TopicTemplate(text, fields: [])) != nil
            && !text.contains("/")
    }

    fileprivate static let discoveryPrefix = text(
        "the first levels of topics such as homeassistant",
        .text(pattern: "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$")
    ) { (try? TopicTemplate($0, fields: [])) != nil }
}

extension Codec<[EventType: Duration]> {
    fileprivate static let expiry = dictionary(
        "a mapping such as {keywedge.scan: 1d}",
        of: .duration(in: .seconds(1) ... .seconds(31_536_000)),
        keys: .either(EventType.all.map(\.rawValue)),
        key: { name, reader in
            let type = EventType.all.first { $0.rawValue == name }
            if type == nil {
                reader.report(
                    expected: "a type of events such as keywedge.scan", found: "\(quoted: name)")
            }
            return type
        }, name: \.rawValue, order: { $0.rawValue < $1.rawValue }
    ).omitting(\.isEmpty)
}

extension Codec<MQTTSettings.Presence?> {
    /// `none`, or the settings.
    fileprivate static let presence: Self = {
        let section = MQTTSettings.Presence.section.codec
        return Self(
            read: { reader in
                if case .scalar("none", _) = reader.tree.content { return .some(nil) }
                return section.read(reader)
            },
            write: { $0.map(section.write) ?? Node(word: "none") },
            schema: { .any(of: ["const": "none"], section.schema(&$0)) })
    }()
}

extension MQTTSettings.Presence {
    fileprivate static let section = Section(
        "presence", MQTTSettings.Presence(), onOneLine: { _ in true }
    ) {
        Setting("topic", \.topic, .topic([.register]), "Its topic.")
        Setting(
            "retain", \.isRetained, .flag, "Whether the broker keeps it for later subscribers.")
        Setting(
            "will_delay", \.willDelay, .duration(in: .zero ... .seconds(3600)),
            "How long after a broken connection the broker publishes offline (MQTT 5).")
    }
}

/// An MQTT broker that events go to.
package struct MQTTConfiguration: Equatable, Sendable {
    /// Its cursor, and which events it gets.
    package var durable = DurableSinkConfiguration()
    /// How events go to it; what the broker calls the client is left open here.
    package var settings: MQTTSettings
    /// What the broker calls the client; nil for `keywedge-`, the register's name and the sink's.
    package var clientID: String?
    /// The user's name.
    package var user: SecretSource?
    package var password: SecretSource?
    /// A file with authorities that are trusted.
    package var authority: SecretSource?
    /// Whether the authorities of the system are not trusted.
    package var trustsOnlyThese = false
    /// A file with a certificate to show.
    package var certificate: SecretSource?
    /// A file with the key of that certificate.
    package var key: SecretSource?

    /// Makes a configuration with its defaults.
    ///
    /// - Parameter addresses: The brokers, at least one.
    package init(addresses: [MQTTAddress]) {
        settings = MQTTSettings(addresses: addresses)
        settings.presence = MQTTSettings.Presence()
    }
}
