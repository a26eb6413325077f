import ArgumentParser
import Events
import Glibc
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import ScannerInput
import WireText

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the attached devices, and whether and why keywedge would claim them.",
        discussion:
            "A * marks devices that it would claim. Only root sees every process that has one open.",
        examples: "sudo keywedge devices")

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var formatOption: ObjectFormatOption

    func run() async throws {
        let rules = try configurationOption.load().readerConfiguration.rules
        let places = DevicePlaces()
        let report = DeviceReport(
            devices: DeviceSurvey(rules: rules, places: places).devices(),
            folder: access(places.nodes, F_OK) == 0 ? places.nodes : nil,
            isConfigured: !rules.configured.isEmpty)
        if formatOption.chosen == .json {
            for object in report.objects { try StandardOutput.write(object) }
            for line in report.advice where report.folder == nil { StandardError.write(line) }
        } else {
            try StandardOutput.write(lines: report.lines)
        }
    }
}

struct MonitorCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "monitor", abstract: "Show a scanner's keys, characters and scans live.",
        discussion: """
            One line per key: the pause before it, the key, the keys held with it, and its \
            character on the scanner's layout; for a scanner that does not type, one line per \
            report or byte. After each scan: the result or the reason for rejecting it, and the \
            relevant settings. Wrong characters mean a wrong layout.
            """,
        examples: "sudo keywedge monitor counter")

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var layoutOption: LayoutOption

    func run() throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let (choice, reader) = try scannerArgument.open(configuration)
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        configurationOption.quiet.say(
            "showing \(node) with the settings of \(choice.scanner.name); Ctrl-C ends it")
        configurationOption.quiet.say(
            "every key is shown, those of payment cards and identity documents too")
        var monitor = ScanMonitor(
            scanner: choice.scanner, decoder: configuration.decoder(for: choice.scanner),
            isJSON: formatOption.isJSON, interface: reader.interface, hidden: configuration.hide)
        try StandardOutput.write(lines: monitor.heading)
        let isGone = try reader.forEach(wakeUp: { monitor.deadlineMicroseconds }) { events in
            for event in events { try StandardOutput.write(lines: monitor.feed(event)) }
            if events.isEmpty { try StandardOutput.write(lines: monitor.advance(to: reader.now)) }
        }
        try StandardOutput.write(lines: monitor.disconnect(at: reader.now))
        if isGone { configurationOption.quiet.say("the scanner went away") }
    }
}

struct RecordCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record the raw events of a scanner.",
        discussion: """
            The recording has evemu's format; for a scanner in HID POS mode it has the format of \
            hid-recorder, and for a serial scanner it is a .keys file. Only its owner can read a \
            new file, because a recording contains every scan in clear text.
            """,
        examples: "sudo keywedge record counter -o shop.evemu")

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        name: [.short, .long],
        help: "The recording to write; standard output by default and for -.", completion: .file())
    var output: String?

    @Option(
        help: "How long to record, in seconds; by default until Ctrl-C.",
        transform: numbers(1...86_400))
    var seconds: Int?

    func validate() throws {
        try require(
            !formatOption.isJSON || output ?? "-" != "-",
            "--format json: expected --output FILE beside it")
    }

    func run() throws {
        let (choice, reader) = try scannerArgument.open(try configurationOption.load())
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        configurationOption.quiet.say("recording \(node); Ctrl-C ends it")
        configurationOption.quiet.say(
            "everything is recorded in clear text, payment cards and identity documents too")
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

/// A writer that records a scanner's input in the format for the scanner's interface.
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

struct ScannerArgument: ParsableArguments {
    @Argument(help: "The scanner: a configured name, a node, or vendor:product as 0c2e:0b61.")
    var scanner: String

    @Flag(help: "Grab the scanner, so that no other program gets its keys in the meantime.")
    var grab = false

    func open(_ configuration: Configuration) throws -> (ScannerChoice, RawReader) {
        try Self.open(scanner, grabs: grab, configuration)
    }

    /// Finds and opens a scanner's devices, and makes `SIGINT` and `SIGTERM` stop the reader.
    ///
    /// If the command does not end within 0.5 s of the signal, the process exits with status 128 + signal number.
    static func open(
        _ scanner: String, grabs: Bool, _ configuration: Configuration
    ) throws -> (ScannerChoice, RawReader) {
        let survey = DeviceSurvey(rules: configuration.readerConfiguration.rules)
        let choice = try ScannerChoice(
            survey.node(at: scanner) ?? scanner, in: configuration, among: survey.devices())
        let reader = try RawReader(
            paths: choice.nodes, grabs: grabs, serial: choice.scanner.serialSettings)
        if let warning = choice.warning { StandardError.write(warning) }
        let stop = reader.stop
        try EndingSignals.watch { number in
            stop()
            // The command may be blocked by writing to a program that does not read.
            usleep(500_000)
            _exit(128 + number)
        }
        return (choice, reader)
    }
}

extension RawReader {
    /// Calls `body` with events as they arrive, until a signal arrives or `deadline` has passed.
    ///
    /// Times are in microseconds on the clock of ``now``. `wakeUp` returns the time to call `body` even without events.
    ///
    /// - Returns: True if the device was unplugged; false after a signal or the deadline.
    func forEach(
        until deadline: Int64? = nil, wakeUp: () -> Int64? = { nil },
        _ body: ([DeviceEvent]) throws -> Void
    ) throws -> Bool {
        while deadline.map({ now < $0 }) ?? true {
            let next = [deadline, wakeUp()].compactMap(\.self).min()
            let limit = next.map { Duration.microseconds(max(0, $0 - now)) }
            let arrived: [DeviceEvent]?
            do {
                arrived = try events(within: limit)
            } catch {
                guard error.errno == ENODEV else { throw error }
                return true
            }
            guard let arrived else { return false }
            try body(arrived)
        }
        return false
    }
}
