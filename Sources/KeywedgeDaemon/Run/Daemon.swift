package import Catalog
package import EventService
package import Events
import Glibc
import Journal
package import KeywedgeConfiguration
package import Logging
package import ScannerInput
import ServiceLifecycle
import WebAPI
import WireText

/// The daemon, which publishes scans as events until a signal ends it.
package struct Daemon: Sendable {
    private let loop: MainLoop
    private let steps: EndingSteps
    private let output: OutputSink?
    private let publisher: EventPublisher
    private let log: Logger
    private let reader: ScannerReader?
    /// The regular call that feeds systemd's watchdog; nil if there is no watchdog.
    private let heartbeat: ReaderConfiguration.Heartbeat?
    private let handover: ManagedHandover
    private let pipeline: ScanPipeline

    /// Assembles a daemon without starting anything.
    ///
    /// `output` and `sinks` receive events immediately; `durableSinks` read the journal at their own pace. If
    /// `recordings` is not nil, the daemon plays them instead of reading scanners.
    package init(
        _ setup: DaemonSetup, from source: ConfigurationSource, register: String,
        sources: CatalogSources, output: OutputSink?, sinks: [any EventSink],
        durableSinks: [DurableSink], journal: DaemonJournal?, interface: EventServer?,
        recordings: RecordingSource?, on loop: MainLoop, manager: ServiceManager,
        handover: ManagedHandover, log: Logger
    ) throws {
        let configuration = setup.configuration
        var steps = EndingSteps(
            EndingLimits(deadline: configuration.catalog.deadline), on: loop)
        // Standard output comes first, so that its reader gets each line as early as possible.
        let outputs: [any EventSink] = output.map { [$0] } ?? []
        publisher = EventPublisher(
            events: Self.events(of: register, journal, handover),
            sinks: outputs + sinks + (interface.map { [$0] } ?? []), journal: journal?.journal)
        pipeline = ScanPipeline(.init(of: configuration, sources: sources))
        let watchdog = Self.watchdog(loop, journal?.journal, manager)
        heartbeat = manager.watchdogInterval.map {
            ReaderConfiguration.Heartbeat(interval: $0, beat: watchdog.beat)
        }
        var manager = manager
        manager.onReady = { handover.takeOver() }
        var reading = configuration.readerConfiguration
        reading.handover = handover.handover
        reading.heartbeat = heartbeat
        reader = try recordings == nil ? ScannerReader(reading) : nil
        if let output {
            steps.add(
                "standard output", OutputService(output: output, journal: journal?.journal),
                within: steps.limits.output, awaiting: "the last lines to standard output")
        }
        var durable: DurableSinks?
        if let journal {
            durable = Self.add(durableSinks, reading: journal, publisher, to: &steps, log)
        }
        if let interface {
            steps.add(
                "interface", interface, within: steps.limits.interface, awaiting: "the interface")
            if let journal, let durable {
                let reload = ReloadService(
                    source: source, setup: setup, interface: interface,
                    journal: journal.journal, pipeline: pipeline, reader: reader,
                    sinks: durable, publisher: publisher, log: log)
                steps.add(
                    "reload", reload, within: steps.limits.reload, awaiting: "the reload service")
            }
        }
        // Add the scanners last: the shutdown begins with the last step, so the other steps still get the last scans.
        if let recordings {
            let playing = RecordingService(
                source: recordings, pipeline: pipeline, publisher: publisher, manager: manager)
            steps.add(
                "recordings", playing, within: steps.limits.scanners,
                awaiting: "the last scans to be published")
        } else if let reader {
            let worker = ScannerWorker(pipeline: pipeline, publisher: publisher, log: log) {
                reader.give($0, to: $1)
            }
            let reading = ScannerService(
                reader: reader, manager: manager, worker: worker,
                lookupLimit: steps.limits.lookups)
            steps.add(
                "scanners", reading, within: steps.limits.scanners,
                awaiting: "the last scans to be published")
        }
        self.steps = steps
        self.output = output
        self.loop = loop
        self.handover = handover
        self.log = log
    }

    /// Makes the event factory; without a journal, the event numbers continue from the previous run.
    private static func events(
        of register: String, _ journal: DaemonJournal?, _ handover: ManagedHandover
    ) -> EventFactory {
        guard let journal = journal?.journal else {
            return EventFactory(
                register: register, identifiers: .random, lastSequence: handover.lastSequence)
        }
        return EventFactory(register: register, identifiers: .random) { journal.nextSequence() }
    }

    private static func add(
        _ sinks: [DurableSink], reading journal: DaemonJournal, _ publisher: EventPublisher,
        to steps: inout EndingSteps, _ log: Logger
    ) -> DurableSinks {
        let durable = DurableSinks(sinks, reading: journal.journal, log: log)
        let reporter = JournalReporter(journal: journal, publisher: publisher, log: log)
        steps.add(
            "journal's notices", reporter, within: steps.limits.reports,
            awaiting: "the last reports of the journal")
        steps.add(
            "journal", JournalClosing(journal: journal.journal), within: steps.limits.journal,
            awaiting: "the journal to close")
        steps.add(
            "sinks", durable, within: steps.limits.sinks, awaiting: durable.awaited)
        return durable
    }

    private static func watchdog(
        _ loop: MainLoop, _ journal: EventJournal?, _ manager: ServiceManager
    ) -> Watchdog {
        var questions: [Watchdog.Question] = [
            { answer in Task(executorPreference: loop) { answer() } }
        ]
        if let journal { questions.append { journal.ping($0) } }
        return Watchdog(asking: questions, feed: manager.kickWatchdog)
    }

    /// Runs until a signal arrives or a service fails, and then publishes the last scans and closes the journal.
    ///
    /// All of the daemon's tasks run on the calling thread.
    ///
    /// - Returns: How the daemon ended; ``DaemonEnding/abandoned`` if standard output was closed and no signal arrived.
    /// - Throws: A service's error; if it is `OutputError.closed`, it is thrown only after a signal.
    package func run() throws -> DaemonEnding {
        let group = steps.group(log: log)
        handover.prepare()
        if reader == nil {
            handover.release()
            // Without a reader, no other thread feeds the watchdog.
            if let heartbeat {
                Task(executorPreference: loop) { try await heartbeat.keepBeating() }
            }
        }
        let ending = try GracefulShutdown.run(
            on: loop, grace: steps.limits.total,
            onSignal: { await group.triggerGracefulShutdown() },
            work: {
                try await group.run()
                if let reader, steps.record.overruns[steps.last] == nil {
                    handover.leave(reader.left, lastSequence: await publisher.lastSequence)
                }
            })
        return complete(ending)
    }

    /// Returns `incomplete` if the shutdown was cut short or something may be lost, and `ending` otherwise.
    ///
    /// A step that takes too long but loses nothing is only logged. If the program that reads standard output has
    /// ended, unwritten output does not count as a loss.
    private func complete(_ ending: DaemonEnding) -> DaemonEnding {
        var losses: [String] = []
        if ending == .unfinished {
            let awaited = steps.record.current ?? "the first service that was asked to end"
            losses.append(
                "the shutdown was cut short after \(steps.limits.total.text), while it waited for "
                    + awaited)
        }
        for (step, overrun) in steps.record.overruns {
            switch step {
            case steps.last, "journal": losses.append(overrun)
            case "standard output" where output?.unwritten != nil: break
            default: log.warning("\(overrun)")
            }
        }
        if ending != .abandoned, let lost = output?.unwritten {
            losses.append("standard output: not written: \(lost)")
        }
        return losses.isEmpty ? ending : .incomplete(losses.sorted())
    }
}

