import Events
package import HTTPCatalog
package import Sinks
package import WireText
import Yams

/// The settings of a sink that sends events to an MQTT broker; ``section`` explains each of them.
package struct MQTTConfiguration: SinkKind {
    package static let kind = "mqtt"
    package static let localService: (program: String, unit: String)? =
        ("/usr/sbin/mosquitto", "mosquitto")

    package var durable = DurableSinkConfiguration()
    /// The settings for sending events to the broker, except the client identifier.
    package var settings: MQTTSettings
    /// The client identifier; nil for the default, `keywedge-REGISTER-SINK`.
    package var clientID: String?
    package var user: SecretSource?
    package var password: SecretSource?
    package var tls = TLSConfiguration()

    /// Creates the settings of a sink for one broker or a cluster; `addresses` must not be empty.
    package init(addresses: [MQTTAddress]) {
        settings = MQTTSettings(addresses: addresses)
        settings.presence = MQTTSettings.Presence()
    }

    static let section = Section(kind, MQTTConfiguration(addresses: [.localhost])) {
        DurableSinkConfiguration.settings.map { $0.inside(\.durable) }
        Setting(
            "url", \.settings.addresses, .brokers,
            "The broker: mqtt://, or mqtts:// for TLS, a host, and a port unless it is the usual "
                + "one; or a list of the brokers of one cluster, which are tried in turn from a "
                + "random one on.",
            needed: "the address of a broker such as mqtts://broker.lan")
        Setting(
            "topic", \.settings.topic, .topic(TopicTemplate.Field.allCases),
            "The topic of events; {register}, {scanner} and {type} stand for names.")
        Setting(
            "version", \.settings.version, .choice,
            "The version of MQTT: 5, 3.1.1, or auto for 5 if the broker speaks it.")
        Setting(
            "client_id", \.clientID,
            .text(
                "up to 128 of A-Z, a-z, 0-9, \".\", \"_\" and \"-\"",
                matching: .text(pattern: "^[A-Za-z0-9._-]{1,128}$")),
            "The client identifier; by default keywedge, the register's name and the sink's.")
        Setting("user_file", \.user, .secret, "A file with the user's name, or credential:NAME.")
        Setting(
            "password_file", \.password, .secret, "A file with the password, or credential:NAME.")
        TLSConfiguration.fileSettings.map { $0.inside(\.tls) }
        Setting(
            "expiry", \.settings.expiry,
            .dictionary(
                "a mapping such as {keywedge.scan: 1d}",
                of: .duration(in: .seconds(1) ... .seconds(31_536_000)),
                keys: .eventType, order: { $0.rawValue < $1.rawValue }
            ).omitting(\.isEmpty),
            "How long the broker keeps an event for subscribers that are away, by type (MQTT 5).")
        Setting(
            "in_flight", \.settings.inFlight, .number(in: 1...MQTTSettings.mostInFlight),
            "How many events are on their way to the broker at a time; with 1 they arrive in "
                + "strict order, even if a broker fails.")
        Setting(
            "no_subscriber", \.settings.noSubscriber, .choice,
            "What happens if a topic has no subscriber (MQTT 5): warn reports the first such "
                + "event, and later their number; hold resends scans, and events whose topic had a "
                + "subscriber before, until it has one.")
        Setting(
            "presence", \.settings.presence, .presence,
            "A message that tells whether the register is online; none for no such message.")
        Setting(
            "home_assistant", \.settings.discoveryPrefix,
            .text(
                "the first levels of topics such as homeassistant",
                .text(pattern: "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$")
            ) { (try? TopicTemplate($0, fields: [])) != nil },
            "The prefix of Home Assistant's discovery, mostly homeassistant; without it, none.")
    } check: { mqtt, section in
        mqtt.tls.report(to: section)
        if mqtt.password != nil, mqtt.user == nil {
            section.report(expected: "user_file beside password_file", found: "none")
        }
        if mqtt.tls.authorityFile ?? mqtt.tls.certificateFile != nil,
            !mqtt.settings.addresses.allSatisfy(\.isSecure)
        {
            section.at("url").report(
                expected: "mqtts:// beside ca_file and certificate_file", found: "mqtt://")
        }
        if let expected = mqtt.settings.topicForDiscovery {
            section.at("topic").report(
                expected: expected, found: "\(quoted: mqtt.settings.topic.description)")
        }
    }

    package var journalSettings: DurableSinkConfiguration? { durable }
    package var namesScanners: Bool { true }
    package var needs: [SinkNeed] {
        ([user, password].compactMap(\.self) + tls.files).map(SinkNeed.secret)
    }
    package var connected: String {
        "the broker accepts the connection: " + servers.map(\.description).joined(separator: ", ")
    }

    package var servers: [SinkServer] {
        settings.addresses.map { address in
            var one = self
            one.settings.addresses = [address]
            let url = address.description.replacing("mqtt", with: "http", maxReplacements: 1)
            return SinkServer(
                description: address.description, host: address.host, url: url,
                sink: SinkConfiguration(one))
        }
    }

    /// Returns a copy with a client identifier of its own.
    ///
    /// A broker disconnects a client when another one connects with the same identifier. The copy does not announce
    /// presence or Home Assistant entities, because the daemon announces them.
    package func besideTheDaemon(_ register: String) -> Self {
        var sink = self
        let name = clientID ?? "keywedge-\(register)-\(durable.name ?? Self.kind)"
        sink.clientID = "\(name.prefix(121))-doctor"
        sink.settings.presence = nil
        sink.settings.discoveryPrefix = nil
        sink.settings.noSubscriber = .warn
        return sink
    }

    /// Returns a message if Home Assistant would confuse two of the scanners; otherwise nil.
    package func objection(to scanners: [String]) -> (expected: String, found: Phrase)? {
        guard settings.discoveryPrefix != nil, settings.topic.contains(.scanner),
            let names = Dictionary(grouping: scanners, by: MQTTDiscovery.id).values
                .first(where: { $0.count > 1 })
        else { return nil }
        return (
            "names that differ in more than \".\" and \"-\" beside home_assistant",
            "\(Words.all(names))"
        )
    }

    package func outlet(_ context: SinkContext) throws -> any DurableOutlet {
        var settings = settings
        settings.clientID = clientID ?? "keywedge-\(context.register)-\(context.name)"
        let secrets = context.secrets
        var security = MQTTSecurity()
        if let user { security.user = { try secrets.secret(user) } }
        if let password { security.password = { try secrets.secret(password) } }
        security.authorityFile = try tls.authorityFile.map(secrets.path(of:))
        security.trustsOnlyThese = tls.trustsOnlyThese
        security.certificateFile = try tls.certificateFile.map(secrets.path(of:))
        security.keyFile = try tls.keyFile.map(secrets.path(of:))
        // Read the secrets now to report errors early; they are read again for each connection.
        _ = try security.user?()
        _ = try security.password?()
        var register = MQTTRegister(context.register, scanners: context.scanners)
        register.sink = context.name
        register.filter = durable.filter
        register.version = context.version
        return try MQTTOutlet(
            settings, security: security, register: register, memory: context.memory)
    }
}

