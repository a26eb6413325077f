import ArgumentParser
import Catalog
import EventService
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import Logging
import Sinks
import Synchronization
import WireText

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the daemon: read scanners, and print an event per scan.",
        discussion: """
            On SIGTERM and SIGINT it finishes lookups, releases the scanners and ends. If the \
            reader of standard output ends, it releases the scanners at once and exits with 1. A \
            wrong configuration makes the start fail. If a catalog or secret cannot be read, the \
            daemon reports it, and tries again until it succeeds.

            With --replay it plays recordings instead of reading scanners, and then keeps running \
            until a signal ends it, so you can try programs that read events without devices. A \
            recording may be a FIFO, or - for standard input.
            """,
        examples: "keywedge run --config keywedge.yaml | while IFS= read -r event; do …; done")

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Play these recordings instead of reading scanners.", valueName: "file"),
        completion: .file())
    var replay: [String] = []

    @Flag(help: "Play them as fast as possible, without their pauses.")
    var fast = false

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption

    func validate() throws {
        try require(!fast || !replay.isEmpty, "--fast: expected --replay beside it")
    }

    /// Runs the daemon on this thread, without Swift's thread pool.
    func run(_ handover: ManagedHandover) throws {
        let errors = BoundedOutput(descriptor: STDERR_FILENO)
        // Make the main loop before anything that could start a thread, because threads inherit the signal mask.
        let loop = try mainLoop(handover, errors)
        let configuration = try configurationOption.load()
        var log = Logger(writingTo: errors)
        if configurationOption.quiet.quiet { log.logLevel = .warning }
        let notices = StartNotices(log)
        let sources = try catalogOption.sources(of: configuration, tell: notices.say)
        let setup = DaemonSetup(configuration, sources: sources)
        let register = configuration.registerName
        // This closure makes the sinks at the start and at each reload.
        let sinks = { @Sendable [replay, log] (configuration: Configuration) in
            SinkFactory(
                configuration, register: register, isReplaying: !replay.isEmpty,
                version: Keywedge.configuration.version, credentialsFolder: Credentials.folder,
                setup: setup, log: log)
        }
        let durableSinks = sinks(configuration).durableSinks()
        let scanners = try ReplayScanners(configuration: configuration, name: nil)
        let recordings =
            try replay.isEmpty
            ? nil : RecordingSource(files: replay, scanners: scanners, isFast: fast)
        let sockets = try makeSockets(of: configuration, handover, log)
        defer { sockets?.removeFile() }
        let immediate = try sinks(configuration).immediateSinks()
        let output = try standardOutput(of: configuration, setup, log)
        // Open the journal last, so that a failed start leaves no journal behind.
        let journal = try configuration.journalInUse.map { settings in
            let sinks = Set(configuration.events.compactMap(\.durableName))
            return try DaemonJournal(opening: settings, sinks: sinks, log: log)
        }
        let interface = interface(at: sockets, journal, register: register, setup, log)
        let source = ConfigurationSource(
            load: { [configurationOption] in try orFail(configurationOption.loadAgain) },
            // At a reload, files that cannot be read are an error, so that the working catalogs stay in use.
            sources: { [catalogOption] configuration in
                try orFail { try catalogOption.sources(of: configuration, awaitsFiles: false) }
            }, sinks: sinks)
        let daemon = try Daemon(
            setup, from: source, register: register, sources: sources, output: output,
            sinks: immediate, durableSinks: durableSinks, journal: journal, interface: interface,
            recordings: recordings, on: loop,
            manager: ServiceManager(environment: environmentVariable), handover: handover, log: log)
        notices.flush()
        do {
            try run(daemon)
        } catch let failure as Failure {
            // Write to the bounded output, because the reader of standard error may hang.
            errors.say(failure.description)
            throw ExitCode(Ending.Code.failed)
        }
    }

    /// Makes a main loop that ends a hanging process after SIGTERM or SIGINT.
    private func mainLoop(
        _ handover: ManagedHandover, _ errors: BoundedOutput
    ) throws -> MainLoop {
        try MainLoop { stuck in
            switch stuck {
            case .starting(let signal):
                handover.release()
                errors.say(
                    "the start has not ended \(MainLoop.startGrace.text) after a signal: ending without "
                        + "it")
                _exit(128 + signal)
            case .running:
                errors.say(
                    "the main thread has not ended in time after a signal: ending without it")
                _exit(Ending.Code.failed)
            }
        }
    }

    private func interface(
        at sockets: InterfaceSockets?, _ journal: DaemonJournal?, register: String,
        _ setup: DaemonSetup, _ log: Logger
    ) -> EventServer? {
        guard let sockets, let journal else { return nil }
        return EventServer(
            sockets, journal: journal.journal, source: "/keywedge/\(register)",
            now: { SystemClock.now },
            parts: StatusParts(
                register: register, version: Keywedge.configuration.version, setup: setup),
            log: log
        ) { port in log.info("reading events over HTTP: port \(port)") }
    }

    private func run(_ daemon: Daemon) throws {
        switch try orFail({ try daemon.run() }) {
        case .complete: break
        case .abandoned:
            throw Failure(
                "standard output has lost its reader: the scanners are released. Run keywedge again with "
                    + "a reader that stays, or have the reader use keywedge listen")
        case .unfinished:
            throw Failure("the shutdown took too long and was cut short; see the log above")
        case .incomplete(let losses): throw Failure(losses.joined(separator: "; "))
        }
    }

    /// Makes or takes over the sockets of the HTTP interface; nil if there is no interface.
    private func makeSockets(
        of configuration: Configuration, _ handover: ManagedHandover, _ log: Logger
    ) throws -> InterfaceSockets? {
        guard let settings = configuration.listen, configuration.journalInUse != nil else {
            let words =
                "the service manager handed a socket over, but the configuration has no listen: nothing answers there"
            if InterfaceSockets.haveClients(handover.sockets) { log.warning("\(words)") }
            return nil
        }
        return try InterfaceSockets(settings, handedOver: handover.sockets, log: log)
    }

    private func standardOutput(
        of configuration: Configuration, _ setup: DaemonSetup, _ log: Logger
    ) throws -> OutputSink? {
        guard let settings = configuration.standardOutput else { return nil }
        let reporter = SinkStatusReporter(StandardOutputConfiguration.kind, setup, log: log)
        return try OutputSink(
            formatter: formatOption.formatter(else: settings.format),
            holdsBack: settings.readsJournal, report: reporter.report)
    }
}

extension BoundedOutput {
    /// Writes a message in the form that all commands use: a sentence after the prefix `keywedge: `.
    fileprivate func say(_ text: String) {
        write(Array("keywedge: \(Escaping.sentence.escaped(text))\n".utf8)) { _ in [] }
    }
}

/// Notices collected until the daemon has started, so that a failed start prints only its error.
private final class StartNotices: Sendable {
    private let kept = Mutex<[String]?>([])
    private let log: Logger

    init(_ log: Logger) { self.log = log }

    @Sendable func say(_ text: String) {
        let isKept = kept.withLock { kept in
            kept?.append(text)
            return kept != nil
        }
        if !isKept { log.warning("\(text)") }
    }

    /// Logs the collected notices; afterwards, ``say(_:)`` logs immediately.
    func flush() {
        for text in kept.withLock({ $0.take() }) ?? [] { log.warning("\(text)") }
    }
}
