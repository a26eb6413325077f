import ArgumentParser
import Journal
import WireText

struct JournalDeadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "List, resend or drop events that a sink refused permanently.",
        examples: "keywedge journal dead list --sink erp",
        subcommands: [
            JournalDeadListCommand.self, JournalDeadSendCommand.self, JournalDeadDropCommand.self,
        ])
}

struct JournalDeadListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List dead letters: number, sink, time, reason and event.",
        examples: "keywedge journal dead list --sink erp")

    @Option(help: "Only dead letters of this sink.")
    var sink: String?

    @OptionGroup var journalOption: JournalOption
    @OptionGroup var formatOption: ObjectFormatOption

    func run() async throws {
        let journal = try journalOption.open()
        try journalOption.check(sink: sink, in: journal)
        try journal.forEachDeadLetter(of: sink) { letter in
            let object: JSONObject = [
                "number": .integer(letter.number), "sink": .string(letter.sink),
                "refused": .string("\(letter.refused)"), "reason": .string(letter.reason),
                "to_be_sent": .bool(letter.isToBeSent),
                "event": (try? JSONReader.read(letter.entry.line)) ?? .null,
            ]
            try StandardOutput.write(object, as: formatOption.chosen)
        }
    }
}

struct DeadLetterChoice: ParsableArguments {
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var journalOption: JournalOption

    @Argument(
        help: "The numbers of the dead letters.",
        transform: parser(expecting: "the number of a dead letter, as 3") { Int64($0) })
    var numbers: [Int64] = []

    @Flag(help: "All dead letters, or all of the sink.")
    var all = false

    @Option(help: "Only dead letters of this sink.")
    var sink: String?

    func validate() throws {
        try require(numbers.isEmpty == all, "expected numbers, or --all")
    }

    /// Calls `change` with the numbers of the chosen dead letters, and prints a report.
    ///
    /// A JSON report lists the numbers under the key `member`. A text report contains their count, followed by `word`.
    /// Throws if a number is unknown.
    func apply(
        _ change: (OfflineJournal) -> ([Int64]) throws -> Void, as member: String, _ word: String
    ) throws {
        let journal = try journalOption.open()
        try journalOption.check(sink: sink, in: journal)
        var letters: Set<Int64> = []
        try journal.forEachDeadLetter(of: sink) { letters.insert($0.number) }
        let missing = numbers.filter { !letters.contains($0) }.map(String.init)
        if !missing.isEmpty {
            throw Failure(
                "no dead letter has the number \(missing.joined(separator: ", ")); nothing is done. keywedge "
                    + "journal dead list shows all")
        }
        let chosen = all ? letters.sorted() : numbers
        try change(journal)(chosen)
        try formatOption.report(
            [member: .array(chosen.map(JSONValue.integer))],
            "\(chosen.count.counted("dead letter")) \(word)",
            journalOption.configurationOption.quiet)
    }
}

struct JournalDeadSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Make the sinks send dead letters again.",
        discussion: "The sink sends them when the daemon starts, or after the next event.",
        examples: "keywedge journal dead send 3 4")

    @OptionGroup var choice: DeadLetterChoice

    func run() async throws {
        try choice.apply(OfflineJournal.sendAgain, as: "to_be_sent", "to be sent again")
    }
}

struct JournalDeadDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop dead letters.",
        examples: "keywedge journal dead drop --all --sink erp")

    @OptionGroup var choice: DeadLetterChoice

    func run() async throws {
        try choice.apply(OfflineJournal.drop, as: "dropped", "dropped")
    }
}
