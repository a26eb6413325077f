import ArgumentParser
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

            Example:
              keywedge run --config keywedge.yaml | while IFS= read -r event; do …; done
            """)

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption

    func run() throws {
        let configuration = try configurationOption.load()
        // Before anything that could start a thread: threads inherit which signals they take.
        let loop = try orFail { try MainLoop() }
        let isForJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "keywedge") { _ in StandardErrorLog(isForJournal: isForJournal) }
        let manager = ServiceManager { name in getenv(name).map { String(cString: $0) } }
        let sources = try catalogOption.sources(of: configuration)
        let journal = try orFail {
            try configuration.journalInUse.map {
                try DaemonJournal(
                    opening: $0, sinks: Set(configuration.events.compactMap(\.durableName)))
            }
        }
        let opening = SinkOpening(
            configuration, register: RegisterName.ofHost,
            credentialsFolder: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }, log: log
        )
        let daemon = try orFail {
            try Daemon(
                configuration: configuration, register: RegisterName.ofHost, sources: sources,
                sinks: standardOutput(of: configuration, afterJournal: false) + opening.keyboards(),
                journaledSinks: standardOutput(of: configuration, afterJournal: true),
                opening: opening,
                journal: journal, manager: manager, log: log)
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
