package import HTTPCatalog
package import Sinks
import WebAPI
import WireText

/// The settings of a sink that sends events to a web server.
package struct WebhookConfiguration: SinkKind {
    package static let kind = "webhook"
    /// The maximum size of a server's answer in bytes; the content of the answer is ignored.
    private static let longestAnswer = 65_536

    package var durable = DurableSinkConfiguration()
    package var url: String
    /// The secrets for signing requests: one, or two while the old secret is being replaced by a new one.
    package var secrets: [SecretSource]
    package var timeout = Duration.seconds(15)
    package var tls = TLSConfiguration()

    static let section = Section(kind, Self(url: "", secrets: [])) {
        DurableSinkConfiguration.settings.map { $0.inside(\.durable) }
        Setting("url", \.url, .webAddress, "Where events go.", needed: "where events go")
        Setting(
            "secret_file", \.secrets,
            .oneOrMany("the path of a file with the secret, or two", of: .secret),
            "A file with the secret (whsec_… or whsk_…), or credential:NAME; two during a change "
                + "from one to the other.",
            needed: "the path of a file with the secret, or credential:NAME")
        Setting(
            "timeout", \.timeout, .duration(in: .seconds(1) ... .seconds(60)),
            "How long the server may take for an event.")
        Setting("tls", \.tls, TLSConfiguration.section.codec, "How connections are secured.")
    } check: { webhook, section in
        if webhook.secrets.count > 2 {
            section.at("secret_file").report(
                expected: "one secret or two", found: "\(String(webhook.secrets.count))")
        }
    }

    package var journalSettings: DurableSinkConfiguration? { durable }
    package var needs: [SinkNeed] { (secrets + tls.files).map(SinkNeed.secret) }
    package var connected: String { "\(servers.first?.host ?? "the server") can be reached" }

    package var servers: [SinkServer] {
        guard let origin = (try? Location(url))?.address.origin else { return [] }
        return [
            SinkServer(
                description: "\(origin)", host: origin.host, url: "\(origin)",
                sink: SinkConfiguration(self))
        ]
    }

    package func outlet(_ context: SinkContext) throws -> any DurableOutlet {
        let secrets: @Sendable () throws -> [WebhookSecret] = { [secrets] in
            try secrets.map { source in
                let secret = try context.secrets.secret(source)
                do throws(WebhookSecretError) {
                    return try WebhookSecret(secret)
                } catch {
                    let place = source.description.quoted()
                    throw SinkTrouble("the secret in \(place) is of no use: \(error)", .content)
                }
            }
        }
        // Read the secrets now to report errors early; they are read again for each event.
        _ = try secrets()
        let limits = TransportLimits(connect: timeout, responseBytes: Self.longestAnswer)
        return WebhookOutlet(
            to: try Location(url),
            over: try AsyncHTTPClientTransport(
                tls: try tlsOptions(context.secrets), limits: limits),
            secrets: secrets, limit: timeout)
    }
}