extension MQTTSettings {
    /// The topic that the setting `home_assistant` requires, in words for an error; nil if the topic is suitable.
    fileprivate var topicForDiscovery: String? {
        guard discoveryPrefix != nil else { return nil }
        if !topic.hasFilterOfAllTypes {
            return "beside home_assistant, {type} as a whole level, or none"
        }
        guard let presence, topic.covers(presence.topic) else { return nil }
        return "beside home_assistant, a topic that does not include the topic of presence, "
            + "\(presence.topic)"
    }
}

extension Codec<[MQTTAddress]> {
    fileprivate static let brokers: Self = {
        let broker = Codec<MQTTAddress>.text(
            "the address of a broker such as mqtts://broker.lan, without user and path",
            .text(pattern: "^[Mm][Qq][Tt][Tt][Ss]?://[^/@ ]+/?$"), read: MQTTAddress.init,
            write: \.description)
        var codec = oneOrMany("a broker or a list of them", of: broker) { _, brokers in
            reportRepeats(in: brokers, by: \.self) { item, broker, _ in
                item.report(expected: "each broker once", found: "\(broker.description) again")
            }
        }
        codec.write = { [many = codec.write] in $0.count == 1 ? broker.write($0[0]) : many($0) }
        return codec
    }()
}

extension Codec<TopicTemplate> {
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

extension Codec<MQTTSettings.Presence?> {
    fileprivate static let presence: Self = words(
        [("none", nil)], or: MQTTSettings.Presence.section.codec.map({ .some($0) }, { $0 }),
        expected: "none, or a mapping such as {retain: false}")
}

extension MQTTSettings.Presence {
    fileprivate static let section = Section(
        "presence", MQTTSettings.Presence(), onOneLine: { _ in true }
    ) {
        Setting("topic", \.topic, .topic([.register]), "The message's topic.")
        Setting(
            "retain", \.isRetained, .flag,
            "Whether the broker retains the message for later subscribers.")
        Setting(
            "will_delay", \.willDelay, .duration(in: .zero ... .seconds(3600)),
            "How long after a broken connection the broker publishes offline (MQTT 5).")
    }
}
