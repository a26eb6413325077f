package import Barcodes
import Catalog
import HTTPCatalog
package import KeywedgeConfiguration
import Synchronization
import WebAPI

/// Tries a catalog that is reached over HTTP: name, connection, TLS, authentication, codes it has and
/// one it has not; and tells what it read, and for each step that fails what to write.
///
/// What it advises was tried where that is possible: it asks again, for every code, with the setting
/// in place.
package struct EndpointCheck: Sendable {
    /// How long each step may take: far beyond what a lookup waits, so that slow is told from dead.
    package static let standardTimeout = Duration.seconds(10)

    let catalog: HTTPCatalogConfiguration
    let codes: EndpointCodes
    let decoder: BarcodeDecoder
    let opening: CatalogFactory
    let deadline: Duration
    let unit: UnitNetwork?
    let timeout: Duration
    let clock: any Clock<Duration>
    private let secrets = Secrets()

    /// The secrets that were sent so far: a catalog may repeat them anywhere.
    private final class Secrets: Sendable {
        let masks = Mutex<[Redaction]>([])
    }

    /// Makes a check; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - codes: The codes it is tried with.
    ///   - decoder: Reads them, as it reads scans.
    ///   - opening: Reads secrets and makes the catalog.
    ///   - deadline: How long a lookup has in all, whatever one request may take.
    ///   - unit: What the daemon reaches over the network when systemd runs it; nil where that is
    ///     not to be looked at.
    ///   - timeout: How long each step may take.
    ///   - clock: What tells how long it took.
    package init(
        _ catalog: HTTPCatalogConfiguration, codes: EndpointCodes,
        decoder: BarcodeDecoder = BarcodeDecoder(), opening: CatalogFactory,
        deadline: Duration = CatalogSources.standardDeadline,
        unit: UnitNetwork? = nil, timeout: Duration = standardTimeout,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.catalog = catalog
        self.codes = codes
        self.decoder = decoder
        self.opening = opening
        self.deadline = deadline
        self.unit = unit
        self.timeout = timeout
        self.clock = clock
    }

    /// Tries all of it; what cannot be tried since an earlier step failed is told as well.
    ///
    /// - Returns: What it came to.
    package func run() async -> EndpointReport {
        var findings = await connect()
        if findings.allSatisfy({ $0.verdict != .fails }) {
            let denied = await unitFinding()
            findings += await ask() + [denied].compactMap(\.self)
        }
        for step in EndpointReport.Step.allCases
        where step != .unit && !findings.contains(where: { $0.step == step }) {
            findings.append(
                EndpointReport.Finding(
                    step: step, verdict: .notTried, text: "not tried: an earlier step failed"))
        }
        return EndpointReport(
            catalog: catalog.declaration.name, url: catalog.declaration.url,
            findings: findings.map(masked))
    }

    /// Asks for a code with a configuration that may be another one.
    func trial(
        _ code: String, in catalog: HTTPCatalogConfiguration
    ) async throws -> EndpointTrial {
        let trial = try await EndpointTrial(
            decoder.decode(code, aim: nil), in: catalog, opening, timeout: timeout,
            clock: clock)
        secrets.masks.withLock { $0 += trial.steps.compactMap(\.mask) }
        return trial
    }

    /// A finding without the secrets that the catalog repeated.
    private func masked(_ finding: EndpointReport.Finding) -> EndpointReport.Finding {
        let masks = secrets.masks.withLock { $0 }
        return finding.mapped { text in masks.reduce(text) { $1.applied(to: $0) } }
    }

    /// The catalog with a setting changed.
    func changed(
        _ change: (inout HTTPCatalogConfiguration) -> Void
    ) -> HTTPCatalogConfiguration {
        var changed = catalog
        change(&changed)
        return changed
    }
}
