import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

extension EndpointCheck {
    /// What mends a connection that could not be made.
    func remedies(for error: ConnectionError, _ origin: Origin) async -> [Remedy] {
        switch error.kind {
        case .unknownHost:
            [
                remedy(
                    "Check the host's name, and that this box has a name server (resolvectl query "
                        + "\(origin.host)). If the name is another one, say so.",
                    catalog, ["url"])
            ]
        case .refused: await elsewhere(origin)
        case .timedOut where error.phase == .tls: await otherTLS(origin)
        case .unreachable, .timedOut:
            [
                remedy(
                    "Nothing answers at \(origin.host): check the network of this box and the "
                        + "firewalls on the way. If the catalog is elsewhere, say so.",
                    catalog, ["url"])
            ]
        case .certificateNotTrusted, .certificateNotVerified: await authority(origin)
        case .certificateExpired:
            [
                Remedy(
                    "No setting trusts it: whoever runs the server has to renew it. If this box "
                        + "thinks that today is another day, set its clock (timedatectl).")
            ]
        case .certificateNotYetValid:
            [
                Remedy(
                    "No setting trusts it yet: set the clock of this box "
                        + "(timedatectl set-ntp true), or ask whoever runs the server.")
            ]
        case .certificateForAnotherHost: [otherHost(origin)]
        case .keyNotPinned(let found): [pin(found)]
        case .clientCertificateRefused: [clientCertificate]
        case .noCommonTLS: await otherTLS(origin)
        case .handshakeRefused: await otherTLS(origin) + [clientCertificate]
        default: await otherTLS(origin)
        }
    }

    /// What mends a connection that takes longer than lookups wait.
    func slowConnection(_ took: Duration) -> Remedy {
        let limit = Self.roomy(took, within: deadline)
        let attempt = max(limit, catalog.declaration.resilience.attemptTimeout)
        return remedy(
            "Wait longer.\(deadlineBeyond(attempt))",
            changed { catalog in
                catalog.declaration.resilience.connectTimeout = limit
                catalog.declaration.resilience.attemptTimeout = attempt
            }, ["connect_timeout"], ["attempt_timeout"])
    }

    /// The longest that a setting may be.
    private static let longestLimit = Duration.seconds(60)

    /// Twice as long, in half seconds, as far as a setting may go; no longer than lookups have in all
    /// where that is long enough.
    static func roomy(_ took: Duration, within deadline: Duration) -> Duration {
        let halfSeconds: Int64 = took.wholeMilliseconds * 2 / 500 + 1
        let roomy = min(.milliseconds(halfSeconds * 500), longestLimit)
        return took < deadline ? min(roomy, deadline) : roomy
    }

    /// What else has to be set where a limit is beyond what lookups have in all.
    func deadlineBeyond(_ limit: Duration) -> String {
        guard limit > deadline else { return "" }
        return " A lookup has no more than \(Self.shown(deadline)) in all: set catalog.deadline to "
            + "\(Self.shown(limit)) or more as well."
    }

    /// What to write where files for TLS cannot be read.
    var unusableFiles: Remedy {
        remedy(
            "Put the files in place, readable for the user keywedge runs as, or name others.",
            catalog, ["tls"])
    }

    /// Somebody may listen on another port.
    private func elsewhere(_ origin: Origin) async -> [Remedy] {
        for text in ["https://\(origin.host)", "http://\(origin.host)"] {
            guard let other = try? Address(text).origin, other != origin,
                let report = try? await probe(other, catalog), report.error == nil
            else { continue }
            return [
                remedy(
                    "Nobody listens on port \(origin.port), but on \(other.port) somebody does.",
                    changed { $0.declaration.url = Self.moved($0.declaration.url, to: other) },
                    ["url"])
            ]
        }
        return [
            remedy(
                "Nobody listens on port \(origin.port) of \(origin.host): start the catalog's "
                    + "server, or write the port it listens on.", catalog, ["url"])
        ]
    }

