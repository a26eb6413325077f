package import Catalog
package import HTTPCatalog
import WebAPI

/// Makes the sources of a configuration.
package struct CatalogFactory: Sendable {
    /// Reads what authenticates requests.
    package var secrets: SecretReader
    /// The `User-Agent` of requests.
    package var userAgent: String
    /// Receives a sentence for each later failure that fails no lookup.
    package var report: @Sendable (String) -> Void

    package init(
        secrets: SecretReader = SecretReader(), userAgent: String = "keywedge",
        report: @escaping @Sendable (String) -> Void
    ) {
        self.secrets = secrets
        self.userAgent = userAgent
        self.report = report
    }

    /// Opens the sources, in order; nothing is asked of them yet.
    ///
    /// - Parameters:
    ///   - configuration: The sources.
    ///   - embedded: Opens an embedded catalog.
    /// - Returns: The sources, in the order of the configuration.
    /// - Throws: What `embedded` throws, ``CatalogOpeningError``.
    package func sources(
        of configuration: CatalogConfiguration,
        embedded: (String) throws -> any ProductSource
    ) throws -> CatalogSources {
        let asksServices = configuration.sources.contains { source in
            if case .http = source { true } else { false }
        }
        let file = asksServices ? configuration.answers.flatMap(answers) : nil
        let sources: [any ProductSource] = try configuration.sources.map { source in
            switch source {
            case .embedded(let path): return try embedded(path)
            case .http(var catalog):
                catalog.declaration.resilience.lookupLimit = configuration.deadline
                return try open(catalog, file)
            }
        }
        return CatalogSources(sources, deadline: configuration.deadline)
    }

    /// Opens one catalog that is reached over HTTP.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - file: Keeps its answers; nil to keep them in memory only.
    ///   - clock: What deadlines and waits are measured by.
    /// - Returns: The catalog, not asked anything yet.
    /// - Throws: ``CatalogOpeningError``.
    package func open(
        _ catalog: HTTPCatalogConfiguration, _ file: AnswerFile? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) throws -> DeclaredCatalog {
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

    /// Opens the file of answers; without it, a register still sells.
    private func answers(in path: String) -> AnswerFile? {
        do throws(AnswerFileError) {
            return try AnswerFile(path: path, report: report)
        } catch {
            report("Answers of catalogs are kept in memory only: \(error)")
            return nil
        }
    }
}

/// Why a catalog cannot be asked at all.
package struct CatalogOpeningError: Error, Equatable, Sendable {
    /// The catalog's name.
    package let catalog: String
    /// What is wrong, in words.
    package let reason: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's name.
    ///   - reason: What is wrong, in words.
    package init(catalog: String, reason: String) {
        self.catalog = catalog
        self.reason = reason
    }
}

extension CatalogOpeningError: CustomStringConvertible {
    /// One sentence for a person.
    package var description: String { "The catalog \(catalog) cannot be used: \(reason)." }
}