extension ReaderConfiguration.Heartbeat {
    fileprivate func keepBeating() async throws {
        while true {
            beat()
            try await EventLoopClock().sleep(for: interval)
        }
    }
}

extension Configuration {
    /// The configured scanners that have a `match`; devices that match none of them get automatic names.
    package var matchedScanners: [ScannerConfiguration] { scanners.filter { !$0.match.isEmpty } }

    package var registerName: String { register ?? RegisterName.ofHost }

    /// The settings for unconfigured devices: those of the scanner without `match`, or the defaults.
    var automaticScanner: ScannerConfiguration {
        scanners.first { $0.match.isEmpty } ?? ScannerConfiguration(name: "default")
    }

    package var readerConfiguration: ReaderConfiguration {
        ReaderConfiguration(
            scanners: matchedScanners.map {
                ConfiguredScanner(
                    name: $0.name, match: $0.match, settings: $0.scanSettings,
                    serial: $0.serialSettings)
            },
            automatic: automaticScanner.scanSettings)
    }
}

package enum DaemonEnding: Equatable, Sendable {
    case complete
    /// The shutdown exceeded its total time limit.
    case unfinished
    /// Something was lost or did not finish in time; each string is a clause about one problem.
    case incomplete([String])
    /// Standard output was closed by its reader, and no signal had arrived.
    case abandoned
}

/// The register's name in the `source` of events.
package enum RegisterName {
    /// The host name as converted by ``cleaned(_:)``; `register` if the host has no name.
    package static var ofHost: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return fallback }
        return cleaned(
            String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Replaces all characters except ASCII letters, digits, `-`, `.` and `_` with `-`.
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
