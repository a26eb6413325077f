import ArgumentParser
import EventService
import Journal
import KeywedgeConfiguration
import WebAPI
import WireText

struct JournalReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send events again: set how far a sink or a consumer got.",
        discussion: """
            It goes on behind the event that the cursor names, or with the oldest there is; events have \
            the same source and id when they come again. A sink of a running daemon is set back through \
            the daemon's socket (listen), and goes on there at once; a consumer does when it connects \
            anew.

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
        let survey = try orFail { try journal.survey() }
        let known = survey.readers
        guard known[reader] != nil else {
            let names = known.keys.filter { $0.isSink == (sink != nil) }.map { $0.name.quoted() }
            let found = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
            let kind = sink == nil ? "consumer" : "sink"
            throw Failure(
                "the journal knows no \(kind) \(reader.name.quoted()); expected one of: \(found)")
        }
        let cursor = Cursor(from) ?? survey.start
        do {
            try journal.move(reader, to: cursor)
        } catch JournalError.inUse {
            try await askDaemon(toMove: reader.name, to: cursor)
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }

    /// Has the daemon that has the journal move its sink.
    ///
    /// Where it has another journal, it does not know the cursor's epoch and refuses.
    private func askDaemon(toMove sink: String, to cursor: Cursor) async throws {
        let otherwise =
            "stop the daemon (systemctl stop keywedge), give this command again, and start the "
            + "daemon (systemctl start keywedge)"
        guard let socket = try journalOption.configurationOption.load().listen?.socket else {
            throw Failure(
                "a daemon has the journal, and the configuration has no listen to ask it by: "
                    + otherwise)
        }
        do {
            try await EventClient(socket: socket).moveSink(sink, to: cursor)
        } catch let error as ConnectionError where error.kind != .cancelled {
            throw Failure("a daemon has the journal and cannot be asked: \(error); \(otherwise)")
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }
}
