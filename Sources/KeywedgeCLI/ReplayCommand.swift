import ArgumentParser
import Catalog
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import WireText

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play recordings through the whole pipeline, as fast as it goes.",
        discussion: """
            The same files, configuration and catalog give the same bytes. Recordings are those \
            of evemu-record, libinput record, evtest, python-evdev and Android's getevent, also \
            as pasted into mails, and .keys files; - is standard input.

            Example:
              keywedge replay shop.evemu --catalog catalog.sqlite --expect shop.events.jsonl
            """)

    @Argument(help: "Recordings, played one after the other.")
    var files: [String]

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption
    @OptionGroup var layoutOption: LayoutOption

    @Option(help: "The configured scanner the recordings are taken for.")
    var scanner: String?

    @Option(
        help: "The time of the first keystroke (RFC 3339); else 1970-01-01T00:00:00Z.",
        transform: EventTime.reading)
    var start: EventTime?

    @Option(
        help: ArgumentHelp(
            "Compare the events with this file instead of printing them.", valueName: "events"))
    var expect: String?

    @Flag(help: "Play at the pace of the recording.")
    var realtime = false

    @Flag(help: "Exit with 3 where something was rejected.")
    var strict = false

    func run() async throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let scanners = try orFail {
            try ReplayScanners(configuration: configuration, name: scanner)
        }
        let sources = try catalogOption.sources(of: configuration)
        let pipeline = ScanPipeline(
            decoders: ScannerDecoders(configuration: configuration), sources: sources,
            layouts: LayoutAdvisor(configuration: configuration, compiling: .inPlace),
            hidden: configuration.hide, clock: nil, knowsTheYear: start != nil)
        var replay = Replay(
            scanners: scanners, pipeline: pipeline,
            start: start ?? EventTime(microsecondsSince1970: 0),
            pace: realtime ? ContinuousClock() : nil)
        if let expect {
            try await compare(&replay, with: expect)
        } else {
            try await write(&replay, as: formatOption.formatter(of: configuration))
        }
        tell(of: replay)
        if strict, replay.rejectionCount > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    private func write(_ replay: inout Replay, as formatter: EventFormatter) async throws {
        let output = DescriptorSink(
            writer: .standardOutput(), formatter: formatter,
            flushing: realtime ? .eachEvent : .whenFull)
        do {
            try await play(&replay, to: output)
        } catch let error as OutputError {
            throw error
        } catch {
            try await output.flush()
            throw Failure.unlessCancelled(error)
        }
        try await output.flush()
    }

    private func compare(_ replay: inout Replay, with path: String) async throws {
        let expected = try ExpectedEvents(path: path)
        do {
            try await play(&replay, to: expected)
        } catch {
            throw Failure.unlessCancelled(error)
        }
        try await expected.finish()
    }

    private func play(_ replay: inout Replay, to sink: any EventSink) async throws {
        let publisher = Replay.publisher(to: [sink])
        for file in files {
            try await replay.play(try RecordingReader(path: file), to: publisher)
        }
    }

    private func tell(of replay: Replay) {
        for name in replay.emptyRecordings {
            StandardError.write(
                "keywedge: \(Escaping.line.escaped(name)) holds no input event")
        }
        guard let reason = replay.firstLookupFailure else { return }
        StandardError.write(
            "keywedge: \(replay.lookupFailureCount.counted("lookup")) failed: \(reason)"
        )
    }
}
