import ArgumentParser
import EvdevInput
import Events
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import WireText

struct RecordCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record the raw events of a scanner.",
        discussion: """
            The recording is one of evemu: keywedge replay reads it, and so does evemu-play. It is \
            written as the keys come, and ended with Ctrl-C. A file that is made may be read by its \
            owner alone: a recording holds everything that was scanned, in clear text.

            Example:
              sudo keywedge record counter -o shop.evemu
            """)

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        name: [.short, .long],
        help: "The recording to write; else, and for -, standard output.")
    var output: String?

    @Option(help: "How long to record, in seconds; else until it is ended.")
    var seconds: Int?

    func validate() throws {
        if let seconds, !(1...86_400).contains(seconds) {
            throw ValidationError("--seconds: expected 1 to 86400, found \(seconds)")
        }
    }

    func run() throws {
        let (choice, reader) = try scannerArgument.open(try configurationOption.load())
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        StandardError.write("keywedge: recording \(node); Ctrl-C ends it")
        StandardError.write(
            "keywedge: whatever is scanned is recorded in clear text, payment cards and identity"
                + " documents too")
        let (count, end) = try orFail { try record(reader) }
        if end == .deviceGone { StandardError.write("keywedge: the scanner went away") }
        StandardError.write("keywedge: \(count.counted("key press", "key presses")) recorded")
    }

    private func record(_ reader: RawReader) throws -> (keyPresses: Int, RawReader.End) {
        var tape = EvemuTape(reader)
        var end = RawReader.End.asked
        try OutputFile.write(to: output ?? "-", mode: 0o600) { output in
            try output.write { tape.appendHeader(to: &$0) }
            try output.flush()
            let deadline = seconds.map { reader.now + Int64($0) * 1_000_000 }
            end = try reader.forEach(until: deadline) { events in
                for event in events {
                    try output.write { tape.append(event, to: &$0) }
                    if event.isReport { try output.flush() }
                }
            }
        }
        return (tape.keyPressCount, end)
    }
}

/// A device's events as an evemu recording that begins at 0.
private struct EvemuTape {
    private var writer: EvemuWriter
    private var startMicroseconds: Int64?
    private(set) var keyPressCount = 0

    init(_ reader: RawReader) {
        writer = EvemuWriter(device: reader.identity, keys: reader.keyCodes)
    }

    func appendHeader(to bytes: inout [UInt8]) {
        writer.appendHeader(to: &bytes)
    }

    mutating func append(_ event: KeyEvent, to bytes: inout [UInt8]) {
        let start = startMicroseconds ?? event.microseconds
        startMicroseconds = start
        if event.type == InputEventType.key, event.value == 1 { keyPressCount += 1 }
        var event = event
        event.microseconds -= start
        writer.append(event, to: &bytes)
    }
}

extension KeyEvent {
    /// Whether it ends a group of events.
    fileprivate var isReport: Bool { type == InputEventType.syn && code == SynCode.report }
}
