import ArgumentParser
import Events
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import ScannerInput
import WireText

struct RecordCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record the raw events of a scanner.",
        discussion: """
            The recording has evemu's format, which keywedge replay and evemu-play read. Each key \
            is written when it comes; Ctrl-C ends the recording. Only its owner can read a new \
            file: a recording holds everything that was scanned, in clear text.

            Example:
              sudo keywedge record counter -o shop.evemu
            """)

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        name: [.short, .long],
        help: "The recording to write; without it, and for -, standard output.")
    var output: String?

    @Option(help: "How long to record, in seconds; without it, until Ctrl-C.")
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
            "keywedge: everything that is scanned is recorded in clear text, payment cards and"
                + " identity documents too")
        let (count, end) = try orFail { try record(reader) }
        if end == .deviceGone { StandardError.write("keywedge: the scanner went away") }
        StandardError.write("keywedge: \(count.counted("key press", "key presses")) recorded")
    }

    private func record(_ reader: RawReader) throws -> (keyPresses: Int, RawReader.End) {
        var writer = EvemuWriter(
            device: reader.identity, keys: reader.keyCodes, startsAtZero: true)
        var keyPresses = 0
        var end = RawReader.End.asked
        try OutputFile.write(to: output ?? "-", mode: 0o600) { output in
            try output.write { writer.appendHeader(to: &$0) }
            try output.flush()
            let deadline = seconds.map { reader.now + Int64($0) * 1_000_000 }
            end = try reader.forEach(until: deadline) { events in
                for event in events {
                    if event.type == InputEventType.key, event.value == 1 { keyPresses += 1 }
                    try output.write { writer.append(event, to: &$0) }
                    if event.isReport { try output.flush() }
                }
            }
        }
        return (keyPresses, end)
    }
}

extension KeyEvent {
    /// Whether it ends a group of events that happened together.
    fileprivate var isReport: Bool { type == InputEventType.syn && code == SynCode.report }
}
