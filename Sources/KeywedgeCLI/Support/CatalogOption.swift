import ArgumentParser
import Catalog
import Events
import Glibc
import HTTPCatalog
import KeywedgeConfiguration
import WireText

/// The option `--catalog`.
struct CatalogOption: ParsableArguments {
    @Option(
        name: .customLong("catalog"),
        help: ArgumentHelp(
            "The embedded catalog; else the configured one.", valueName: "file"))
    var path: String?

    func validate() throws {
        guard path != "" else { throw ValidationError("--catalog: expected a file, found nothing") }
    }

    /// The sources to look products up in.
    ///
    /// The default catalog is used where it exists; one that somebody named must.
    ///
    /// `tell` gets what a person should know, in words.
    ///
    /// - Throws: ``Failure`` if one cannot be used.
    func sources(
        of configuration: Configuration,
        tell: (String) -> Void = { StandardError.write("keywedge: \($0)") }
    ) throws -> CatalogSources {
        if let path { return CatalogSources([try open(path)]) }
        let opening = CatalogFactory(
            secrets: SecretReader(credentialsFolder: Credentials.folder),
            userAgent: "keywedge/\(Keywedge.configuration.version)"
        ) { StandardError.write("keywedge: \($0)") }
        return try orFail {
            try opening.sources(of: configuration.catalog) { path in
                if path == CatalogConfiguration.standardPath, access(path, F_OK) != 0 {
                    tell(
                        "no catalog at \(path): products are looked up as soon as there is one"
                            + " (make it with: keywedge catalog import FILE.csv)")
                    return AwaitedCatalog(path: path)
                }
                do {
                    return try CatalogFile(path: path)
                } catch let error as CatalogError where error == .olderSchema(path: path) {
                    // Scans are read all the same, and lookups say what is wrong.
                    tell("\(error)")
                    return AwaitedCatalog(path: path)
                }
            }
        }
    }

    /// The file of the one embedded catalog: named here, or configured.
    func file(of configuration: Configuration) throws -> String {
        if let path { return path }
        if let path = configuration.catalog.embeddedPath { return path }
        throw Failure("no embedded catalog is configured; name one with --catalog")
    }

    private func open(_ path: String) throws -> CatalogFile {
        try orFail { try CatalogFile(path: path) }
    }
}

/// The credentials that the service manager gives this process (systemd.exec(5)).
enum Credentials {
    /// Their folder; nil if there are none.
    static var folder: String? { getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) } }
}

/// Runs `body` and makes whatever it throws the failure of the command.
func orFail<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw Failure.unlessCancelled(error)
    }
}

extension Failure {
    /// The failure that an error means; the error itself if it only says that the command was stopped
    /// or that standard output has lost its reader.
    static func unlessCancelled(_ error: any Error) -> any Error {
        if error is CancellationError || error is Failure { return error }
        if let error = error as? OutputError, case .closed = error { return error }
        return Failure(error)
    }
}
