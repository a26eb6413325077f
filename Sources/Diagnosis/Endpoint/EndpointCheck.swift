package import Barcodes
import Catalog
import HTTPCatalog
package import KeywedgeConfiguration
import Synchronization
import WebAPI

/// A test of an HTTP catalog in steps, from the host name to the lookup of an unknown code.
///
/// Each code is looked up once. If a step fails and the answer shows the reason, the finding suggests a remedy.
package struct EndpointCheck: Sendable {
    private static let steps: [Finding.Subject] = [
        .name, .connection, .tls, .authentication, .knownCode, .unknownCode,
    ]

    var catalog: HTTPCatalogConfiguration
    let codes: EndpointCodes
    let opening: CatalogFactory
    package var decoder = BarcodeDecoder()
    /// The time that a lookup may take in total.
    package var deadline = CatalogSources.standardDeadline
    /// The network restrictions of the daemon's unit; nil if there is no unit.
    package var unit: UnitNetwork?
    /// The time limit for each step; longer than the usual limit of a lookup, to measure slow servers too.
    var timeout = Duration.seconds(10)
    var clock: any Clock<Duration> = ContinuousClock()
}

extension EndpointCheck {
    package init(
        _ catalog: HTTPCatalogConfiguration, codes: EndpointCodes, opening: CatalogFactory
    ) {
        self.init(catalog: catalog, codes: codes, opening: opening)
    }

    /// Runs all steps, and also reports the steps that were skipped because an earlier one failed.
    package func run() async -> Report {
        var findings = await connect()
        if findings.allSatisfy({ $0.verdict != .fails }) {
            findings += await ask() + denied()
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

    /// A code that no product should have: the user's, or else a default that the catalog accepts; nil if none.
    private var unknownCode: String? {
        if let unknown = codes.unknown { return unknown }
        return EndpointCodes.unused.first {
            !catalog.declaration.codes.texts(of: decoder.decode($0, aim: nil)).isEmpty
        }
    }

    /// Returns a failure if the daemon's unit blocks a host that this command has just reached.
    private func denied() async -> [Finding] {
        var urls = [catalog.declaration.url]
        if case .oauth2(let client) = catalog.declaration.authentication {
            urls.append(client.tokenURL)
        }
        let hosts = urls.compactMap { (try? Location($0))?.address.origin.host }
        guard let denial = await unit?.denial(of: hosts, to: catalog.declaration.name)
        else { return [] }
        return [Finding(.daemon, .fails, denial.text, mend: [denial.remedy])]
    }
}

extension EndpointCheck {
    /// Returns a remedy that shows the settings at `paths` after `change` has been applied.
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
    /// The duration in milliseconds, rounded down, but at least one.
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
