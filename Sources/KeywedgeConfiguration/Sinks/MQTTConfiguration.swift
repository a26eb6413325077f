package import Catalog
package import Sinks

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
    /// The password.
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
    /// - Parameter address: The broker.
    package init(address: MQTTAddress) {
        settings = MQTTSettings(address: address)
        settings.presence = MQTTSettings.Presence()
    }
}
