package import Barcodes
import Catalog
import HTTPCatalog
package import KeywedgeConfiguration
import Synchronization
import WebAPI

/// Tests an HTTP catalog in steps: host name, connection, TLS, authentication, known codes and an unknown code.
///
/// Each code is looked up once. If an answer shows why a step failed, the finding contains the setting to write.
package struct EndpointCheck: Sendable {
    /// The time limit for each step; much longer than a lookup waits, so that a slow server does not seem dead.
    package static let standardTimeout = Duration.seconds(10)

    private static let steps: [Finding.Subject] = [
        .name, .connection, .tls, .authentication, .knownCode, .unknownCode,
    ]

    var catalog: HTTPCatalogConfiguration
    let codes: EndpointCodes
    let decoder: BarcodeDecoder
    let opening: CatalogFactory
    let deadline: Duration
    let timeout: Duration
    let clock: any Clock<Duration>
    private let unit: UnitNetwork?

    /// If `unit` is nil, network restrictions are not checked.
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

    /// Runs all steps, and also reports the steps that were skipped because an earlier one failed.
    package func run() async -> Report {
        var findings = await connect()
        if findings.allSatisfy({ $0.verdict != .fails }) {
            findings += await ask() + [await denied].compactMap(\.self)
        }
        for step in Self.steps where !findings.contains(where: { $0.subject == step }) {
            findings.append(Finding(step, .notTried, "not tried: an earlier step failed"))
        }
        return Report(findings: findings)
    }

    private func ask() async -> [Finding] {
        var known: [EndpointTrial] = []
        var unknown: EndpointTrial?
        var findings: [Finding]
        do {
            for code in codes.known {
                known.append(try await trial(code))
                if known.contains(where: { refused($0) != nil }) { break }
            }
            if let code = unknownCode, known.allSatisfy({ refused($0) == nil }) {
                unknown = try await trial(EndpointCodes.Known(code))
            }
            findings = judged(known, unknown)
        } catch {
            findings = [Finding(.authentication, .fails, "\(error)")]
        }
        // A catalog may repeat secrets anywhere in its answers.
        let masks = (known + [unknown].compactMap(\.self)).flatMap(\.steps).compactMap(\.mask)
        for index in findings.indices {
            findings[index].mapTexts { text in masks.reduce(text) { $1.applied(to: $0) } }
        }
        return findings
    }

    private func trial(_ code: EndpointCodes.Known) async throws -> EndpointTrial {
        try await EndpointTrial(
            code, decoder.decode(code.code, aim: nil), in: catalog, opening, timeout: timeout,
            clock: clock)
    }

    /// The unknown code to request: the user's, or else the first unused code in a format that the catalog accepts.
    private var unknownCode: String? {
        if let unknown = codes.unknown { return unknown }
        return EndpointCodes.unused.first { code in
            !catalog.declaration.codes.texts(of: decoder.decode(code, aim: nil)).isEmpty
        }
    }

    /// A failure if the daemon's unit blocks a host that this command has just reached; otherwise nil.
    private var denied: Finding? {
        get async {
            var urls = [catalog.declaration.url]
            if case .oauth2(let client) = catalog.declaration.authentication {
                urls.append(client.tokenURL)
            }
            let hosts = urls.compactMap { (try? Location($0))?.address.origin.host }
            return await unit?.denial(of: hosts, to: catalog.declaration.name).map {
                Finding(.daemon, .fails, $0.text, mend: $0.remedy)
            }
        }
    }
}

extension EndpointCheck {
    /// A remedy that shows some settings, such as `tls.ca_file`, with the values that `change` gives them.
    ///
    /// If `change` does not affect them, the remedy asks the user to review their current values.
    func remedy(
        _ advice: String, _ paths: String...,
        change: (inout HTTPCatalogConfiguration) -> Void = { _ in }
    ) -> Remedy {
        var (remedy, changed) = (Remedy(advice), catalog)
        change(&changed)
        let paths = paths.map { $0.split(separator: ".").map(String.init) }
        let (setting, standing) = (changed.lines(of: paths), catalog.lines(of: paths))
        if setting == standing { remedy.standing = standing } else { remedy.setting = setting }
        return remedy
    }

    func file(_ end: String) -> String {
        "/etc/keywedge/" + catalog.declaration.name + end
    }

    static func shown(_ duration: Duration) -> String {
        DurationText.text(.milliseconds(duration.wholeMilliseconds))
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least one.
    var wholeMilliseconds: Int64 {
        max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}

extension Finding {
    fileprivate mutating func mapTexts(_ change: (String) -> String) {
        text = change(text)
        details = details.map(change)
        for index in remedies.indices {
            remedies[index].advice = change(remedies[index].advice)
            remedies[index].setting = remedies[index].setting.map(change)
            remedies[index].standing = remedies[index].standing.map(change)
        }
    }
}
