import ArgumentParser
import Catalog
import Glibc
import HTTPCatalog
import KeywedgeConfiguration

struct CatalogOption: ParsableArguments {
    @Option(
        name: .customLong("catalog"), file: "The embedded catalog; by default the configured one.")
    var path: String?

    func validate() throws {
        try require(path != "", "--catalog: expected a file, found nothing")
    }

    /// Opens the catalogs for product lookups: the one from `--catalog`, or else the configured ones.
    ///
    /// Throws an error if the catalog from `--catalog` cannot be opened. If a configured one cannot be opened, `tell`
    /// gets a message, and lookups use it as soon as it can be opened. If `awaitsFiles` is false, the method throws an
    /// error instead, except for a missing default catalog and for a catalog with an older schema.
    func sources(
        of configuration: Configuration, awaitsFiles: Bool = true,
        tell: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) throws -> CatalogSources {
        if let path { return CatalogSources([try CatalogFile(path: path)]) }
        let factory = CatalogFactory(credentialsFolder: Credentials.folder, report: tell)
        return try factory.sources(of: configuration.catalog, awaitsFiles: awaitsFiles) {
            path, name in
            let isStandard = path == CatalogConfiguration.standardPath
            if isStandard, access(path, F_OK) != 0 {
                tell(
                    "no catalog at \(path): products are looked up as soon as there is one"
                        + " (create it with: keywedge catalog import FILE.csv)")
                return AwaitedSource(path: path, name: name)
            }
            do {
                return try CatalogFile(path: path, name: name)
            } catch let error as CatalogError
                where awaitsFiles || error == .olderSchema(path: path)
            {
                // Scanners still work, and lookups report the problem.
                tell(Failure(error).description)
                return AwaitedSource(path: path, name: name, mayBeMissing: isStandard)
            }
        }
    }

    /// Returns the path of the embedded catalog: the one from `--catalog`, or else the configured one.
    func file(of configuration: Configuration) throws -> String {
        if let path = path ?? configuration.catalog.embeddedPath { return path }
        throw Failure(
            "no embedded catalog is configured; name one with --catalog FILE, or write one into "
                + "catalog.sources")
    }
}

extension CatalogFactory {
    init(credentialsFolder: String?, report: @escaping @Sendable (String) -> Void) {
        self.init(
            secrets: SecretReader(credentialsFolder: credentialsFolder),
            userAgent: "keywedge/\(Keywedge.configuration.version)", report: report)
    }
}

extension CatalogSources {
    /// Whether a catalog could not be opened; a missing default catalog does not count.
    var lacksCatalog: Bool {
        sources.contains { source in
            guard let path = (source as? AwaitedSource<CatalogFile>)?.path else {
                return source is AwaitedSource<DeclaredCatalog>
            }
            return path != CatalogConfiguration.standardPath || access(path, F_OK) == 0
        }
    }
}

struct WaitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long to wait for another process that writes to the catalog; by default 5s.",
            valueName: "time"), transform: durations(.zero ... .seconds(86_400)))
    var wait = Duration.seconds(5)
}

/// The credentials that systemd passes to this process (systemd.exec(5), "Credentials").
enum Credentials {
    static var folder: String? { environmentVariable("CREDENTIALS_DIRECTORY") }
}
