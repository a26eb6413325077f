import ArgumentParser
import Events
import Journal
import WireText

struct JournalDeadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "Events that a sink refuses for good: list, send again, drop.",
        discussion: """
            Example:
              keywedge journal dead list --sink erp
            """,
        subcommands: [
            JournalDeadListCommand.self, JournalDeadSendCommand.self, JournalDeadDropCommand.self,
        ])
}

struct JournalDeadListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List them: number, sink, when and why, and the event.",
        discussion: """
            Example:
              keywedge journal dead list --sink erp
            """)

    @Option(help: "Those of this sink only.")
    var sink: String?

    @OptionGroup var journalOption: JournalOption

    @Option(help: "json or pretty; without it pretty on a terminal and else json.")
    var format: ObjectFormat?

    func run() async throws {
        let journal = try journalOption.open()
        var output = DescriptorWriter.standardOutput()
        let format = format ?? .suitable
        try orFail {
            try journal.forEachDeadLetter(of: sink) { letter in
                try output.write { format.append(Self.object(of: letter), to: &$0) }
            }
        }
        try output.flush()
    }

    private static func object(of letter: DeadLetter) -> JSONObject {
        [
            "number": .integer(letter.number), "sink": .string(letter.sink),
            "refused": .string(letter.refused.description), "reason": .string(letter.reason),
            "to_be_sent": .bool(letter.isToBeSent),
            "event": (try? JSONReader.read(letter.entry.line)) ?? .null,
        ]
    }
}

/// Which dead letters a command is about.
struct DeadLetterChoice: ParsableArguments {
    @Argument(help: "Their numbers.")
    var numbers: [Int64] = []

    @Flag(help: "All of them, or all of the sink.")
    var all = false

    @Option(help: "Those of this sink only.")
    var sink: String?

    func validate() throws {
        guard numbers.isEmpty == all else { throw ValidationError("expected numbers, or --all") }
    }

    /// The numbers of those that are there.
    func chosen(in journal: OfflineJournal) throws -> [Int64] {
        var letters: Set<Int64> = []
        try orFail { try journal.forEachDeadLetter(of: sink) { letters.insert($0.number) } }
        guard !all else { return letters.sorted() }
        let missing = numbers.filter { !letters.contains($0) }
        guard missing.isEmpty else {
            let list = missing.map(String.init).joined(separator: ", ")
            throw Failure("no dead letter has the number \(list); nothing is done")
        }
        return numbers
    }
}

struct JournalDeadSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Have their sinks try them again.",
        discussion: """
            A sink does so when the daemon starts, or behind the next event that it sends. What it \
            refuses again stays a dead letter.

            Example:
              keywedge journal dead send 3 4
            """)

    @OptionGroup var choice: DeadLetterChoice
    @OptionGroup var journalOption: JournalOption

    func run() async throws {
        let journal = try journalOption.open()
        let numbers = try choice.chosen(in: journal)
        try orFail { try journal.sendAgain(numbers) }
        StandardError.write("keywedge: \(numbers.counted("dead letter")) to be sent again")
    }
}

struct JournalDeadDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Take them away.",
        discussion: """
            Example:
              keywedge journal dead drop --all --sink erp
            """)

    @OptionGroup var choice: DeadLetterChoice
    @OptionGroup var journalOption: JournalOption

    func run() async throws {
        let journal = try journalOption.open()
        let numbers = try choice.chosen(in: journal)
        try orFail { try journal.drop(numbers) }
        StandardError.write("keywedge: \(numbers.counted("dead letter")) dropped")
    }
}

extension [Int64] {
    fileprivate func counted(_ word: String) -> String { count.counted(word) }
}
