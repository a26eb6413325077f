package import HTTPCatalog
import WebAPI
import WireText

/// A web server that events go to.
package struct WebhookConfiguration: Equatable, Sendable {
    /// Its cursor, and which events it gets.
    package var durable = DurableSinkConfiguration()
    /// Where events go, as it was written.
    package var url: String
    /// What signs the requests: one secret, or two while one takes the place of the other.
    package var secrets: [SecretSource]
    /// How long the server may take for an event.
    package var timeout = Duration.seconds(15)
    /// How connections are secured.
    package var tls = TLSConfiguration()

    /// Makes a configuration with its defaults.
    ///
    /// - Parameters:
    ///   - url: Where events go.
    ///   - secrets: What signs the requests.
    package init(url: String, secrets: [SecretSource]) {
        self.url = url
        self.secrets = secrets
    }
}

extension WebhookConfiguration {
    static let section = Section("webhook", WebhookConfiguration(url: "", secrets: [])) {
        DurableSinkConfiguration.settings.map { $0.inside(\.durable) }
        Setting(
            "url", \.url,
            .text("an http or https URL", .string(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://")) {
                (try? Location($0)) != nil
            }, "Where events go.", needed: "where events go")
        Setting(
            "secret_file", \.secrets,
            .oneOrMany("the path of a file with the secret, or two", of: .secret),
            """
            A file with the secret (whsec_… or whsk_…), or credential:NAME; two while one takes the \
            place of the other.
            """, needed: "the path of a file with the secret, or credential:NAME")
        Setting(
            "timeout", \.timeout, .duration(in: .seconds(1) ... .seconds(60)),
            "How long the server may take for an event.")
        Setting("tls", \.tls, TLSConfiguration.section.codec, "How connections are secured.")
    } check: { webhook, section in
        if webhook.secrets.count > 2 {
            section.at(\.secrets).report(
                expected: "one secret or two", found: "\(String(webhook.secrets.count))")
        }
    }
}
