import HTTPCatalog
import KeywedgeConfiguration
import WebAPI

extension EndpointCheck {
    func connect() async -> [Finding] {
        // The configuration accepts only URLs with a valid origin.
        guard let origin = try? Address(catalog.declaration.url).origin else { return [] }
        let probe: ConnectionProbe
        do {
            probe = try ConnectionProbe(
                tls: catalog.tls.options(for: catalog.declaration.name, opening.secrets))
        } catch {
            let remedy = remedy(
                "Put the files in place, readable by the user that keywedge runs as, or name others.",
                "tls")
            return [.name, .connection].map {
                Finding($0, .notTried, "not tried: the settings for TLS cannot be used")
            } + [Finding(.tls, .fails, "\(error)", mend: [remedy])]
        }
        let took = Self.timer(clock)
        let report = await probe.run(to: origin, within: timeout)
        guard let error = report.error else { return made(report, origin, took: took()) }
        let name = Finding(.name, .holds, Self.name(origin))
        let remedies = remedies(for: error, origin)
        switch error.phase {
        case .dns: return [Finding(.name, .fails, "\(error)", mend: remedies)]
        case .tls:
            let peer = report.peer.map { "connected to \($0)" } ?? "connected"
            return [
                name, Finding(.connection, .holds, peer),
                Finding(.tls, .fails, "\(error)", mend: remedies),
            ]
        default: return [name, Finding(.connection, .fails, "\(error)", mend: remedies)]
        }
    }

    private func made(_ report: ConnectionReport, _ origin: Origin, took: Duration) -> [Finding] {
        let limit = catalog.declaration.resilience.connectTimeout
        let text = "connected to \(report.peer ?? "the server") in \(Self.shown(took))"
        let connection =
            took > limit
            ? Finding(
                .connection, .fails, text + ", but a lookup waits for \(Self.shown(limit)) only",
                mend: [slow(took, isConnection: true)])
            : Finding(.connection, .holds, text)
        let key = report.chain.first.map { ", until \($0.validUntil); its key is \($0.key)" } ?? ""
        let security =
            origin.scheme == .https
            ? Finding(.tls, .holds, "the certificate is trusted" + key)
            : Finding(
                .tls, .notTried,
                "the URL starts with http: anyone on the way can read and change all of it")
        return [Finding(.name, .holds, Self.name(origin)), connection, security]
    }

    private static func timer(_ clock: some Clock<Duration>) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    private static func name(_ origin: Origin) -> String {
        let isAddress =
            origin.host.hasPrefix("[") || origin.host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress ? "\(origin.host) is an address" : "\(origin.host) has an address"
    }
}

extension EndpointCheck {
    private func remedies(for error: ConnectionError, _ origin: Origin) -> [Remedy] {
        switch error.kind {
        case .certificateNotTrusted, .certificateNotVerified: return [authority]
        case .certificateExpired, .certificateNotYetValid:
            return [.connecting(to: origin.host, error.kind)]
        case .keyNotPinned(let found):
            return [
                remedy(
                    "If the server's operator confirms that this is its new key, pin it.",
                    "tls.pinned_keys"
                ) { $0.tls.pinnedKeys = [found] }
            ]
        case .clientCertificateRefused: return [clientCertificate]
        case let kind where error.phase == .tls && kind != .certificateForAnotherHost:
            var remedies = [
                remedy(
                    "The server has to speak TLS 1.2 or newer (RFC 8996): write the port where it "
                        + "does.", "url")
            ]
            if error.kind == .handshakeRefused { remedies.insert(clientCertificate, at: 0) }
            if catalog.tls.minimum == .tls13 {
                let advice = "If the server speaks nothing newer than TLS 1.2, allow that."
                remedies.insert(remedy(advice, "tls.minimum") { $0.tls.minimum = .tls12 }, at: 0)
            }
            return remedies
        default:
            var remedy = Remedy.connecting(to: origin.host, error.kind)
            remedy.standing = catalog.lines(of: [["url"]])
            return [remedy]
        }
    }

    private var authority: Remedy {
        guard let file = catalog.tls.authorityFile else {
            return remedy(
                "If the server is your own or your company's, get the certificate of the authority "
                    + "that signed its certificate from its operator (not over this connection, "
                    + "which is not verified), and put it into a file.", "tls.ca_file"
            ) { $0.tls.authorityFile = .file(path: self.file("-ca.pem")) }
        }
        return remedy(
            "None of the authorities in \(file.description.quoted()) signed it. Get the "
                + "certificate of the one that did from the server's operator, and put it there, "
                + "or name another file.", "tls.ca_file", "tls.only_ca_file")
    }

    private var clientCertificate: Remedy {
        remedy(
            "The server requires a certificate from its clients: get one that it trusts, with "
                + "its key, from its operator, and put them into files.",
            "tls.certificate_file", "tls.key_file"
        ) {
            $0.tls.certificateFile = $0.tls.certificateFile ?? .file(path: file(".pem"))
            $0.tls.keyFile = $0.tls.keyFile ?? .file(path: file("-key.pem"))
        }
    }

    func slow(_ took: Duration, isConnection: Bool) -> Remedy {
        let limit = Self.roomy(took, within: deadline)
        let attempt = max(limit, catalog.declaration.resilience.attemptTimeout)
        let beyond =
            attempt > deadline
            ? " A lookup has no more than \(Self.shown(deadline)) in all: set catalog.deadline to "
                + "\(Self.shown(attempt)) or more as well." : ""
        return remedy(
            "Wait longer." + beyond, isConnection ? "connect_timeout" : "attempt_timeout",
            "attempt_timeout"
        ) {
            if isConnection { $0.declaration.resilience.connectTimeout = limit }
            $0.declaration.resilience.attemptTimeout = attempt
        }
    }

    /// Returns a timeout of about twice `took`: at most 60 s and, if `took` < `deadline`, at most `deadline`.
    static func roomy(_ took: Duration, within deadline: Duration) -> Duration {
        let halfSeconds: Int64 = took.wholeMilliseconds * 2 / 500 + 1
        let roomy = min(Duration.milliseconds(halfSeconds * 500), .seconds(60))
        return took < deadline ? min(roomy, deadline) : roomy
    }
}
