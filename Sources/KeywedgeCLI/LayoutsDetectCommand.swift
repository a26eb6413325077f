import ArgumentParser
import Barcodes
import Events
import Glibc
import KeyLayouts
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import ScannerInput
import WireText

struct LayoutsDetectCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Find the layout a scanner types on, from one scan of a known text.",
        discussion: """
            Scan one of the calibration symbols (calibration.svg, on paper or on a screen), or \
            another symbol whose text --expect tells. Every layout that XKB knows is tried, with \
            the ways of Caps Lock, ALT mode and Unicode entry; what explains the keys is printed as \
            lines for the configuration of the scanner. A prefix or suffix of the scanner has to be \
            in the text that --expect tells. With the text of a GS1 symbol, FNC1 as \\x1d, they also \
            say what the scanner sends for FNC1, and content: gs1 where no AIM identifier announces it.

            Example:
              sudo keywedge layouts detect --scanner 0c2e:0b61
              keywedge layouts detect shop.evemu --expect KW-HB
            """)

    @Argument(help: "A recording of the scan, instead of a scanner; - is standard input.")
    var recording: String?

    @Option(help: "The scanner: a configured name, or a node, or vendor:product.")
    var scanner: String?

    @Option(help: "The text of the symbol; without it that of the calibration symbols.")
    var expect: String?

    @OptionGroup var configurationOption: ConfigurationOption

    /// How many explanations are shown beside the likeliest.
    private static let mostOthers = 11

    func validate() throws {
        guard (recording == nil) != (scanner == nil) else {
            throw ValidationError("expected either a recording or --scanner")
        }
    }

    func run() throws {
        let text =
            try orFail { try expect.map(Backslashes.meaning) } ?? LayoutDetector.calibrationText
        guard !text.isEmpty else { throw ValidationError("--expect: expected a text, found none") }
        let scan = try recording.map(recorded) ?? live(scanner ?? "")
        guard scan.hasBegun else { throw Failure("no key was pressed") }
        let explanations = try Self.explanations(of: scan, as: text)
        guard let first = explanations.first else {
            throw Failure(
                "no layout explains these keys as \(text.quoted(upTo: .max)): is it the"
                    + " symbol's text, with what the scanner sends ahead of it and behind it?"
                    + " Encodings, and ends other than Enter, Tab, Escape and a pause, are not tried"
                    + " (keywedge monitor shows the keys)" + Self.suspicion(of: scan))
        }
        var output = DescriptorWriter.standardOutput()
        try output.write(first.configurationLines(for: text))
        for other in explanations.dropFirst().prefix(Self.mostOthers) {
            try output.write(["", "# Or:"] + other.configurationLines(for: text).map { "# " + $0 })
        }
        let rest = explanations.count - 1 - Self.mostOthers
        if rest > 0 {
            try output.write(["", "# And \(rest) more: these keys do not tell them apart."])
        }
        try output.flush()
    }

    /// What else the keys look like, on the layout that most scanners are set to; empty for nothing.
    private static func suspicion(of scan: CalibrationScan) -> String {
        var assembler = ScanAssembler(settings: scan.settings)
        let outcomes = scan.events.map { assembler.feed($0) } + [assembler.finish()]
        for case .scan(let scan) in outcomes {
            let problems = BarcodeDecoder().decode(scan.text, aim: scan.aim).problems
            if let problem = problems.first(where: { $0.code == .gs1Suspect }) {
                return ". On layout us they are a code of GS1: \(problem.message)"
            }
        }
        return ""
    }

    /// The settings that explain the keys of a scan, the likeliest first.
    static func explanations(
        of scan: CalibrationScan, as text: String
    ) throws -> [LayoutExplanation] {
        let registry = try orFail { try KeyLayoutRegistry.installed() }
        let compiler: KeyLayoutCompiler
        do { compiler = try KeyLayoutCompiler() } catch { throw Failure(error) }
        var detector = LayoutDetector(
            events: scan.events, expected: text, settings: scan.settings)
        for entry in registry.entries {
            if let layout = try? compiler.compile(entry.layout) { detector.consider(layout) }
        }
        return detector.explanations
    }

    private func recorded(_ path: String) throws -> CalibrationScan {
        try orFail { () throws(RecordingError) in
            var reader = try RecordingReader(path: path)
            var scan = CalibrationScan()
            while let item = try reader.next() {
                if case .event(let event) = item, !scan.take(event) { break }
            }
            return scan
        }
    }

    private func live(_ scanner: String) throws -> CalibrationScan {
        let argument = ScannerArgument(scanner: scanner, grabs: true)
        let (choice, reader) = try argument.open(try configurationOption.load())
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        StandardError.write("keywedge: scan the calibration symbol with \(node); Ctrl-C ends it")
        var scan = CalibrationScan()
        while true {
            let wait = scan.deadlineMicroseconds.map {
                Duration.microseconds(max(0, $0 - reader.now))
            }
            guard let events = try orFail({ try reader.events(within: wait) }) else {
                throw ExitCode(Ending.Code.failed)
            }
            for event in events { _ = scan.take(event) }
            if let deadline = scan.deadlineMicroseconds, reader.now >= deadline { return scan }
        }
    }
}

extension DescriptorWriter {
    /// Writes lines.
    fileprivate mutating func write(_ lines: [String]) throws {
        for line in lines { try write(Array("\(line)\n".utf8)) }
    }
}
