package import Catalog
package import HTTPCatalog
import WebAPI
import WireText

package struct CatalogFactory: Sendable {
    package var secrets: SecretReader
    package var userAgent: String
    /// A closure that reports problems that throw no error, such as an unwritable cache file.
    package var report: @Sendable (String) -> Void

    package init(
        secrets: SecretReader = SecretReader(), userAgent: String = "keywedge",
        report: @escaping @Sendable (String) -> Void
    ) {
        self.secrets = secrets
        self.userAgent = userAgent
        self.report = report
    }

    /// Opens the sources without sending them a request; calls `embedded` to open an embedded catalog.
    ///
    /// If an HTTP catalog's files cannot be read, the method throws an error. If `awaitsFiles` is true, it instead
    /// reports the problem, and each lookup tries to open the catalog again.
    package func sources(
        of configuration: CatalogConfiguration, awaitsFiles: Bool = false,
        embedded: (_ path: String, _ name: String) throws -> any ProductSource
    ) throws -> CatalogSources {
        let asksServices = configuration.sources.contains { source in
            if case .http = source { true } else { false }
        }
        let file = asksServices ? configuration.answers.flatMap(answers) : nil
        let sources: [any ProductSource] = try configuration.sources.map { source in
            switch source {
            case .embedded(let path):
                return try embedded(path, configuration.name(ofEmbedded: path))
            case .http(var catalog):
                catalog.declaration.resilience.lookupLimit = configuration.deadline
                let declared = catalog
                let service = AwaitedSource(declared.declaration.name) { try open(declared, file) }
                return try opened(service, awaitsFiles)
            }
        }
        return CatalogSources(sources, deadline: configuration.deadline)
    }

    private func opened(
        _ service: AwaitedSource<DeclaredCatalog>, _ awaitsFiles: Bool
    ) throws -> any ProductSource {
        do {
            guard let catalog = try service.opened() else { return service }
            guard let trouble = catalog.secretTrouble else { return catalog }
            guard awaitsFiles else {
                throw CatalogOpeningError(catalog: service.name, reason: "\(trouble)")
            }
            report("The catalog \(service.name) cannot be asked: \(trouble)")
            return catalog
        } catch  where awaitsFiles {
            report("\(error)")
            return service
        }
    }

    /// Opens an HTTP catalog without sending it a request.
    ///
    /// The catalog caches answers in `file`, or only in memory if `file` is nil. `clock` measures deadlines and waits.
    package func open(
        _ catalog: HTTPCatalogConfiguration, _ file: AnswerFile? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) throws(CatalogOpeningError) -> DeclaredCatalog {
        let declaration = catalog.declaration
        let limits = TransportLimits(
            connect: declaration.resilience.connectTimeout,
            responseBytes: declaration.maximumAnswer)
        let tls = try catalog.tls.options(for: declaration.name, secrets)
        let transport: AsyncHTTPClientTransport
        do throws(TLSOptionsError) {
            transport = try AsyncHTTPClientTransport(tls: tls, limits: limits)
        } catch {
            throw CatalogOpeningError(catalog: declaration.name, reason: "\(error)")
        }
        return DeclaredCatalog(
            declaration, transport: transport, secrets: secrets, file: file,
            userAgent: userAgent, clock: clock)
    }

    /// Opens the file for cached answers; reports an error and returns nil if the file cannot be opened.
    private func answers(in path: String) -> AnswerFile? {
        do throws(AnswerFileError) {
            return try AnswerFile(path: path, report: report)
        } catch {
            report("Answers of catalogs are kept in memory only: \(error)")
            return nil
        }
    }
}

package struct CatalogOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    package let catalog: String
    package let reason: String

    package init(catalog: String, reason: String) {
        self.catalog = catalog
        self.reason = reason
    }

    package var description: String { "The catalog \(catalog) cannot be used: \(reason)." }
}
