import ArgumentParser
import Dispatch
import Events
import Glibc
import KeywedgeDaemon
import Logging

struct RunCommand: AsyncParsableCommand, EndsOnSignals {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The daemon: read scanners, print an event per scan.",
        discussion: """
            SIGTERM and SIGINT end it in order: lookups in hand are finished, scanners let go.

            Example:
              keywedge run --config keywedge.yaml | while IFS= read -r event; do …; done
            """)

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption

    func run() async throws {
        let configuration = try configurationOption.load()
        let isForJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "keywedge") { _ in StandardErrorLog(isForJournal: isForJournal) }
        let manager = ServiceManager { name in getenv(name).map { String(cString: $0) } }
        let daemon = Daemon(
            configuration: configuration, register: RegisterName.ofHost,
            sources: try catalogOption.sources(of: configuration),
            sinks: sinks(of: configuration), manager: manager, log: log)
        let limit = ShutdownLimit(after: configuration.catalog.deadline + .seconds(2))
        defer { limit.cancel() }
        do {
            try await daemon.run()
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }

    private func sinks(of configuration: Configuration) -> [any EventSink] {
        configuration.events.map { sink in
            switch sink {
            case .stdout(let format):
                DescriptorSink(
                    writer: .standardOutput(),
                    formatter: formatOption.formatter(
                        else: format.flatMap { EventFormat(rawValue: $0.rawValue) }),
                    flushing: .eachEvent)
            }
        }
    }
}

/// A command that ends on `SIGINT` and `SIGTERM` by itself.
protocol EndsOnSignals {}

/// Bounds the time between the signal that ends the daemon and its end.
///
/// Whoever reads standard output may have stopped reading for good, and then the last event cannot
/// be written.
private final class ShutdownLimit {
    private let sources: [any DispatchSourceSignal]

    init(after limit: Duration) {
        sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let milliseconds = Int(limit / .milliseconds(1))
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                    StandardError.write(
                        "keywedge: not everything was written: nobody reads standard output")
                    _exit(Ending.Code.failed)
                }
            }
            source.resume()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
