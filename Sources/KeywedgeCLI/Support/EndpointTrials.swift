import ArgumentParser
import Barcodes
import Catalog
import Diagnosis
import Events
import HTTPCatalog
import KeywedgeConfiguration
import WireText

/// Tries the configured HTTP catalogs, one after another.
struct EndpointTrials {
    let configuration: Configuration
    /// The catalogs to try; empty for all.
    let names: [String]
    /// Codes that the catalogs know, with or without prices.
    let known: [String]
    /// A code that they do not know.
    let unknown: String?
    /// The embedded catalog's file, which provides codes to try.
    let embedded: String?
    /// The folder with the service manager's credentials.
    var credentialsFolder = Credentials.folder

    /// Tries the catalogs and prints the outcome; throws if one of them fails.
    func run(as format: ObjectFormat, _ quiet: QuietOption) async throws {
        let catalogs = try chosen()
        var output = DescriptorWriter.standardOutput()
        let unit = await UnitState.asked()
        var failures = 0
        for catalog in catalogs {
            let report = await check(of: catalog, unit).run()
            try Task.checkCancellation()
            if report.worst == .fails { failures += 1 }
            let (name, url) = (catalog.declaration.name, catalog.declaration.url)
            let lines = report.findings.flatMap(\.lines)
            try format.write(
                report.json(["catalog": .string(name), "url": .string(url)]),
                [Escaping.sentence.escaped("\(name)  \(url)")] + lines + [""], to: &output)
            try output.flush()
        }
        let count = catalogs.count.counted("catalog")
        quiet.say("\(count) tried, \(failures) failed")
        if failures > 0 { throw ExitCode(Ending.Code.failed) }
    }

    func check(of catalog: HTTPCatalogConfiguration, _ unit: UnitState?) -> EndpointCheck {
        EndpointCheck(
            catalog, codes: codes(for: catalog.declaration.name),
            decoder: BarcodeDecoder(settings: configuration.barcodes), opening: opening,
            deadline: configuration.catalog.deadline, unit: unit.map { UnitNetwork($0) })
    }

    private func chosen() throws -> [HTTPCatalogConfiguration] {
        let all = configuration.catalog.sources.compactMap { source in
            if case .http(let catalog) = source { catalog } else { nil }
        }
        guard !all.isEmpty else {
            throw Failure(
                "no catalog over HTTP is configured; expected one in catalog.sources (docs/catalog-http.md)"
            )
        }
        guard !names.isEmpty else { return all }
        return try names.map { name in
            if let catalog = all.first(where: { $0.declaration.name == name }) { return catalog }
            let known = all.map(\.declaration.name).joined(separator: ", ")
            throw Failure(
                "no catalog over HTTP is called \(name.quoted()); there is \(known)"
            )
        }
    }

    private func codes(for catalog: String) -> EndpointCodes {
        var codes = known.map(EndpointCodes.Known.init(reading:))
        if codes.isEmpty, let documented = EndpointCodes.documented(for: catalog) {
            codes.append(EndpointCodes.Known(documented))
        }
        let samples = embedded.flatMap { try? CatalogFile(path: $0).sampleCodes() } ?? []
        for sample in samples where codes.count < 2 && !codes.contains(where: { $0.code == sample })
        {
            codes.append(EndpointCodes.Known(sample, isGuess: true))
        }
        return EndpointCodes(known: codes, unknown: unknown)
    }

    private var opening: CatalogFactory {
        CatalogFactory(
            secrets: SecretReader(credentialsFolder: credentialsFolder),
            userAgent: "keywedge/\(Keywedge.configuration.version)"
        ) { StandardError.write($0) }
    }
}
