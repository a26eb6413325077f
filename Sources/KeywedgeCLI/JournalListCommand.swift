import ArgumentParser
import Barcodes
import Events
import Journal
import WireText

struct JournalListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List events that were kept, the oldest first.",
        discussion: """
            What is given must fit: a time, one of the types, one of the scanners, one of the \
            codes. A code is a text as it was scanned, or a GTIN in any spelling of it. An event that \
            has changed on the disk is left out and told.

            Example:
              keywedge journal list --type keywedge.scan --code 4006381333931
            """)

    @OptionGroup var journalOption: JournalOption
    @OptionGroup var formatOption: FormatOption

    @Option(help: "Events from this time on (RFC 3339).", transform: EventTime.reading)
    var since: EventTime?

    @Option(help: "Events before this time (RFC 3339).", transform: EventTime.reading)
    var until: EventTime?

    @Option(name: .customLong("type"), help: "A type such as keywedge.scan; may be repeated.")
    var types: [String] = []

    @Option(name: .customLong("scanner"), help: "A scanner's name; may be repeated.")
    var scanners: [String] = []

    @Option(name: .customLong("code"), help: "A code; may be repeated.")
    var codes: [String] = []

    func validate() throws {
        let known = EventType.all.map(\.rawValue).sorted()
        for type in types where !known.contains(type) {
            throw ValidationError(
                "--type: expected one of \(known.joined(separator: ", ")), found \(type.quoted())")
        }
    }

    func run() async throws {
        let journal = try journalOption.open()
        let formatter = formatOption.formatter(else: nil)
        let choice = EventChoice(
            since: since, until: until, types: Set(types), scanners: Set(scanners), codes: codes)
        var output = DescriptorWriter.standardOutput()
        var failure: OutputError?
        let skipped = try orFail {
            try journal.forEach { entry in
                guard choice.takes(entry), let event = Event(line: entry.line), choice.takes(event)
                else { return }
                do throws(OutputError) {
                    try output.write { bytes in
                        if formatter.format == .json {
                            // The bytes that were kept, not what is made of them today.
                            bytes += entry.line + [UInt8(ascii: "\n")]
                        } else {
                            formatter.append(event, to: &bytes)
                        }
                    }
                } catch {
                    failure = error
                    throw error
                }
            }
        }
        if let failure { throw failure }
        try output.flush()
        guard skipped == 0 else {
            throw Failure(
                "\(skipped.counted("event has", "events have")) changed on the disk and "
                    + "\(skipped == 1 ? "is" : "are") left out: see keywedge journal verify")
        }
    }
}

/// Which events a list has.
private struct EventChoice {
    let since: EventTime?
    let until: EventTime?
    let types: Set<String>
    let scanners: Set<String>
    let texts: Set<String>
    let gtins: Set<String>

    init(
        since: EventTime?, until: EventTime?, types: Set<String>, scanners: Set<String>,
        codes: [String]
    ) {
        self.since = since
        self.until = until
        self.types = types
        self.scanners = scanners
        texts = Set(codes)
        gtins = Set(codes.compactMap { BarcodeDecoder().decode($0, aim: nil).gtin?.description })
    }

    func takes(_ entry: JournalEntry) -> Bool {
        (since.map { entry.time >= $0 } ?? true) && (until.map { entry.time < $0 } ?? true)
            && (types.isEmpty || types.contains(entry.type.rawValue))
    }

    func takes(_ event: Event) -> Bool {
        let scanner = event.data["scanner"]?.object?["name"]?.string
        guard scanners.isEmpty || scanner.map(scanners.contains) ?? false else { return false }
        guard !texts.isEmpty else { return true }
        let text = event.data["text"]?.string
        let gtin = event.data["gtin"]?.string
        return text.map(texts.contains) ?? false || gtin.map(gtins.contains) ?? false
    }
}
