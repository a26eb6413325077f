import ArgumentParser
import Catalog
import EventService
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import Logging
import Sinks
import WireText

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The daemon: read scanners, print an event per scan.",
        discussion: """
            SIGTERM and SIGINT end it in order: it finishes lookups and releases the scanners. When \
            the reader of standard output ends, it releases the scanners at once and exits with 1. \
            A start that fails prints one line and releases scanners that an earlier run left.

            With --replay it plays recordings in place of scanners, and then runs on until a signal \
            ends it: programs that read events can be tried without devices. A recording may be a \
            FIFO, or - for standard input: each scan is read when it is complete.

            Example:
              keywedge run --config keywedge.yaml | while IFS= read -r event; do …; done
            """)

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Play these recordings in place of reading scanners.", valueName: "file"))
    var replay: [String] = []

    @Flag(help: "Play them as fast as possible, without their pauses.")
    var fast = false

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption

    func validate() throws {
        if fast, replay.isEmpty { throw ValidationError("--fast: expected --replay beside it") }
    }

    /// Runs the daemon on this thread, without Swift's own pool of threads.
    func run(_ handover: ManagedHandover) throws {
        let errors = BoundedOutput(descriptor: STDERR_FILENO)
        // Before anything that could start a thread: threads inherit which signals they take.
        let loop = try orFail { try mainLoop(handover, errors) }
        let configuration = try configurationOption.load()
        let isForJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "keywedge") { _ in
            StandardErrorLog(isForJournal: isForJournal, output: errors)
        }
        var notices: [String] = []
        let sources = try catalogOption.sources(of: configuration) { notices.append($0) }
        let setup = DaemonSetup(configuration, sources: sources)
        let register = RegisterName.ofHost
        let sinks = sinkFactory(register: register, setup, log)
        let durableSinks = try orFail { try sinks(configuration).durableSinks() }
        let recordings = try namedRecordings(configuration)
        let sockets = try makeSockets(of: configuration, handover, log)
        defer { sockets?.removeFile() }
        let keyboards = try orFail { try sinks(configuration).keyboards() }
        let output = try orFail { try standardOutput(of: configuration, setup, log) }
        // Last: a start that fails leaves no journal behind.
        let journal = try orFail { try openJournal(of: configuration, log) }
        let interface = interface(at: sockets, journal, register: register, setup, log)
        let source = ConfigurationSource(
            load: { [configurationOption] in try configurationOption.loadAgain() },
            sources: { [catalogOption] in try catalogOption.sources(of: $0) }, sinks: sinks)
        let daemon = try Daemon(
            setup, from: source, register: register, sources: sources, output: output,
            sinks: keyboards, durableSinks: durableSinks, journal: journal, interface: interface,
            recordings: recordings, on: loop,
            manager: ServiceManager { name in getenv(name).map { String(cString: $0) } },
            handover: handover, log: log)
        for notice in notices { errors.say(notice) }
        do {
            try run(daemon, log)
        } catch let failure as Failure {
            // As a line of the log, whose reader may hang.
            errors.say(failure.description)
            throw ExitCode(Ending.Code.failed)
        }
    }

    /// The main loop, which ends a process whose main thread hangs when a signal comes.
    private func mainLoop(
        _ handover: ManagedHandover, _ errors: BoundedOutput
    ) throws -> MainLoop {
        try MainLoop { stuck in
            switch stuck {
            case .starting(let signal):
                handover.release()
                errors.say("the start hangs, and a signal has ended it")
                _exit(128 + signal)
            case .running:
                errors.say("the main thread hangs, and is not waited for")
                _exit(Ending.Code.failed)
            }
        }
    }

    /// The interface; nil without sockets or a journal.
    private func interface(
        at sockets: InterfaceSockets?, _ journal: DaemonJournal?, register: String,
        _ setup: DaemonSetup, _ log: Logger
    ) -> EventServer? {
        guard let sockets, let journal else { return nil }
        return EventServer(
            sockets, journal: journal.journal, source: "/keywedge/\(register)",
            now: { SystemClock().now },
            parts: StatusParts(
                register: register, version: Keywedge.configuration.version, setup: setup),
            log: log
        ) { port in log.info("reading events over HTTP: port \(port)") }
    }

    private func run(_ daemon: Daemon, _ log: Logger) throws {
        switch try orFail({ try daemon.run() }) {
        case .complete: break
        case .abandoned:
            throw Failure("standard output has lost its reader: the scanners are released")
        case .unfinished: throw Failure("the end takes too long, and is not waited for")
        case .incomplete(let losses): throw Failure(losses.joined(separator: "; "))
        }
    }

    private func openJournal(
        of configuration: Configuration, _ log: Logger
    ) throws -> DaemonJournal? {
        let sinks = Set(configuration.events.compactMap(\.durableName))
        return try configuration.journalInUse.map {
            try DaemonJournal(opening: $0, sinks: sinks, log: log)
        }
    }

    /// Makes the sinks of a configuration, now and at a reload.
    private func sinkFactory(
        register: String, _ setup: DaemonSetup, _ log: Logger
    ) -> @Sendable (Configuration) -> SinkFactory {
        { configuration in
            SinkFactory(
                configuration, register: register, credentialsFolder: Credentials.folder,
                conditions: setup.conditions, log: log)
        }
    }

    private func namedRecordings(_ configuration: Configuration) throws -> RecordingSource? {
        guard !replay.isEmpty else { return nil }
        return try orFail {
            try RecordingSource(
                files: replay,
                scanners: try ReplayScanners(configuration: configuration, name: nil),
                isFast: fast)
        }
    }

    /// The sockets of the interface, one of which the service manager may have made.
    private func makeSockets(
        of configuration: Configuration, _ handover: ManagedHandover, _ log: Logger
    ) throws -> InterfaceSockets? {
        guard let settings = configuration.listen, configuration.journalInUse != nil else {
            if InterfaceSockets.haveClients(handover.sockets) {
                log.warning(
                    "the service manager handed a socket over, but the configuration has no listen: nothing answers there"
                )
            }
            return nil
        }
        return try orFail {
            try InterfaceSockets(settings, handedOver: handover.sockets, log: log)
        }
    }

    /// The sink that writes to standard output; nil if none is configured.
    private func standardOutput(
        of configuration: Configuration, _ setup: DaemonSetup, _ log: Logger
    ) throws -> OutputSink? {
        for case .stdout(let format, let isAfterJournal) in configuration.events {
            let reporter = SinkStatusReporter("stdout", setup.conditions, log: log)
            return try OutputSink(
                writer: .standardOutput(),
                formatter: formatOption.formatter(
                    else: format.flatMap { EventFormat(rawValue: $0.rawValue) }),
                holdsBack: isAfterJournal && configuration.journalInUse != nil,
                report: reporter.report)
        }
        return nil
    }
}

extension BoundedOutput {
    /// Writes a sentence as the commands do.
    fileprivate func say(_ text: String) {
        write(Array("keywedge: \(Escaping.sentence.escaped(text))\n".utf8)) { _ in [] }
    }
}

/// A command that runs on the main thread, without Swift's own pool of threads, and handles its
/// signals itself.
protocol TakesTheMainThread {}