    /// The URL with another scheme and port.
    static func moved(_ url: String, to origin: Origin) -> String {
        guard let address = try? Address(url) else { return url }
        return origin.description + (address.path == "/" ? "" : address.path)
    }

    private func authority(_ origin: Origin) async -> [Remedy] {
        if catalog.tls.trustsOnlyThese {
            let open = changed { $0.tls.trustsOnlyThese = false }
            if let report = try? await probe(origin, open), report.error == nil {
                return [
                    remedy(
                        "An authority that this box trusts signed it: trust those as well.", open,
                        ["tls", "only_ca_file"])
                ]
            }
        }
        if let file = catalog.tls.authorityFile {
            return [
                remedy(
                    "None of the authorities in \(file.description.quoted()) signed it. Get the "
                        + "certificate of the one that did from whoever runs the server, and put "
                        + "it there, or name another file.", catalog, ["tls", "ca_file"])
            ]
        }
        return [
            remedy(
                "If the server is your own or your company's, get the certificate of the authority "
                    + "that signed its certificate from whoever runs it (not over this connection, "
                    + "which nobody vouches for), and put it into a file.",
                changed { $0.tls.authorityFile = .file(path: file("-ca.pem")) }, ["tls", "ca_file"])
        ]
    }

    private func otherHost(_ origin: Origin) -> Remedy {
        remedy(
            "Write the name the certificate is for in place of \(origin.host); openssl s_client "
                + "-connect \(origin.host):\(origin.port) </dev/null | openssl x509 -noout -ext "
                + "subjectAltName shows it. It has to lead to this server.", catalog, ["url"])
    }

    private func pin(_ found: PinnedKey) -> Remedy {
        remedy(
            "If whoever runs the server says that it has a new key, and that it is this one, pin it.",
            changed { $0.tls.pinnedKeys = [found] }, ["tls", "pinned_keys"])
    }

    private var clientCertificate: Remedy {
        remedy(
            "The server wants to know who connects: get a certificate that it trusts from whoever "
                + "runs it, with its key, and put them into files.",
            changed { catalog in
                let tls = catalog.tls
                catalog.tls.certificateFile = tls.certificateFile ?? .file(path: file(".pem"))
                catalog.tls.keyFile = tls.keyFile ?? .file(path: file("-key.pem"))
            }, ["tls", "certificate_file"], ["tls", "key_file"])
    }

    /// Where a file for the catalog would lie.
    func file(_ end: String) -> String {
        "/etc/keywedge/" + catalog.declaration.name + end
    }

    /// Another version of TLS, or none, may do.
    private func otherTLS(_ origin: Origin) async -> [Remedy] {
        if catalog.tls.minimum == .tls13 {
            let older = changed { $0.tls.minimum = .tls12 }
            if let report = try? await probe(origin, older), report.error == nil {
                return [
                    remedy(
                        "The server speaks nothing newer than TLS 1.2: allow that.", older,
                        ["tls", "minimum"])
                ]
            }
        }
        if let plain = try? Address("http://\(origin.host):\(origin.port)").origin,
            await speaksPlainly(plain)
        {
            return [
                remedy(
                    "The server speaks HTTP without TLS there. Write the port for TLS; or, where "
                        + "nobody else is on the network, do without.",
                    changed { $0.declaration.url = Self.moved($0.declaration.url, to: plain) },
                    ["url"])
            ]
        }
        return [
            Remedy(
                "The server has to speak TLS 1.2 or newer (RFC 8996); no setting goes below that.")
        ]
    }

    /// Whether a server answers to HTTP without TLS; nothing that authenticates us is sent.
    private func speaksPlainly(_ origin: Origin) async -> Bool {
        guard let address = try? Address(origin.description),
            let transport = try? AsyncHTTPClientTransport(
                limits: TransportLimits(connect: timeout))
        else { return false }
        let output = await transport.output(for: Request(address, .head), within: timeout)
        await transport.shutdown()
        return output.response != nil
    }
}
