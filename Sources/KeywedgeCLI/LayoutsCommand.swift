import ArgumentParser
import Barcodes
import Events
import KeyLayouts
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import ScannerInput
import WireText

struct LayoutsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layouts",
        abstract: "List and show keyboard layouts, and find the one a scanner types on.",
        discussion: """
            Example:
              keywedge layouts list german
              keywedge layouts show de:nodeadkeys
              sudo keywedge layouts detect --scanner 0c2e:0b61
            """,
        subcommands: [
            LayoutsListCommand.self, LayoutsShowCommand.self, LayoutsDetectCommand.self,
        ])
}

struct LayoutsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the layouts that XKB knows on this box.",
        discussion: """
            Each word must be in the name or title, or be a language (deu) or country (DE). The \
            setting layout: accepts the listed names.

            Example:
              keywedge layouts list german dead
            """)

    @Argument(help: "Words to search for.")
    var words: [String] = []

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var quietOption: QuietOption

    func run() throws {
        let registry = try KeyLayoutRegistry.installed()
        let entries = registry.entries(matching: words.joined(separator: " "))
        let width = entries.map(\.layout.description.count).max() ?? 0
        for entry in entries {
            if formatOption.chosen == .json {
                try StandardOutput.write(Self.object(of: entry))
            } else {
                try StandardOutput.write(lines: [Self.line(of: entry, width: width)])
            }
        }
        guard entries.isEmpty else { return }
        let words = words.joined(separator: " ").quoted(upTo: .max)
        throw Failure("no layout matches \(words); keywedge layouts list shows all")
    }

    private static func line(of entry: KeyLayoutEntry, width: Int) -> String {
        entry.layout.description.padded(to: width + 2) + Escaping.line.escaped(entry.title)
    }

    private static func object(of entry: KeyLayoutEntry) -> JSONObject {
        [
            "layout": .string(entry.layout.description), "title": .string(entry.title),
            "languages": .array(entry.languages.map(JSONValue.string)),
            "countries": .array(entry.countries.map(JSONValue.string)),
        ]
    }
}

struct LayoutsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draw the keyboard of a layout.",
        discussion: """
            Each key shows its character at the bottom, with Shift at the top, and with AltGr on \
            the right. A star marks a dead key, which changes the next key.

            Example:
              keywedge layouts show fr
            """)

    @Argument(help: "The layout, as de or de:nodeadkeys.")
    var layout: String

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var quietOption: QuietOption

    func run() throws {
        let compiled = try CompiledLayout(named: layout)
        if let notice = compiled.composeNotice { quietOption.say("\(notice)") }
        try formatOption.print(
            ["layout": .string(layout), "keys": .array(Self.keys(of: compiled.table))],
            KeyboardPicture(compiled.table).lines)
    }

    /// The text that each key types with each combination of modifiers.
    private static func keys(of table: KeyTable) -> [JSONValue] {
        let levels: [(String, KeyLevel)] = [
            ("plain", []), ("shift", .shift), ("altgr", .altGr), ("shift_altgr", [.shift, .altGr]),
        ]
        return table.keys.compactMap { key in
            var object: JSONObject = ["key": .string(key.name)]
            for (name, level) in levels {
                switch table[key, level] {
                case .character(let character): object.append(name, .string(String(character)))
                case .dead: object.append(name, ["dead": .bool(true)])
                default: break
                }
            }
            return object.members.count > 1 ? .object(object) : nil
        }
    }
}

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

    @Argument(
        help: "A recording of the scan, instead of a scanner; - is standard input.",
        completion: .file())
    var recording: String?

    @Option(help: "The scanner: a configured name, or a node, or vendor:product.")
    var scanner: String?

    @Option(help: "The text of the symbol; by default that of the calibration symbols.")
    var expect: String?

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption

    /// The maximum number of explanations to show in addition to the likeliest.
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
        if formatOption.isJSON {
            for explanation in explanations {
                let lines = explanation.configurationLines(for: text)
                try StandardOutput.write(["setting": .array(lines.map(JSONValue.string))])
            }
            return
        }
        var lines = first.configurationLines(for: text)
        for other in explanations.dropFirst().prefix(Self.mostOthers) {
            lines += ["", "# Or:"] + other.configurationLines(for: text).map { "# " + $0 }
        }
        let rest = explanations.count - 1 - Self.mostOthers
        if rest > 0 { lines += ["", "# And \(rest) more: these keys do not distinguish them."] }
        try StandardOutput.write(lines: lines)
    }

    /// A hint that the keys, read with the layout `us`, seem to be a GS1 code; empty if they do not.
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
