import ArgumentParser
import Catalog
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import Synchronization
import WireText

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play recordings through the whole pipeline, as fast as possible.",
        discussion: """
            The same files, configuration and catalog always give the same bytes. Reads recordings \
            of evemu-record, libinput record, evtest, python-evdev and Android's getevent, also as \
            pasted into mails, and .keys files; - is standard input.
            """,
        examples: "keywedge replay shop.evemu --catalog catalog.sqlite --expect shop.events.jsonl")

    @Argument(help: "Recordings, played one after the other.", completion: .file())
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

    @Option(file: "Compare the events with this file instead of printing them.")
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
            .init(of: configuration, sources: sources, layouts: .inPlace),
            times: .recording(hasDates: start != nil))
        var replay = Replay(
            scanners: scanners, pipeline: pipeline,
            start: start ?? EventTime(microsecondsSince1970: 0),
            pace: realtime ? ContinuousClock() : nil)
        let register = configuration.register ?? Replay.register
        if let expect {
            let expected = try ExpectedEvents(path: expect)
            try await play(&replay, of: register, to: expected)
            try expected.finish()
        } else {
            let output = PrintedEvents(
                formatter: formatOption.formatter(else: configuration.standardOutput?.format),
                isBuffered: !realtime)
            do {
                try await play(&replay, of: register, to: output)
            } catch {
                // Print the events before a mistake in a recording.
                try output.flush()
                throw error
            }
            try output.flush()
        }
        for name in replay.emptyRecordings {
            StandardError.write("\(Escaping.line.escaped(name)) holds no input event")
        }
        if let reason = replay.firstLookupFailure {
            StandardError.write("\(replay.lookupFailureCount.counted("lookup")) failed: \(reason)")
        }
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
}

private final class PrintedEvents: EventSink {
    private let formatter: EventFormatter
    private let isBuffered: Bool
    private let writer = Mutex(DescriptorWriter())

    init(formatter: EventFormatter, isBuffered: Bool) {
        self.formatter = formatter
        self.isBuffered = isBuffered
    }

    func send(_ event: Event) throws {
        try writer.withLock { writer throws(OutputError) in
            try writer.write { formatter.append(event, to: &$0) }
        }
        if !isBuffered { try flush() }
    }

    func flush() throws(OutputError) {
        try writer.withLock { writer throws(OutputError) in try writer.flush() }
    }
}

/// A sink that compares the replayed events with those in a file, and prints the differences.
private final class ExpectedEvents: EventSink {
    private let path: String
    private let comparison: Mutex<EventComparison>

    init(path: String) throws {
        // The file stays open until the command ends.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        self.path = path
        comparison = Mutex(
            EventComparison(expected: DescriptorLines(descriptor: descriptor, name: path)))
    }

    // Errors of `print` do not matter: a difference makes the command fail even if its output is closed.
    func send(_ event: Event) throws {
        try comparison.withLock { try $0.add(event.line).forEach { print($0) } }
    }

    /// Compares the remaining events, and throws an error if any event differs from the file.
    func finish() throws {
        let (equal, different) = try comparison.withLock { comparison in
            try comparison.finish().forEach { print($0) }
            return (comparison.equalCount, comparison.differenceCount)
        }
        guard different > 0 else {
            StandardError.write("\(equal.counted("event")) as expected")
            return
        }
        throw Failure(
            "\(different.counted("event differs", "events differ")) from "
                + "\(Escaping.line.escaped(path)), \(equal.counted("is", "are")) as expected")
    }
}
