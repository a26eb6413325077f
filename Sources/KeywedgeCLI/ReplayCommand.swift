import ArgumentParser
import Catalog
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import WireText

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play recordings through the whole pipeline, as fast as possible.",
        discussion: """
            The same files, configuration and catalog always give the same bytes. A catalog that \
            cannot be opened is reported, and the others are asked. Reads recordings \
            of evemu-record, libinput record, evtest, python-evdev and Android's getevent, also as \
            pasted into mails, and .keys files; - is standard input.

            Example:
              keywedge replay shop.evemu --catalog catalog.sqlite --expect shop.events.jsonl
            """)

    @Argument(help: "Recordings, played one after the other.")
    var files: [String]

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: FormatOption
    @OptionGroup var layoutOption: LayoutOption

    @Option(help: "Play the recordings as this configured scanner.")
    var scanner: String?

    @Option(
        help: "The time of the first keystroke (RFC 3339); by default 1970-01-01T00:00:00Z.",
        transform: EventTime.reading)
    var start: EventTime?

    @Option(
        help: ArgumentHelp(
            "Compare the events with this file instead of printing them.", valueName: "events"))
    var expect: String?

    @Flag(help: "Play at the pace of the recording.")
    var realtime = false

    @Flag(help: "Exit with 3 if something was rejected, or a catalog cannot be used.")
    var strict = false

    func run() async throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let scanners = try ReplayScanners(configuration: configuration, name: scanner)
        let sources = try catalogOption.sources(of: configuration)
        let pipeline = ScanPipeline(
            decoders: ScannerDecoders(configuration: configuration), sources: sources,
            layouts: LayoutAdvisor(configuration: configuration, compiling: .inPlace),
            hidden: configuration.hide, clock: nil, knowsTheYear: start != nil)
        var replay = Replay(
            scanners: scanners, pipeline: pipeline,
            start: start ?? EventTime(microsecondsSince1970: 0),
            pace: realtime ? ContinuousClock() : nil)
        let register = configuration.register ?? Replay.register
        if let expect {
            let expected = try ExpectedEvents(path: expect)
            try await play(&replay, of: register, to: expected)
            try await expected.finish()
        } else {
            let output = DescriptorSink(
                writer: .standardOutput(), formatter: formatOption.formatter(of: configuration),
                flushing: realtime ? .eachEvent : .whenFull)
            do {
                try await play(&replay, of: register, to: output)
            } catch {
                // The events before a mistake in a recording are printed; a failure of the output itself recurs here.
                try await output.flush()
                throw error
            }
            try await output.flush()
        }
        tell(of: replay)
        if strict, replay.rejectionCount > 0 || sources.lacksCatalog {
            throw ExitCode(Ending.Code.rejected)
        }
    }

    private func play(
        _ replay: inout Replay, of register: String, to sink: any EventSink
    ) async throws {
        let publisher = Replay.publisher(of: register, to: [sink])
        for file in files {
            try await replay.play(try RecordingReader(path: file), to: publisher)
        }
    }

    private func tell(of replay: Replay) {
        for name in replay.emptyRecordings {
            StandardError.write("\(Escaping.line.escaped(name)) holds no input event")
        }
        guard let reason = replay.firstLookupFailure else { return }
        StandardError.write("\(replay.lookupFailureCount.counted("lookup")) failed: \(reason)")
    }
}

/// Compares events with those in a file, and reports the differences.
private actor ExpectedEvents: EventSink {
    private let descriptor: Int32
    private let path: String
    private var comparison: EventComparison<DescriptorLines>
    private var differenceCount = 0

    /// The number of differences shown; further ones are only counted.
    private static let shownDifferences = 20

    init(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        self.descriptor = descriptor
        self.path = path
        comparison = EventComparison(
            expected: DescriptorLines(descriptor: descriptor, name: path))
    }

    deinit { close(descriptor) }

    func send(_ event: Event) async throws {
        try report(comparison.add(event.line))
    }

    /// Compares the rest, and throws if there was any difference.
    func finish() throws {
        try report(comparison.finish())
        guard differenceCount > 0 else {
            StandardError.write("\(comparison.equalCount.counted("event")) as expected")
            return
        }
        if differenceCount > Self.shownDifferences {
            print("… and \(differenceCount - Self.shownDifferences) more")
        }
        let path = Escaping.line.escaped(path)
        throw Failure(
            "\(differenceCount.counted("event differs", "events differ")) from \(path), "
                + comparison.equalCount.counted("is", "are") + " as expected"
        )
    }

    private func report(_ differences: [EventDifference]) throws {
        for difference in differences {
            differenceCount += 1
            if differenceCount <= Self.shownDifferences { print(difference) }
        }
    }
}
