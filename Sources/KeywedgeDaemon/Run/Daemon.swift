package import Catalog
package import EvdevInput
package import Events
package import KeywedgeConfiguration
package import Logging
import ServiceLifecycle

/// The daemon: scanners in, events out, until a signal ends it.
public struct Daemon: Sendable {
    private let service: ScannerService
    private let log: Logger
    private let sources: CatalogSources

    /// Puts a daemon together.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - register: The name of this register.
    ///   - sources: Where products are looked up.
    ///   - sinks: Where events go.
    ///   - manager: The service manager that started the daemon.
    ///   - log: Where notices go.
    package init(
        configuration: Configuration, register: String, sources: CatalogSources,
        sinks: [any EventSink], manager: ServiceManager, log: Logger
    ) {
        var reading = configuration.readerConfiguration
        if let interval = manager.watchdogInterval {
            reading.heartbeat = ReaderConfiguration.Heartbeat(interval: interval) {
                manager.kickWatchdog()
            }
        }
        let events = EventFactory(register: register, identifiers: .random)
        service = ScannerService(
            reader: ScannerReader(reading),
            pipeline: ScanPipeline(
                decoders: ScannerDecoders(configuration: configuration), sources: sources,
                layouts: LayoutAdvisor(configuration: configuration), clock: ContinuousClock(),
                knowsTheYear: true),
            publisher: EventPublisher(events: events, sinks: sinks),
            manager: manager, clock: BoxClock(), log: log)
        self.sources = sources
        self.log = log
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
    public func run(on loop: MainLoop, grace: Duration) throws -> DaemonEnding {
        var quiet = log
        quiet.logLevel = .error
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup)
                ], logger: quiet))
        return try OrderlyEnd(sources: sources).run(
            on: loop, grace: grace, onSignal: { await group.triggerGracefulShutdown() },
            work: { try await group.run() })
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
