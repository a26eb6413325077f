import ArgumentParser
import EventService
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import Logging

struct RunCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The daemon: read scanners, print an event per scan.",
        discussion: """
            SIGTERM and SIGINT end it in order: lookups in hand are finished, scanners let go.
            When whoever reads standard output ends, it lets the scanners go at once, and exits with 1.

            With --replay it is fed from recordings in place of scanners, and then goes on until a \
            signal ends it: what reads events can be tried without devices.

            Example:
              keywedge run --config keywedge.yaml | while IFS= read -r event; do …; done
            """)

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Play these recordings in place of reading scanners.", valueName: "file"))
    var replay: [String] = []

    @Flag(help: "Play them as fast as it goes, and not at their pace.")
    var fast = false

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption

    func validate() throws {
        if fast, replay.isEmpty { throw ValidationError("--fast: expected --replay beside it") }
    }

    func run() throws {
        let configuration = try configurationOption.load()
        // Before anything that could start a thread: threads inherit which signals they take.
        let loop = try orFail { try MainLoop() }
        let isForJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "keywedge") { _ in StandardErrorLog(isForJournal: isForJournal) }
        let manager = ServiceManager { name in getenv(name).map { String(cString: $0) } }
        let handedOver = HandedOverDescriptors { name in getenv(name).map { String(cString: $0) } }
        let sources = try catalogOption.sources(of: configuration)
        let journal = try orFail {
            try configuration.journalInUse.map {
                try DaemonJournal(
                    opening: $0, sinks: Set(configuration.events.compactMap(\.durableName)))
            }
        }
        let register = RegisterName.ofHost
        let conditions = SinkConditions(of: configuration)
        let setup = DaemonSetup(configuration, sources: sources)
        let parts = StatusParts(
            register: register, version: Keywedge.configuration.version, setup: setup,
            sinks: conditions)
        let interface = try interface(of: configuration, handedOver, journal, parts, log)
        let recordings = try recordings(configuration)
        let opening = sinkFactory(register: register, conditions, log)
        let source = ConfigurationSource(
            load: { [configurationOption] in try configurationOption.loadAgain() },
            sources: { [catalogOption] in try catalogOption.sources(of: $0) }, sinks: opening)
        let daemon = try orFail {
            try Daemon(
                configuration: configuration, register: register, sources: sources,
                sinks: standardOutput(of: configuration, afterJournal: false)
                    + opening(configuration).keyboards(),
                journaledSinks: standardOutput(of: configuration, afterJournal: true),
                opening: opening(configuration), journal: journal, interface: interface,
                reload: ReloadParts(source: source, setup: setup, conditions: conditions),
                recordings: recordings, manager: manager,
                handover: ManagedHandover(handedOver, manager: manager), log: log)
        }
        do {
            let grace = configuration.catalog.deadline + .seconds(2)
            switch try daemon.run(on: loop, grace: grace) {
            case .complete: break
            case .abandoned:
                throw Failure("nobody reads standard output any more: the scanners are let go")
            case .unpublished:
                throw Failure("not everything was written: nobody reads standard output")
            case .notWrittenBack(let products):
                // Nothing that was scanned is lost, and the catalog is asked again the next time.
                let text = products == 1 ? "1 product was" : "\(products) products were"
                log.warning(
                    "\(text) not written back to the embedded catalog: it is busy or locked by another process"
                )
            }
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }

    /// What makes the sinks of a configuration, now and at a reload.
    private func sinkFactory(
        register: String, _ conditions: SinkConditions, _ log: Logger
    ) -> @Sendable (Configuration) -> SinkFactory {
        let credentials = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        return { configuration in
            SinkFactory(
                configuration, register: register, credentialsFolder: credentials,
                conditions: conditions, log: log)
        }
    }

    private func recordings(_ configuration: Configuration) throws -> RecordingSource? {
        guard !replay.isEmpty else { return nil }
        let scanners = try orFail {
            try ReplayScanners(configuration: configuration, name: nil)
        }
        return RecordingSource(files: replay, scanners: scanners, isFast: fast)
    }

    /// What other programs read events from; with a socket that the service manager made, where it did.
    private func interface(
        of configuration: Configuration, _ handedOver: HandedOverDescriptors,
        _ journal: DaemonJournal?, _ parts: StatusParts, _ log: Logger
    ) throws -> EventServer? {
        let sockets = HandedOverSockets(handedOver.sockets)
        guard let settings = configuration.listen, let journal else {
            if sockets.haveClients {
                log.warning(
                    "the service manager handed a socket over, and nobody answers there: the configuration has no listen"
                )
            }
            return nil
        }
        return try orFail {
            try EventServer(
                settings, handedOver: sockets, journal: journal.journal,
                source: "/keywedge/\(parts.register)", now: { SystemClock().now }, parts: parts,
                log: log
            ) { port in log.info("reading events over HTTP: port \(port)") }
        }
    }

    /// What writes to standard output, at once or once an event is in the journal.
    private func standardOutput(
        of configuration: Configuration, afterJournal isAfterJournal: Bool
    ) -> [any EventSink] {
        configuration.events.compactMap { sink in
            guard case .stdout(let format, isAfterJournal) = sink else { return nil }
            return DescriptorSink(
                writer: .standardOutput(),
                formatter: formatOption.formatter(
                    else: format.flatMap { EventFormat(rawValue: $0.rawValue) }),
                flushing: .eachEvent)
        }
    }
}

/// A command that runs on the main thread, without Swift's own pool of threads, and takes its signals
/// itself.
protocol TakesTheMainThread {}
