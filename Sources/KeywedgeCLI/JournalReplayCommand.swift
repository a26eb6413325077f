import ArgumentParser
import Journal
import WireText

struct JournalReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send events again: set how far a sink or a consumer got.",
        discussion: """
            It goes on behind the event that the cursor names, or with the oldest there is; events have \
            the same source and id when they come again. A sink can be set back while no daemon runs \
            with the journal, a consumer at any time: it goes on there when it connects anew.

            Example:
              keywedge journal replay --sink erp --from k3v9q0c2m7xd-41
            """)

    @Option(help: "The sink, by its name in the configuration.")
    var sink: String?

    @Option(help: "The consumer, by its name.")
    var consumer: String?

    @Option(help: "A cursor EPOCH-SEQUENCE, or oldest.")
    var from: String

    @OptionGroup var journalOption: JournalOption

    func validate() throws {
        guard (sink == nil) != (consumer == nil) else {
            throw ValidationError("expected --sink or --consumer")
        }
        guard from == "oldest" || Cursor(from) != nil else {
            throw ValidationError(
                "--from: expected a cursor such as k3v9q0c2m7xd-41, or oldest, found \(from.quoted())"
            )
        }
    }

    func run() async throws {
        let journal = try journalOption.open()
        let reader: JournalReader =
            if let sink { .sink(sink) } else { .consumer(consumer ?? "") }
        let known = try orFail { try journal.cursors() }
        guard known[reader] != nil else {
            let names = known.keys.filter { $0.isSink == (sink != nil) }.map { $0.name.quoted() }
            let found = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
            let kind = sink == nil ? "consumer" : "sink"
            throw Failure(
                "the journal knows no \(kind) \(reader.name.quoted()); expected one of: \(found)")
        }
        try orFail { try journal.move(reader, to: Cursor(from)) }
    }
}
