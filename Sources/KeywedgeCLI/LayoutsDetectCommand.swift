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
        abstract: "Find a scanner's layout from one scan of a known text.",
        discussion: """
            Scan one of the calibration symbols (calibration.svg, on paper or on a screen), or \
            another symbol whose text you give with --expect; the terminal shows it if it is \
            wide enough. It tries every layout that XKB \
            knows, with all ways of Caps Lock, ALT mode and Unicode entry, and prints the settings \
            that explain the keys as lines for the scanner's configuration. If the scanner adds a \
            prefix or suffix, include it in the text of --expect. With the text of a GS1 symbol, \
            with FNC1 as \\x1d, the lines also say what the scanner sends for FNC1, and content: \
            gs1 if no AIM identifier announces it.

            Example:
              sudo keywedge layouts detect --scanner 0c2e:0b61
              keywedge layouts detect shop.evemu --expect KW-HB
            """)

    @Argument(help: "A recording of the scan, instead of a scanner; - is standard input.")
    var recording: String?

    @Option(help: "The scanner: a configured name, or a node, or vendor:product.")
    var scanner: String?

    @Option(help: "The text of the symbol; by default that of the calibration symbols.")
    var expect: String?

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption

    /// The maximum number of explanations shown in addition to the likeliest.
    private static let mostOthers = 11

    func validate() throws {
        guard (recording == nil) != (scanner == nil) else {
            throw ValidationError("expected either a recording or --scanner")
        }
    }

    func run() throws {
        let text =
            try expect.map(unescaped) ?? LayoutDetector.calibrationText
        guard !text.isEmpty else { throw ValidationError("--expect: expected a text, found none") }
        let symbol = SymbolScan(text: text)
        let scan = try recording.map(recorded) ?? live(scanner ?? "", symbol)
        guard scan.hasBegun else {
            throw Failure("no key was pressed: the recording, or the time of the scan, has none")
        }
        let explanations = try symbol.explanations(of: scan)
        guard let first = explanations.first else {
            throw Failure(
                "no layout explains these keys as \(text.quoted(upTo: .max)): is it the"
                    + " symbol's text, including what the scanner sends before and after it?"
                    + " Encodings, and ends other than Enter, Tab, Escape and a pause, are not tried"
                    + " (keywedge monitor shows the keys)" + Self.suspicion(of: scan))
        }
        var output = DescriptorWriter.standardOutput()
        if formatOption.chosen(else: .pretty) == .json {
            for explanation in explanations {
                let lines = explanation.configurationLines(for: text)
                let object: JSONObject = ["setting": .array(lines.map(JSONValue.string))]
                try output.write { ObjectFormat.json.append(object, to: &$0) }
            }
            return try output.flush()
        }
        try output.write(lines: first.configurationLines(for: text))
        for other in explanations.dropFirst().prefix(Self.mostOthers) {
            try output.write(
                lines: ["", "# Or:"] + other.configurationLines(for: text).map { "# " + $0 })
        }
        let rest = explanations.count - 1 - Self.mostOthers
        if rest > 0 {
            try output.write(lines: ["", "# And \(rest) more: these keys do not distinguish them."])
        }
        try output.flush()
    }

    /// A sentence about what the keys could be on the most common layout; empty if they suggest nothing.
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

    private func recorded(_ path: String) throws -> CalibrationScan {
        var reader = try RecordingReader(path: path)
        var scan = CalibrationScan()
        while let item = try reader.next() {
            if case .event(let event) = item, !scan.take(event) { break }
        }
        return scan
    }

    private func live(_ scanner: String, _ symbol: SymbolScan) throws -> CalibrationScan {
        let argument = ScannerArgument(scanner: scanner, grabs: true)
        let (choice, reader) = try argument.open(try configurationOption.load())
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        guard reader.interface.keys != nil else {
            throw Failure("\(node) does not type, and has no layout")
        }
        if !configurationOption.quiet.quiet { symbol.show(" with \(node); Ctrl-C ends it") }
        guard let scan = try SymbolScan.keys(of: reader) else {
            throw ExitCode(Ending.Code.failed)
        }
        return scan
    }
}
