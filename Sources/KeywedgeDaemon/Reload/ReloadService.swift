import Catalog
import EvdevInput
import EventService
import Events
import Journal
import KeywedgeConfiguration
import Logging
import ServiceLifecycle
import WebAPI
import WireText

/// Takes the configuration anew whenever somebody asks for it.
///
/// All that it asks for is read, opened and made first; where any of that fails, everything stays as it
/// is. Only then it takes the place of the one before.
struct ReloadService: Service, CustomStringConvertible {
    /// What is made of a configuration before any of it is used.
    private struct Preparation: Sendable {
        let configuration: Configuration
        let changes: [ConfigurationChange]
        /// Where products are looked up from now on; nil where that stays as it is.
        let sources: CatalogSources?
        let sinks: [DurableSink]
        /// Who may ask from now on.
        let access: EventServer.Access?
    }

    /// How long products that were found may take to be written back into a catalog that is given up.
    private static let writeBackGrace = Duration.seconds(1)

    let source: ConfigurationSource
    let setup: DaemonSetup
    let interface: EventServer
    let journal: EventJournal
    let pipeline: ScanPipeline
    /// Nil where recordings are played in place of scanners.
    let reader: ScannerReader?
    let sinks: DurableSinks
    let conditions: SinkConditions
    let publisher: EventPublisher
    let clock: SystemClock
    let log: Logger

    /// See ``ScannerService/description``.
    var description: String { "reload" }

    /// Serves who asks, one after another, until the daemon is to end.
    func run() async throws {
        try await withGracefulShutdownHandler {
            for await request in interface.reloads.all {
                switch await prepared() {
                case .success(let preparation):
                    let parts = preparation.changes.map(\.part)
                    if !parts.isEmpty { try await take(preparation, parts) }
                    request.answer(.success(parts))
                case .failure(let refusal):
                    log.warning("the configuration is not taken: \(refusal.sentence)")
                    request.answer(.failure(refusal))
                }
            }
        } onGracefulShutdown: {
            interface.reloads.finish()
        }
    }

    private func take(_ preparation: Preparation, _ parts: [ReloadedPart]) async throws {
        let configuration = preparation.configuration
        let former = pipeline.parts.sources
        if let access = preparation.access { interface.take(access) }
        pipeline.parts = ScanPipeline.Parts(
            of: configuration, sources: preparation.sources ?? former)
        // Where the scanners are the same, the thread that reads them is left alone.
        if setup.configuration.scanners != configuration.scanners {
            reader?.reconfigure(configuration.readerConfiguration)
        }
        let running = sinks.all
        let kept = preparation.sinks.filter { sink in running.contains { $0 === sink } }
        conditions.follow(configuration, keeping: Set(kept.map(\.name)))
        if let settings = configuration.journalInUse {
            journal.keep(by: settings, for: Set(preparation.sinks.map(\.name)))
        }
        sinks.replace(with: preparation.sinks)
        setup.replace(with: configuration, sources: preparation.sources)
        log.notice("another configuration is taken: \(parts.map(\.text).joined(separator: ", "))")
        try await publisher.publish(
            EventDraft(
                .reloaded, time: clock.now, data: ["changes": .array(parts.map(\.json))]))
        if preparation.sources != nil {
            await former.finish(within: Self.writeBackGrace, clock: EventLoopClock())
        }
    }

    /// Reads and opens on a thread of its own: files take as long as a disk wants.
    private func prepared() async -> Result<Preparation, ReloadRefusal> {
        await withCheckedContinuation { continuation in
            do {
                try WaitingThread.start { continuation.resume(returning: preparation()) }
            } catch {
                continuation.resume(returning: .failure(.wrong(["\(error)"])))
            }
        }
    }

    private func preparation() -> Result<Preparation, ReloadRefusal> {
        do {
            let configuration = try source.load()
            let former = setup.configuration
            let restart = former.keysForRestart(to: configuration)
            guard restart.isEmpty else { return .failure(.needsRestart(restart)) }
            let changes = former.changes(to: configuration)
            let isOtherCatalog = former.catalog != configuration.catalog
            return .success(
                Preparation(
                    configuration: configuration, changes: changes,
                    sources: isOtherCatalog ? try source.sources(configuration) : nil,
                    sinks: try source.sinks(configuration).durableSinks(
                        reading: journal, besides: sinks.all),
                    access: try configuration.listen.map {
                        try EventServer.Access($0, log: log)
                    }))
        } catch {
            return .failure(.wrong("\(error)".split(separator: "\n").map(String.init)))
        }
    }
}

extension ConfigurationChange {
    fileprivate var part: ReloadedPart {
        ReloadedPart(section: section, name: name, change: kind.rawValue)
    }
}

extension ReloadRefusal {
    /// All of it in one line of the log.
    fileprivate var sentence: String { ([reason] + problems).joined(separator: " ") }
}
