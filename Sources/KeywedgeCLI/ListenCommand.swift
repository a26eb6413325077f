import ArgumentParser
import Dispatch
import EventService
import Events
import Glibc
import Journal
import KeywedgeConfiguration
import WireText

struct ListenCommand: AsyncParsableCommand, StopsSlowly {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Print the events of the running daemon, one per line.",
        discussion: """
            Waits for the daemon, and reconnects if the daemon restarts. With a name (--consumer) \
            it resumes where it stopped: an event counts as accepted when its line is written or, \
            with --exec, when the command exits with 0. So an event may arrive twice, but none is \
            left out; if the journal no longer has some events, an event keywedge.gap says which. \
            A second listener with the same name takes over, and the first ends with exit code 1.
            """,
        examples: "keywedge listen --types keywedge.scan | while IFS= read -r event; do …; done",
        "keywedge listen --consumer till --exec /usr/local/bin/on-scan")

    @Option(help: "Resume where this consumer stopped.")
    var consumer: String?

    @Option(
        help: ArgumentHelp(
            "Remove this consumer and its cursor instead of listening.", valueName: "name"))
    var forget: String?

    @Option(
        help: ArgumentHelp(
            "Begin after this event (EPOCH-SEQUENCE), or with the oldest; with --consumer, only if the consumer is new.",
            valueName: "cursor"),
        transform: parser(
            expecting: "oldest, or a cursor EPOCH-SEQUENCE, such as k3v9q0c2m7xd-41"
        ) { $0 == "oldest" ? .oldest : Cursor($0).map { .after($0) } })
    var after: StreamStart?
    private static let allTypes = EventType.all.map(\.rawValue)
    private static let allKinds = EventFilter.allKinds.sorted()

    @Option(
        help:
            "Only events of these types, separated by commas: \(allTypes.joined(separator: ", ")).",
        transform: list(of: allTypes))
    var types: [String]?

    @Option(help: "Only events of these scanners, separated by commas.", transform: list())
    var scanners: [String]?

    @Option(
        help:
            "Only scans of these kinds of codes, separated by commas: \(allKinds.joined(separator: ", ")).",
        transform: list(of: allKinds))
    var kinds: [String]?

    @Option(help: "End after this number of events.", transform: numbers(1...1_000_000_000))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "End after this time, as 30s; with --count, exit with 1 if events are missing.",
            valueName: "time"), transform: durations(.milliseconds(1) ... .seconds(86_400)))
    var timeout: Duration?

    @OptionGroup var daemonOption: DaemonOption
    @OptionGroup var formatOption: FormatOption

    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "Pass each event to this command, the rest of the line, on its standard input.",
            valueName: "command"))
    var exec: [String] = []

    /// The time allowed for stopping; longer with `--exec`, because its command must also end.
    var stopGrace: DispatchTimeInterval { exec.isEmpty ? .milliseconds(500) : .seconds(4) }

    func validate() throws {
        for (option, name) in [("--consumer", consumer), ("--forget", forget)] {
            try require(
                name.map(ReaderName.isOne) ?? true, "\(option): expected \(ReaderName.rule)")
        }
        try require(
            forget == nil || consumer == nil && after == nil && exec.isEmpty,
            "--forget: expected no --consumer, --after or --exec beside it")
        try require(
            !exec.isEmpty || CommandLineTexts.ofTheProcess.last != "--exec",
            "\(Self.takesTheRest); expected a command after it, found nothing")
        let first = exec.first ?? ""
        try require(
            !first.hasPrefix("-"),
            "\(Self.takesTheRest), which begins with \(first.quoted()); write the options of listen before "
                + "--exec")
    }

    private static let takesTheRest = "--exec takes the rest of the line as its command"

    /// Options of `listen` that users often write after `--exec` by mistake.
    private static let ownOptions = [
        "--consumer", "--after", "--types", "--scanners", "--kinds", "--count", "--timeout",
    ]

    func run() async throws {
        if let forget { return try await daemonOption.ask { try await Self.forget(forget, $0) } }
        if let option = exec.dropFirst().first(where: Self.ownOptions.contains) {
            daemonOption.configurationOption.quiet.say(
                "\(Self.takesTheRest): \(option) goes to \(exec[0].quoted()), not to listen")
        }
        let client = try daemonOption.client()
        let formatter = formatOption.formatter(
            else: nil, showsDate: consumer != nil || after != nil)
        let command = exec.isEmpty ? nil : CommandOutlet(command: exec)
        let loop = ListenLoop(
            client: client, keeper: consumer.map { CursorKeeper(client: client, consumer: $0) },
            start: after ?? .now,
            filter: EventFilter(
                types: Set((types ?? []).map(EventType.init(rawValue:))),
                scanners: Set(scanners ?? []), kinds: Set(kinds ?? [])),
            count: count, isSlow: command != nil
        ) { event in
            if let command { return try await command.deliver(event) }
            try StandardOutput.write { formatter.append(line: event.line, to: &$0) }
        }
        try await Self.run(loop, within: timeout)
    }

    private static func forget(_ consumer: String, _ client: EventClient) async throws {
        guard try await client.knows(consumer) else {
            let status = try await DaemonStatus(client.status(hasCodes: false))
            throw Failure(
                "the journal knows no consumer", consumer, known: status.consumers.map(\.name))
        }
        try await client.forget(consumer)
    }

    private static func run(_ loop: ListenLoop, within limit: Duration?) async throws {
        let listening = Task {
            var loop = loop
            try await loop.run()
        }
        let alarm = Task {
            guard let limit else { return }
            try await Task.sleep(for: limit)
            listening.cancel()
        }
        defer { alarm.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await listening.value
            } onCancel: {
                listening.cancel()
            }
        } catch is CancellationError where !Task.isCancelled {
            guard loop.count == nil else {
                throw Failure(
                    "the time is up, and not all events have come. keywedge status shows what was scanned"
                )
            }
        }
    }
}

/// Makes a parser for comma-separated values; if `known` is not empty, each value must be in it.
private func list(of known: [String] = []) -> @Sendable (String) throws -> [String] {
    let names = known.isEmpty ? "names" : "one or more of \(known.joined(separator: ", "))"
    return parser(expecting: "\(names) with commas between them, without spaces") { text in
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isRight = values.allSatisfy { $0 != "" && (known.isEmpty || known.contains($0)) }
        return isRight ? values : nil
    }
}
