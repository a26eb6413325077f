import EvdevInput
import EventService
import Journal
import Logging

/// What a reload takes the place of, and where it gets the new from.
package struct ReloadParts: Sendable {
    private let source: ConfigurationSource
    private let setup: DaemonSetup
    private let conditions: SinkConditions

    /// Names the parts.
    ///
    /// - Parameters:
    ///   - source: Where the configuration comes from.
    ///   - setup: What the daemon runs by.
    ///   - conditions: What the sinks say of themselves.
    package init(
        source: ConfigurationSource, setup: DaemonSetup, conditions: SinkConditions
    ) {
        self.source = source
        self.setup = setup
        self.conditions = conditions
    }

    /// Puts the service together; nil where nobody could ask for a reload.
    func service(
        interface: EventServer?, journal: EventJournal?, pipeline: ScanPipeline,
        reader: ScannerReader?, sinks: DurableSinks, publisher: EventPublisher, log: Logger
    ) -> ReloadService? {
        guard let interface, let journal else { return nil }
        return ReloadService(
            source: source, setup: setup, interface: interface, journal: journal,
            pipeline: pipeline, reader: reader, sinks: sinks, conditions: conditions,
            publisher: publisher, clock: SystemClock(), log: log)
    }
}
