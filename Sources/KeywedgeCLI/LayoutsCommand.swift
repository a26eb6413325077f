import ArgumentParser
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
        examples: "keywedge layouts list german",
        "sudo keywedge layouts detect --scanner 0c2e:0b61",
        subcommands: [
            LayoutsListCommand.self, LayoutsShowCommand.self, LayoutsDetectCommand.self,
        ])
}

struct LayoutsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the layouts that XKB knows on this box.",
        discussion:
            "Each word must be in the name or title, or be a language (deu) or country (DE).",
        examples: "keywedge layouts list german dead")

    @Argument(help: "Words to search for.")
    var words: [String] = []

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var quietOption: QuietOption

    func run() throws {
        let registry = try KeyLayoutRegistry.installed()
        let entries = registry.entries(matching: words.joined(separator: " "))
        let width = entries.map(\.layout.description.count).max() ?? 0
        for entry in entries {
            let name = entry.layout.description
            if formatOption.chosen == .json {
                try StandardOutput.write([
                    "layout": .string(name), "title": .string(entry.title),
                    "languages": .array(entry.languages.map(JSONValue.string)),
                    "countries": .array(entry.countries.map(JSONValue.string)),
                ])
            } else {
                let title = Escaping.line.escaped(entry.title)
                try StandardOutput.write(lines: [name.padded(to: width + 2) + title])
            }
        }
        guard entries.isEmpty else { return }
        let words = words.joined(separator: " ").quoted(upTo: .max)
        throw Failure("no layout matches \(words); keywedge layouts list shows all")
    }
}

struct LayoutsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Draw the keyboard of a layout.",
        discussion: "A key shows Shift at the top, AltGr on the right; a star marks a dead key.",
        examples: "keywedge layouts show fr")

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

    /// Returns a JSON object for each key that types anything, alone or with Shift or AltGr.
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
        commandName: "detect", abstract: "Find a scanner's layout from one scan of a known text.",
        discussion: """
            Scan one of the calibration symbols (calibration.svg, on paper or on a screen), or \
            another symbol whose text you give with --expect; the terminal shows it if it is wide \
            enough. If the scanner adds a prefix or suffix, include it in the text of --expect. \
            If you give the text of a GS1 symbol, with FNC1 as \\x1d, the settings also say what \
            the scanner sends for FNC1.
            """,
        examples: "sudo keywedge layouts detect --scanner 0c2e:0b61",
        "keywedge layouts detect shop.evemu --expect KW-HB")

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

    /// The maximum number of less likely explanations of a scan to show.
    private static let mostOthers = 11

    func validate() throws {
        try require(
            (recording == nil) != (scanner == nil), "expected either a recording or --scanner")
    }

    func run() throws {
        let text = try expect.map(unescaped) ?? LayoutDetector.calibrationText
        try require(!text.isEmpty, "--expect: expected a text, found none")
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
                    + " (keywedge monitor shows the keys)")
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

    private func recorded(_ path: String) throws -> CalibrationScan {
        var reader = try RecordingReader(path: path)
        var scan = CalibrationScan()
        while let item = try reader.next() {
            if case .event(let event) = item, !scan.take(event) { break }
        }
        return scan
    }

    private func live(_ scanner: String, _ symbol: SymbolScan) throws -> CalibrationScan {
        let configuration = try configurationOption.load()
        let (choice, reader) = try ScannerArgument.open(scanner, grabs: true, configuration)
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        guard reader.interface.keys != nil else {
            throw Failure("\(node) does not type, and has no layout")
        }
        if !configurationOption.quiet.quiet { symbol.show(" with \(node); Ctrl-C ends it") }
        if let scan = try SymbolScan.keys(of: reader) { return scan }
        throw ExitCode(Ending.Code.failed)
    }
}
