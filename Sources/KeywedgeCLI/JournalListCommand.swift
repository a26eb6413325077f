import ArgumentParser
import Barcodes
import Events
import Journal
import WireText

struct JournalListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the events on disk, oldest first.",
        discussion: """
            An event must match every given option; if an option is repeated, one of its values \
            must match. A code is a scanned text, or a GTIN in any spelling.
            """,
        examples: "keywedge journal list --type keywedge.scan --code 4006381333931")

    @OptionGroup var journalOption: JournalOption
    @OptionGroup var formatOption: FormatOption

    @Option(help: "Events from this time on (RFC 3339).", transform: EventTime.reading)
    var since: EventTime?

    @Option(help: "Events before this time (RFC 3339).", transform: EventTime.reading)
    var until: EventTime?

    @Option(
        name: .customLong("type"), help: "A type such as keywedge.scan; may be repeated.",
        transform: parser(expecting: "one of \(known.joined(separator: ", "))") {
            known.contains($0) ? $0 : nil
        })
    var types: [String] = []
    private static let known = EventType.all.map(\.rawValue).sorted()

    @Option(name: .customLong("scanner"), help: "A scanner's name; may be repeated.")
    var scanners: [String] = []

    @Option(name: .customLong("code"), help: "A code; may be repeated.")
    var codes: [String] = []

    @Flag(help: "Print only the number of events.")
    var count = false

    func validate() throws {
        guard let since, let until else { return }
        try require(since < until, "--until: expected a time after that of --since")
    }

    func run() async throws {
        let journal = try journalOption.open()
        let formatter = formatOption.formatter(else: nil, showsDate: true)
        let gtins = codes.compactMap { BarcodeDecoder().decode($0, aim: nil).gtin?.description }
        var counted = 0
        var output = DescriptorWriter()
        let skipped = try journal.forEach { entry in
            guard isWanted(entry), let event = Event(line: entry.line), isWanted(event, gtins)
            else { return }
            counted += 1
            if !count { try output.write { formatter.append(line: entry.line, to: &$0) } }
        }
        if count { try StandardOutput.write(lines: ["\(counted)"]) }
        try output.flush()
        if counted == 0, !count {
            journalOption.configurationOption.quiet.say("no event of the journal matches")
        }
        guard skipped == 0 else {
            throw Failure(
                "\(skipped.counted("event has", "events have")) changed on the disk and "
                    + "\(skipped == 1 ? "is" : "are") left out: see keywedge journal verify")
        }
    }

    private func isWanted(_ entry: JournalEntry) -> Bool {
        (since.map { entry.time >= $0 } ?? true) && (until.map { entry.time < $0 } ?? true)
            && (types.isEmpty || types.contains(entry.type.rawValue))
    }

    /// Whether an event matches `--scanner` and `--code`; `gtins` are the GTINs of the codes in `--code`.
    private func isWanted(_ event: Event, _ gtins: [String]) -> Bool {
        let scanner = event.data["scanner"]?.object?["name"]?.string
        guard scanners.isEmpty || scanner.map(scanners.contains) ?? false else { return false }
        let (text, gtin) = (event.data["text"]?.string, event.data["gtin"]?.string)
        return codes.isEmpty || text.map(codes.contains) ?? false
            || gtin.map(gtins.contains) ?? false
    }
}
