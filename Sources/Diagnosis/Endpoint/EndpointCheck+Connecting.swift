import HTTPCatalog
import KeywedgeConfiguration
import WebAPI

extension EndpointCheck {
    /// Looks the name up, connects and sets up TLS.
    func connect() async -> [EndpointReport.Finding] {
        let origin: Origin
        do throws(AddressError) {
            origin = try Address(catalog.declaration.url).origin
        } catch {
            return [finding(.name, .fails, "\(error)")]
        }
        do {
            let took = Self.timer(clock)
            let report = try await probe(origin, catalog)
            guard let error = report.error else { return made(report, origin, took: took()) }
            return await failed(error, report, origin)
        } catch {
            return [
                finding(.name, .notTried, "not tried: the settings for TLS cannot be used"),
                finding(.connection, .notTried, "not tried: the settings for TLS cannot be used"),
                finding(.tls, .fails, "\(error)", [unusableFiles]),
            ]
        }
    }

    /// Makes a connection as a configuration says.
    func probe(
        _ origin: Origin, _ catalog: HTTPCatalogConfiguration
    ) async throws -> ConnectionReport {
        let options = try catalog.tls.options(for: catalog.declaration.name, opening.secrets)
        do throws(TLSOptionsError) {
            return try await ConnectionProbe(tls: options).run(to: origin, within: timeout)
        } catch {
            throw CatalogOpeningError(catalog: catalog.declaration.name, reason: "\(error)")
        }
    }

    private func made(
        _ report: ConnectionReport, _ origin: Origin, took: Duration
    ) -> [EndpointReport.Finding] {
        let limit = catalog.declaration.resilience.connectTimeout
        let peer = report.peer ?? "the server"
        let connection =
            took > limit
            ? finding(
                .connection, .fails,
                "connected to \(peer) in \(Self.shown(took)), but a lookup waits for "
                    + "\(Self.shown(limit)) only", [slowConnection(took)])
            : finding(.connection, .holds, "connected to \(peer) in \(Self.shown(took))")
        let security =
            if origin.scheme == .https {
                finding(.tls, .holds, Self.certificate(report))
            } else {
                finding(
                    .tls, .notTried,
                    "the URL starts with http: whoever is on the way can read and change all of it"
                )
            }
        return [finding(.name, .holds, Self.name(origin)), connection, security]
    }

    private func failed(
        _ error: ConnectionError, _ report: ConnectionReport, _ origin: Origin
    ) async -> [EndpointReport.Finding] {
        let phase: EndpointReport.Step =
            switch error.phase {
            case .dns: .name
            case .tls: .tls
            default: .connection
            }
        var findings: [EndpointReport.Finding] = []
        if phase != .name { findings.append(finding(.name, .holds, Self.name(origin))) }
        if phase == .tls {
            let peer = report.peer.map { "connected to \($0)" } ?? "connected"
            findings.append(finding(.connection, .holds, peer))
        }
        let remedies = await remedies(for: error, origin)
        return findings + [finding(phase, .fails, "\(error)", remedies)]
    }

    /// One step.
    func finding(
        _ step: EndpointReport.Step, _ verdict: EndpointReport.Verdict, _ text: String,
        _ remedies: [Remedy] = []
    ) -> EndpointReport.Finding {
        EndpointReport.Finding(step: step, verdict: verdict, text: text, remedies: remedies)
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

    private static func certificate(_ report: ConnectionReport) -> String {
        guard let leaf = report.chain.first else { return "the certificate is trusted" }
        return "the certificate is trusted, until \(leaf.validUntil); its key is \(leaf.key)"
    }

    /// A duration for people.
    static func shown(_ duration: Duration) -> String {
        DurationText.text(.milliseconds(duration.wholeMilliseconds))
    }
}

extension Duration {
    /// The whole milliseconds, at least one.
    var wholeMilliseconds: Int64 {
        max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
