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
            The recording has evemu's format, which keywedge replay and evemu-play read; for a \
            scanner in HID POS mode it has the format of hid-recorder, and for a serial scanner it \
            is a .keys file. Each key is written at once; Ctrl-C ends the recording. Only its \
            owner can read a new file, because a recording contains every scan in clear text.

            Example:
              sudo keywedge record counter -o shop.evemu
            """)

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        name: [.short, .long],
        help: "The recording to write; standard output by default and for -.")
    var output: String?

    @Option(
        help: "How long to record, in seconds; by default until Ctrl-C.",
        transform: numbers(1...86_400))
    var seconds: Int?

    func validate() throws {
        guard formatOption.chosen(else: .pretty) == .pretty || output ?? "-" != "-" else {
            throw ValidationError("--format json: expected --output FILE beside it")
        }
    }

    func run() throws {
        let (choice, reader) = try scannerArgument.open(try configurationOption.load())
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        configurationOption.quiet.say("recording \(node); Ctrl-C ends it")
        configurationOption.quiet.say(
            "everything that is scanned is recorded in clear text, payment cards and"
                + " identity documents too")
        let keyboard = EvemuWriter(
            device: reader.identity, keys: reader.keyCodes, startsAtZero: true)
        var writer = RecordingWriter(reader.interface, reader.identity, keyboard: keyboard)
        var isGone = false
        try OutputFile.write(to: output ?? "-", mode: 0o600) { output in
            try output.write { writer.appendHeader(to: &$0) }
            try output.flush()
            let deadline = seconds.map { reader.now + Int64($0) * 1_000_000 }
            isGone = try reader.forEach(until: deadline) { events in
                try output.write { writer.append(events, to: &$0) }
                try output.flush()
            }
        }
        if isGone { configurationOption.quiet.say("the scanner went away") }
        try formatOption.report(
            [
                "output": output.map(JSONValue.string) ?? .null,
                "interface": .string(reader.interface.kind.rawValue),
                "recorded": .integer(Int64(writer.number)),
            ], "\(writer.count) recorded", configurationOption.quiet)
    }
}

/// Writes a scanner's input in the recording format for its interface.
struct RecordingWriter {
    private enum Format {
        case keys(EvemuWriter)
        case reports(HIDRecorderWriter)
        case bytes(SentBytesWriter)
    }

    private var format: Format
    private(set) var number = 0

    init(_ interface: ScannerInterface, _ device: DeviceIdentity, keyboard: EvemuWriter) {
        format =
            switch interface {
            case .keyboard: .keys(keyboard)
            case .hidPOS(let layout):
                .reports(HIDRecorderWriter(device: device, descriptor: layout.descriptor))
            case .serial: .bytes(SentBytesWriter(device: device))
            }
    }

    /// A description of the amount written.
    var count: String {
        switch format {
        case .keys: number.counted("key press", "key presses")
        case .reports: number.counted("report")
        case .bytes: number.counted("byte")
        }
    }

    func appendHeader(to output: inout [UInt8]) {
        switch format {
        case .keys(let writer): writer.appendHeader(to: &output)
        case .reports(let writer): writer.appendHeader(to: &output)
        case .bytes(let writer): writer.appendHeader(to: &output)
        }
    }

    mutating func append(_ events: [DeviceEvent], to output: inout [UInt8]) {
        switch format {
        case .keys(var writer):
            for case .key(let event) in events {
                if event.type == InputEventType.key, event.value == 1 { number += 1 }
                writer.append(event, to: &output)
            }
            format = .keys(writer)
        case .reports(var writer):
            for case .report(let bytes, let time) in events {
                number += 1
                writer.append(report: bytes, at: time, to: &output)
            }
            format = .reports(writer)
        case .bytes(var writer):
            let parts = events.split(omittingEmptySubsequences: false, whereSeparator: \.isLoss)
            for (index, part) in parts.enumerated() {
                if index > 0 { writer.appendLoss(to: &output) }
                let bytes = part.compactMap { event -> UInt8? in
                    if case .byte(let byte, _) = event { byte } else { nil }
                }
                guard let time = part.last?.microseconds, !bytes.isEmpty else { continue }
                number += bytes.count
                writer.append(bytes: bytes, at: time, to: &output)
            }
            format = .bytes(writer)
        }
    }
}
