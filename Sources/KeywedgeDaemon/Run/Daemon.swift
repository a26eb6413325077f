package import Catalog
package import EvdevInput
package import EventService
package import Events
import Journal
package import KeywedgeConfiguration
package import Logging
import ServiceLifecycle
import WireText

/// The daemon: scanners in, events out, until a signal ends it.
package struct Daemon: Sendable {
    private let feeding: any Service
    private let interface: EventServer?
    private let journal: DaemonJournal?
    private let journaledSinks: [JournaledSink]
    private let sinks: DurableSinks
    private let reloading: ReloadService?
    private let publisher: EventPublisher
    private let log: Logger
    private let reader: ScannerReader?
    private let handover: ManagedHandover?
    private let pipeline: ScanPipeline

    /// Puts a daemon together.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - register: The name of this register.
    ///   - sources: Where products are looked up.
    ///   - sinks: Where events go at once.
    ///   - journaledSinks: Where events go once they are in the journal.
    ///   - opening: Makes the sinks that read the journal by themselves; nil for none.
    ///   - journal: Where events are kept; nil for nowhere, all sinks get them at once then.
    ///   - interface: What other programs read events from; it reads the journal.
    ///   - reload: What a reload takes the place of, and where it gets it from; nil for none.
    ///   - recordings: What is played in place of scanners; nil to read those.
    ///   - manager: The service manager that started the daemon.
    ///   - handover: What keeps scanners grabbed until the daemon runs again; nil for nothing.
    ///   - log: Where notices go.
    /// - Throws: ``SinkOpeningError``.
    package init(
        configuration: Configuration, register: String, sources: CatalogSources,
        sinks: [any EventSink], journaledSinks: [any EventSink] = [],
        opening: SinkFactory? = nil, journal: DaemonJournal? = nil,
        interface: EventServer? = nil, reload: ReloadParts? = nil,
        recordings: RecordingSource? = nil,
        manager: ServiceManager, handover: ManagedHandover? = nil, log: Logger
    ) throws {
        self.journal = journal
        self.interface = interface
        // Behind whoever has waited for the line longer: standard output.
        let sinks = sinks + (interface?.sinks ?? [])
        if let journal = journal?.journal {
            self.journaledSinks = journaledSinks.map { JournaledSink($0, behind: journal) }
            let events = EventFactory(register: register, identifiers: .random) {
                journal.nextSequence()
            }
            publisher = EventPublisher(
                events: events, sinks: sinks + self.journaledSinks, journal: journal)
            self.sinks = DurableSinks(try opening?.durableSinks(reading: journal) ?? [])
        } else {
            self.journaledSinks = []
            self.sinks = DurableSinks([])
            publisher = EventPublisher(
                events: EventFactory(
                    register: register, identifiers: .random,
                    lastSequence: handover?.lastSequence ?? 0),
                sinks: sinks + journaledSinks)
        }
        let pipeline = ScanPipeline(ScanPipeline.Parts(of: configuration, sources: sources))
        var reader: ScannerReader?
        if let recordings {
            handover?.giveUp()
            feeding = RecordingService(
                source: recordings, pipeline: pipeline, publisher: publisher, manager: manager,
                clock: SystemClock())
        } else {
            let scanners = ScannerReader(Self.reading(configuration, manager, handover))
            reader = scanners
            feeding = ScannerService(
                reader: scanners, pipeline: pipeline, publisher: publisher,
                manager: manager, clock: SystemClock(), log: log)
        }
        reloading = reload?.service(
            interface: interface, journal: journal?.journal, pipeline: pipeline, reader: reader,
            sinks: self.sinks, publisher: publisher, log: log)
        self.pipeline = pipeline
        self.reader = reader
        self.handover = handover
        self.log = log
    }

    /// What the reader is to read, watched and handed over by the service manager.
    private static func reading(
        _ configuration: Configuration, _ manager: ServiceManager, _ handover: ManagedHandover?
    ) -> ReaderConfiguration {
        var reading = configuration.readerConfiguration
        reading.handover = handover?.handover
        if let interval = manager.watchdogInterval {
            reading.heartbeat = ReaderConfiguration.Heartbeat(interval: interval) {
                manager.kickWatchdog()
            }
        }
        return reading
    }

    /// Runs until a signal ends it; then what was read is still looked up and published.
    ///
    /// All of it but the reading of keys happens on the thread of `loop`, which is this one.
    ///
    /// - Parameters:
    ///   - loop: Runs the tasks, and takes the signals.
    ///   - grace: How long looking up and publishing may take after a signal.
    /// - Returns: What is left undone.
    /// - Throws: What a sink throws, or what keeps the scanners from being read.
    package func run(on loop: MainLoop, grace: Duration) throws -> DaemonEnding {
        var quiet = log
        quiet.logLevel = .error
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, logger: quiet))
        return try GracefulShutdown(sources: { pipeline.parts.sources }).run(
            on: loop, grace: grace, onSignal: { await group.triggerGracefulShutdown() },
            work: {
                do {
                    try await group.run()
                } catch {
                    await journal?.journal.close()
                    throw error
                }
                let lost = await journal?.journal.close() ?? 0
                if lost > 0 { throw UnjournaledEvents(count: lost) }
                if let handover, let reader {
                    handover.leave(reader.left, lastSequence: await publisher.lastSequence)
                }
            })
    }

    /// The scanners last: they are the first that a signal ends, and what they read by then still
    /// goes to the others.
    private var services: [ServiceGroupConfiguration.ServiceConfiguration] {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        if let journal {
            let reporter = JournalReporter(
                journal: journal, publisher: publisher, clock: SystemClock(), log: log)
            services.append(.beside(reporter))
        }
        services += journaledSinks.map { .beside($0) }
        if journal != nil { services.append(.beside(sinks)) }
        if let interface { services.append(.beside(interface)) }
        if let reloading { services.append(.beside(reloading)) }
        services.append(
            .init(
                service: feeding, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .cancelGroup))
        return services
    }
}

/// Events that the journal's disk did not take until the end.
struct UnjournaledEvents: Error, CustomStringConvertible {
    let count: Int

    var description: String {
        "\(count.counted("event was", "events were")) not journaled: the journal could not be written to"
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// A service that may end before the others do.
    fileprivate static func beside(_ service: any Service) -> Self {
        Self(
            service: service, successTerminationBehavior: .ignore,
            failureTerminationBehavior: .cancelGroup)
    }
}

extension Configuration {
    /// What the scanner reader is to read.
    ///
    /// Scanners without a match are none that could be looked for: their settings hold for the
    /// devices that are taken because they are known as scanners.
    package var readerConfiguration: ReaderConfiguration {
        let matched = scanners.filter { !$0.match.isEmpty }
        let automatic = scanners.first { $0.match.isEmpty }
        return ReaderConfiguration(
            scanners: matched.map {
                ReaderConfiguration.ConfiguredScanner(
                    name: $0.name, match: $0.match, settings: $0.scanSettings)
            },
            automatic: (automatic ?? ScannerConfiguration(name: "default")).scanSettings)
    }
}

/// How a daemon ended.
package enum DaemonEnding: Equatable, Sendable {
    /// Everything that was read has been published.
    case complete
    /// Not everything that was read could be published in time.
    case unpublished
    /// Everything was published, and so many products were not written back in time.
    case notWrittenBack(products: Int)
    /// Nobody took events any more, and no signal had asked for the end.
    case abandoned
}
