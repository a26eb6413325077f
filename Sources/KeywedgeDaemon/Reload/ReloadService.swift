package import Catalog
import EventService
import Events
import HTTPService
import Journal
package import KeywedgeConfiguration
import Logging
import ScannerInput
import ServiceLifecycle
import Sinks
import WebAPI
import WireText

/// The service that replaces the daemon's configuration at a client's request.
///
/// It first reads the new configuration and opens everything that the configuration names. If any of that fails, the
/// daemon keeps the old one.
struct ReloadService: Service {
    /// A new configuration that is not used yet, with everything that was opened for it.
    private struct Preparation: Sendable {
        let configuration: Configuration
        let changes: [ConfigurationChange]
        /// The new catalogs; nil if they have not changed.
        let sources: CatalogSources?
        let sinks: [DurableSink]
        /// The new access rules of the HTTP interface; nil if there is no interface.
        let access: InterfaceSockets.Access?
    }

    /// The maximum time that a client waits for the daemon to prepare a new configuration.
    private static let preparationLimit = Duration.seconds(8)

    let source: ConfigurationSource
    let setup: DaemonSetup
    let interface: EventServer
    let journal: EventJournal
    let pipeline: ScanPipeline
    /// The reader of the scanners; nil if the daemon plays recordings.
    let reader: ScannerReader?
    let sinks: DurableSinks
    let publisher: EventPublisher
    let log: Logger

    func run() async throws {
        try await withGracefulShutdownHandler {
            for await answer in interface.reloads.all {
                switch await prepared() {
                case .success(let preparation):
                    let parts = preparation.changes.map(\.part)
                    if !parts.isEmpty { try await use(preparation, parts) }
                    answer(.success(parts))
                case .failure(let refusal):
                    let reasons = [refusal.detail] + refusal.problems
                    log.warning("the configuration is not used: \(reasons.joined(separator: " "))")
                    answer(.failure(refusal))
                }
            }
        } onGracefulShutdown: {
            interface.reloads.finish()
        }
    }

    private func use(_ preparation: Preparation, _ parts: [ReloadedPart]) async throws {
        let configuration = preparation.configuration
        let former = pipeline.parts.sources
        if let access = preparation.access { interface.sockets.use(access) }
        pipeline.parts = ScanPipeline.Parts(
            of: configuration, sources: preparation.sources ?? former)
        // If the scanners have not changed, do not disturb the thread that reads them.
        if setup.configuration.scanners != configuration.scanners {
            reader?.reconfigure(configuration.readerConfiguration)
        }
        let running = sinks.all
        let kept = preparation.sinks.filter { sink in running.contains { $0 === sink } }
        for sink in running where !kept.contains(where: { $0 === sink }) { sink.reporter.retire() }
        setup.replace(
            with: configuration, sources: preparation.sources, keeping: Set(kept.map(\.name)))
        if let settings = configuration.journalInUse {
            journal.keep(by: settings, for: Set(preparation.sinks.map(\.name)))
        }
        sinks.replace(with: preparation.sinks)
        await sinks.reportFormerSinks()
        log.notice("the configuration has changed: \(parts.map(\.text).joined(separator: ", "))")
        try await publisher.publish(
            EventDraft(
                .reloaded, time: SystemClock.now, data: ["changes": .array(parts.map(\.json))]))
    }

    /// Prepares the new configuration on a separate thread, because disk access can block indefinitely.
    ///
    /// A client waits at most ``preparationLimit``, and the daemon's shutdown does not wait at all. The code does not
    /// use `cancelWhenGracefulShutdown`, because it would start Swift's thread pool, which wakes up every second.
    private func prepared() async -> Result<Preparation, ProblemDetails> {
        let (results, input) = AsyncStream<Result<Preparation, ProblemDetails>>.makeStream()
        return await withGracefulShutdownHandler {
            do {
                try WaitingThread.start { input.yield(preparation()) }
                let result = try await within(Self.preparationLimit) {
                    for await result in results { return result }
                    return .failure(.ending)
                }
                let limit = Self.preparationLimit.text
                let problem = "reading it and opening what it names has not ended for \(limit)"
                return result ?? .failure(.wrongConfiguration([problem]))
            } catch {
                return .failure(.wrongConfiguration(["\(error)"]))
            }
        } onGracefulShutdown: {
            input.finish()
        }
    }

    private func preparation() -> Result<Preparation, ProblemDetails> {
        do {
            let configuration = try source.load()
            let former = setup.configuration
            let restart = former.keysForRestart(to: configuration)
            guard restart.isEmpty else { return .failure(.needsRestart(restart)) }
            let changes = former.changes(to: configuration)
            let factory = source.sinks(configuration)
            try factory.checkOutlets(besides: sinks.all)
            let isOtherCatalog = former.catalog != configuration.catalog
            return .success(
                Preparation(
                    configuration: configuration, changes: changes,
                    sources: isOtherCatalog ? try source.sources(configuration) : nil,
                    sinks: factory.durableSinks(besides: sinks.all),
                    access: try configuration.listen.map {
                        try InterfaceSockets.Access($0, log: log)
                    }))
        } catch {
            let problems = "\(error)".split(separator: "\n").map(String.init)
            return .failure(.wrongConfiguration(problems))
        }
    }
}

/// Functions that read the configuration, open its catalogs and make its sinks.
package struct ConfigurationSource: Sendable {
    let load: @Sendable () throws -> Configuration
    let sources: @Sendable (Configuration) throws -> CatalogSources
    let sinks: @Sendable (Configuration) -> SinkFactory

    package init(
        load: @escaping @Sendable () throws -> Configuration,
        sources: @escaping @Sendable (Configuration) throws -> CatalogSources,
        sinks: @escaping @Sendable (Configuration) -> SinkFactory
    ) {
        self.load = load
        self.sources = sources
        self.sinks = sinks
    }
}

extension ConfigurationChange {
    fileprivate var part: ReloadedPart {
        ReloadedPart(section: section, name: name, change: kind.rawValue)
    }
}
