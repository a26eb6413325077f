import KeywedgeConfiguration
import Sinks
import WebAPI
import WireText

extension Remedy {
    /// The remedy for a sink's trouble; `local` is the command that starts the sink's server on this box, if any.
    init(
        for trouble: SinkTrouble, of sink: SinkConfiguration, host: String, starting local: String?,
        file: String
    ) {
        let hasUser = sink.settings.needs.count > sink.settings.tls.files.count
        switch trouble.cause {
        case .credentials where !hasUser:
            self.init(
                "\(host) runs, and wants a user and a password: write them into files, and name these.",
                into: file,
                setting: [
                    "events:", "  - mqtt:", "      user_file: /etc/keywedge/mqtt-user",
                    "      password_file: /etc/keywedge/mqtt-password",
                ])
        case .content:
            self.init(
                "Write what is expected into the file. The daemon reads it again on its own, or at once "
                    + "after a restart.", run: "systemctl restart keywedge")
        case .credentials:
            self.init(
                "\(host) runs, and knows another user or password: write its own into the files that "
                    + "user_file and password_file name, or let it know these (mosquitto_passwd), "
                    + "with the right to publish.")
        case .refusal where trouble.description.contains("before it answered"):
            self.init(
                "Perhaps the port is for TLS: write mqtts:// in place of mqtt:// (port 8883), or the port "
                    + "without TLS (1883). With mqtts://, the broker may want a certificate_file.")
        case .refusal where trouble.description.contains("has not answered"):
            self.init(
                "\(host) accepts the connection, but says nothing: check that a broker listens at "
                    + "that port, and whether it is for TLS (mqtts://).")
        case .refusal:
            self.init(
                "\(host) can be reached, but refuses the connection for the reason that it names: fix it "
                    + "there, or in the sink's settings.")
        case .connection(let error): self = Self.connecting(to: host, error, starting: local)
        }
    }

    private static func connecting(
        to host: String, _ error: ConnectionError, starting local: String?
    ) -> Remedy {
        switch error.kind {
        case .refused:
            local.map { Remedy("Start it.", run: $0) }
                ?? Remedy(
                    "Nothing listens there: check that \(host) runs and that the port is right; events "
                        + "wait in the journal.")
        case .certificateNotTrusted, .certificateNotVerified:
            Remedy("Name the certificate of the authority that signed the server's: ca_file.")
        case .certificateForAnotherHost:
            Remedy("Write the name that the server's certificate is for into url.")
        case .clientCertificateRefused, .handshakeRefused:
            Remedy(
                "Get a certificate that the server trusts, and name it and its key: certificate_file "
                    + "and key_file.")
        case .keyNotPinned(let key):
            Remedy(
                "If the server's operator confirms that this is its new key, pin it: pinned_keys: "
                    + "[\("\(key)".quoted(upTo: .max))].")
        case .noCommonTLS, .tlsFailed, .closed, .malformed:
            Remedy("Check that the port is for TLS if and only if url says so (https, mqtts).")
        default:
            connecting(to: host, error.kind)
                ?? Remedy("Check that \(host) runs and can be reached; events wait in the journal.")
        }
    }
}
