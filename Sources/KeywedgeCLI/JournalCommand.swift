import ArgumentParser
import EventService
import Journal
import KeywedgeConfiguration
import WireText

struct JournalOption: ParsableArguments {
    @OptionGroup var configurationOption: ConfigurationOption

    @Option(name: .customLong("journal"), file: "The journal; by default the configured one.")
    var path: String?

    func validate() throws {
        try require(path != "", "--journal: expected a file, found nothing")
    }

    /// Opens the journal named by `--journal` or the configuration, or the default journal.
    func open() throws -> OfflineJournal {
        let configured = try configurationOption.load().journalInUse?.file
        let standard = configurationOption.unlessNamed(JournalSettings().file)
        guard let file = path ?? configured ?? standard else {
            throw Failure(
                "\(configurationOption.path ?? ""): nothing in it needs a journal, so its daemon has none; write into "
                    + "it: listen: {}")
        }
        do {
            return try OfflineJournal(reading: file)
        } catch {
            throw configurationOption.failure(error)
        }
    }

    /// Throws an error if neither the configuration nor the journal contains a sink with this name.
    func check(sink: String?, in journal: OfflineJournal) throws {
        guard let sink else { return }
        let survey = try journal.survey()
        let known =
            try configurationOption.load().events.compactMap(\.durableName)
            + survey.readers.keys.filter(\.isSink).map(\.name) + survey.deadLetters.keys
        guard known.contains(sink) else {
            throw Failure(
                "neither the configuration nor the journal knows a sink", sink, known: known)
        }
    }
}

extension JournalSurvey {
    /// Returns a reader's cursor and lag; throws an error if the journal does not contain the reader.
    fileprivate func lag(of reader: JournalReader) throws -> Lag {
        if let lag = readers[reader] { return lag }
        let names = readers.keys.filter { $0.isSink == reader.isSink }.map(\.name)
        throw Failure("the journal knows no \(reader.kind)", reader.name, known: names)
    }
}

struct JournalVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no event is missing and none has changed since it was written.",
        discussion: "Prints each finding on a line; if there are any, the exit code is 1.",
        examples: "keywedge journal verify")

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var journalOption: JournalOption

    func run() async throws {
        let journal = try journalOption.open()
        var findings = 0
        let count = try journal.verify { finding in
            findings += 1
            try? formatOption.print(["message": .string("\(finding)")], ["\(finding)"])
        }
        guard findings == 0 else {
            throw Failure(
                "\(findings.counted("finding")) in \(count.counted("event")); the daemon sets a damaged "
                    + "journal aside when it starts, and continues with the readable part. Run: "
                    + "systemctl restart keywedge")
        }
        try formatOption.report(
            ["events": .integer(Int64(count))], "\(count.counted("event")), each as it was written",
            journalOption.configurationOption.quiet)
    }
}

struct JournalForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Drop the events that wait for a sink that is no longer configured.",
        discussion: """
            After a sink was renamed or removed, its cursor is still in the journal, and events \
            wait for it. This command removes the cursor; the events stay in the journal for the \
            other sinks.
            """,
        examples: "keywedge journal forget erp")

    @Argument(help: "The sink, by the name that it had in the configuration.")
    var sink: String

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var journalOption: JournalOption

    func run() async throws {
        let configuration = try journalOption.configurationOption.load()
        guard !configuration.events.contains(where: { $0.durableName == sink }) else {
            throw Failure(
                "the sink \(sink.quoted()) is still configured; expected one that is not")
        }
        let journal = try journalOption.open()
        let lag = try journal.survey().lag(of: .sink(sink))
        try journal.forget(.sink(sink))
        let events = Int(lag.events).counted("event no longer waits", "events no longer wait")
        try formatOption.report(
            ["sink": .string(sink), "events": .integer(Int64(clamping: lag.events))],
            "\(events) for \(sink.quoted())", journalOption.configurationOption.quiet)
    }
}

struct JournalReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Send events again: set the cursor of a sink or consumer.",
        discussion: """
            The sink or consumer resumes after the cursor's event, or with the oldest; repeated \
            events keep their source and id. A sink of a running daemon resumes at once, a \
            consumer when it connects again.
            """,
        examples: "keywedge journal replay --sink erp --from k3v9q0c2m7xd-41")

    @Option(help: "The sink, by its name in the configuration.")
    var sink: String?

    @Option(help: "The consumer, by its name.")
    var consumer: String?

    @Option(
        help: "A cursor EPOCH-SEQUENCE, the sequence of an event, or oldest.",
        transform: parser(
            expecting: "a cursor such as k3v9q0c2m7xd-41, a sequence such as 41, or oldest"
        ) { $0 == "oldest" || Cursor($0) != nil || UInt64($0) != nil ? $0 : nil })
    var from: String

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var journalOption: JournalOption

    func validate() throws {
        try require((sink == nil) != (consumer == nil), "expected --sink or --consumer")
    }

    func run() async throws {
        let journal = try journalOption.open()
        let reader: JournalReader = sink.map { .sink($0) } ?? .consumer(consumer ?? "")
        let survey = try journal.survey()
        _ = try survey.lag(of: reader)
        let sequence = UInt64(from).map { Cursor(epoch: survey.start.epoch, sequence: $0) }
        let cursor = Cursor(from) ?? sequence ?? survey.start
        do {
            try journal.move(reader, to: cursor)
        } catch JournalError.inUse {
            try await askDaemon(toMove: reader.name, to: cursor)
        }
        try formatOption.report(
            [reader.kind: .string(reader.name), "cursor": .string("\(cursor)")],
            "the \(reader.kind) \(reader.name.quoted()) resumes after \(cursor)",
            journalOption.configurationOption.quiet)
    }

    /// Asks the daemon that has the journal open to move the sink's cursor.
    ///
    /// A daemon with another journal refuses, because the cursor contains this journal's epoch.
    private func askDaemon(toMove sink: String, to cursor: Cursor) async throws {
        func refusal(_ reason: String) -> Failure {
            Failure(
                "a daemon has the journal and cannot be asked\(reason) stop the daemon (systemctl stop "
                    + "keywedge), run this command again, and start the daemon (systemctl start keywedge)"
            )
        }
        guard let socket = try journalOption.configurationOption.load().listen?.socket else {
            throw refusal(", because the configuration has no listen:")
        }
        do {
            try await EventClient(socket: socket).moveSink(sink, to: cursor)
        } catch let error as DaemonUnreachable {
            throw refusal(": \(error);")
        }
    }
}

extension Failure {
    init(_ refusal: String, _ name: String, known: [String]) {
        let names = Set(known).sorted().map { $0.quoted() }.joined(separator: ", ")
        let rest = names.isEmpty ? "there is none" : "expected one of: \(names)"
        self.init("\(refusal) \(name.quoted()); \(rest)")
    }
}
