package import Catalog
package import EvdevInput
package import EventService
package import Events
import Glibc
import Journal
package import KeywedgeConfiguration
package import Logging
import ServiceLifecycle
import WireText

/// The daemon: scanners in, events out, until a signal ends it.
package struct Daemon: Sendable {
    private let loop: MainLoop
    private let journal: DaemonJournal?
    private let services: [ServiceGroupConfiguration.ServiceConfiguration]
    private let publisher: EventPublisher
    private let log: Logger
    private let reader: ScannerReader?
    private let handover: ManagedHandover
    private let pipeline: ScanPipeline

    /// Assembles a daemon; nothing runs yet.
    ///
    /// `sinks` get events at once, `journaledSinks` once they are in the journal, and
    /// `durableSinks` read the journal at their own pace. Without a journal, all sinks get events
    /// at once. `recordings` are played in place of scanners.
    package init(
        _ setup: DaemonSetup, from source: ConfigurationSource, register: String,
        sources: CatalogSources, sinks: [any EventSink], journaledSinks: [any EventSink],
        durableSinks: [DurableSink], journal: DaemonJournal?, interface: EventServer?,
        recordings: RecordingSource?, on loop: MainLoop, manager: ServiceManager,
        handover: ManagedHandover, log: Logger
    ) throws {
        let configuration = setup.configuration
        // After standard output, whose reader has waited for the line longer.
        let sinks = sinks + (interface?.sinks ?? [])
        var services: [any Service] = []
        var durable: DurableSinks?
        if let journal {
            let journaled = journaledSinks.map {
                JournaledSink($0, behind: journal.journal)
            }
            let events = EventFactory(register: register, identifiers: .random) {
                journal.journal.nextSequence()
            }
            publisher = EventPublisher(
                events: events, sinks: sinks + journaled, journal: journal.journal)
            let running = DurableSinks(durableSinks, reading: journal.journal, log: log)
            durable = running
            let reporter = JournalReporter(
                journal: journal, publisher: publisher, clock: SystemClock(), log: log)
            services = [reporter] + journaled + [running]
        } else {
            publisher = EventPublisher(
                events: EventFactory(
                    register: register, identifiers: .random,
                    lastSequence: handover.lastSequence),
                sinks: sinks + journaledSinks)
        }
        pipeline = ScanPipeline(
            ScanPipeline.Parts(of: configuration, sources: sources))
        let watchdog = Self.watchdog(loop, journal?.journal, manager)
        var manager = manager
        manager.onReady = { handover.takeOver() }
        let feeding: any Service
        if let recordings {
            reader = nil
            feeding = RecordingService(
                source: recordings, pipeline: pipeline, publisher: publisher, manager: manager,
                clock: SystemClock())
            // No reader's thread could feed it.
            if let interval = manager.watchdogInterval {
                loop.setTimer(every: interval, watchdog.beat)
            }
        } else {
            let scanners = try ScannerReader(
                Self.reading(configuration, manager, handover, watchdog))
            reader = scanners
            feeding = ScannerService(
                reader: scanners, pipeline: pipeline, publisher: publisher,
                manager: manager, clock: SystemClock(), log: log)
        }
        if let interface {
            services.append(interface)
            if let journal, let durable {
                services.append(
                    ReloadService(
                        source: source, setup: setup, interface: interface,
                        journal: journal.journal, pipeline: pipeline, reader: reader,
                        sinks: durable, publisher: publisher, clock: SystemClock(), log: log))
            }
        }
        // The scanners come last: a signal ends them first, and the others still get what they read
        // until then.
        self.services =
            services.map { .beside($0) } + [
                .init(
                    service: feeding, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup)
            ]
        self.loop = loop
        self.journal = journal
        self.handover = handover
        self.log = log
    }

    /// Makes the watchdog, which asks the main loop and the journal's thread at each heartbeat.
    private static func watchdog(
        _ loop: MainLoop, _ journal: EventJournal?, _ manager: ServiceManager
    ) -> Watchdog {
        var questions: [Watchdog.Question] = [
            { answer in Task(executorPreference: loop) { answer() } }
        ]
        if let journal { questions.append { journal.ping($0) } }
        return Watchdog(asking: questions, feed: manager.kickWatchdog)
    }

    /// The reader's configuration, with the heartbeat and the handover of the service manager.
    private static func reading(
        _ configuration: Configuration, _ manager: ServiceManager, _ handover: ManagedHandover,
        _ watchdog: Watchdog
    ) -> ReaderConfiguration {
        var reading = configuration.readerConfiguration
        reading.handover = handover.handover
        if let interval = manager.watchdogInterval {
            reading.heartbeat = ReaderConfiguration.Heartbeat(
                interval: interval, beat: watchdog.beat)
        }
        return reading
    }

    /// Runs until a signal ends it, and then looks up and publishes what was read.
    ///
    /// Everything except the reading of keys happens on this thread, which is the loop's.
    ///
    /// - Parameter grace: How long looking up and publishing may take after a signal.
    /// - Returns: Whether everything was published and stored in time.
    /// - Throws: What a sink throws, or the reason why scanners cannot be read.
    package func run(grace: Duration) throws -> DaemonEnding {
        var quiet = log
        quiet.logLevel = .error
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: quiet))
        handover.prepare()
        if reader == nil { handover.release() }
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
                if let reader {
                    handover.leave(reader.left, lastSequence: await publisher.lastSequence)
                }
            })
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
    /// The scanners to read.
    ///
    /// A scanner without a match has the settings for devices that are not configured.
    package var readerConfiguration: ReaderConfiguration {
        let matched = scanners.filter { !$0.match.isEmpty }
        let automatic = scanners.first { $0.match.isEmpty }
        return ReaderConfiguration(
            scanners: matched.map {
                ConfiguredScanner(
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
    /// Everything was published, but this many products were not stored in the catalog in time.
    case notWrittenBack(products: Int)
    /// The reader of standard output went away, though no signal had asked the daemon to end.
    case abandoned
}

/// The name of this register, for the `source` of events.
package enum RegisterName {
    /// The host's name, cleaned; `register` if that leaves nothing.
    package static var ofHost: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return fallback }
        return cleaned(
            String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// A name for a URI path: keeps ASCII letters, digits, `-`, `.` and `_`, and replaces each
    /// other character by `-`.
    package static func cleaned(_ name: String) -> String {
        let kept = name.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": Character(scalar)
            default: "-"
            }
        }
        return kept.isEmpty ? fallback : String(kept)
    }

    private static let fallback = "register"
}
