import ArgumentParser
import Barcodes
import Catalog
import Diagnosis
import Events
import HTTPCatalog
import KeywedgeConfiguration
import WireText

/// Tries the configured catalogs over HTTP, one after the other.
struct EndpointTrials {
    /// The configuration.
    let configuration: Configuration
    /// The catalogs to try; empty for all.
    let names: [String]
    /// Codes that the catalogs have, with or without prices.
    let known: [String]
    /// A code that they do not have.
    let unknown: String?
    /// The embedded catalog's file, for a code to try.
    let embedded: String?
    /// Where the credentials of the service manager are.
    var credentialsFolder = Credentials.folder

    /// Tries them and prints the outcome; fails if a catalog does.
    func run() async throws {
        let catalogs = try chosen()
        var output = DescriptorWriter.standardOutput()
        var failures = 0
        for catalog in catalogs {
            let report = await check(of: catalog).run()
            try Task.checkCancellation()
            if !report.holds { failures += 1 }
            for line in report.lines + [""] { try output.write(Array("\(line)\n".utf8)) }
            try output.flush()
        }
        let count = catalogs.count.counted("catalog")
        StandardError.write("keywedge: \(count) tried, \(failures) failed")
        if failures > 0 { throw ExitCode(Ending.Code.failed) }
    }

    /// The check of one catalog.
    func check(of catalog: HTTPCatalogConfiguration) -> EndpointCheck {
        EndpointCheck(
            catalog, codes: codes(for: catalog.declaration.name),
            decoder: BarcodeDecoder(settings: configuration.barcodes), opening: opening,
            deadline: configuration.catalog.deadline, unit: UnitNetwork())
    }

    private func chosen() throws -> [HTTPCatalogConfiguration] {
        let all = configuration.catalog.sources.compactMap { source in
            if case .http(let catalog) = source { catalog } else { nil }
        }
        guard !all.isEmpty else { throw Failure("no catalog over HTTP is configured") }
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
        ) { StandardError.write("keywedge: \($0)") }
    }
}
