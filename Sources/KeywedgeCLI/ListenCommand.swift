import ArgumentParser
import Dispatch
import EventService
import Events
import Glibc
import Journal
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct ListenCommand: AsyncParsableCommand, StopsSlowly {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Events of the running daemon, one a line.",
        discussion: """
            It waits for the daemon, and connects again if the daemon restarts. With a name \
            (--consumer) it resumes where it stopped: an event counts as taken when its line is \
            written, with --exec when the command ended with 0. So an event may come twice, and none \
            is left out; if the journal no longer has some, an event keywedge.gap says which.

            One listener reads as a consumer: a second one with the same name takes over, and the \
            first ends with exit code 1. A name is known from the first event that its listener gets, \
            until --forget removes it.

            Examples:
              keywedge listen --types keywedge.scan | while IFS= read -r event; do …; done
              keywedge listen --consumer till --exec /usr/local/bin/on-scan
              keywedge listen --forget till
            """)

    @Option(help: ArgumentHelp("Go on where this consumer stopped.", valueName: "name"))
    var consumer: String?

    @Option(
        help: ArgumentHelp(
            "Remove this consumer and its cursor, and listen to nothing.", valueName: "name"))
    var forget: String?

    @Option(
        help: ArgumentHelp(
            "Begin after this event (EPOCH-SEQUENCE), or with the oldest; with --consumer, only if the consumer is new.",
            valueName: "cursor"))
    var after: StartArgument?

    @Option(
        help: ArgumentHelp(
            "Only events of these types, with commas between them.", valueName: "types"))
    var types: TypesArgument?

    @Option(
        help: ArgumentHelp(
            "Only events of these scanners, with commas between them.", valueName: "names"))
    var scanners: ListArgument?

    @Option(
        help: ArgumentHelp(
            "Of the scans, only codes of these kinds, with commas between them.",
            valueName: "kinds"))
    var kinds: KindsArgument?

    @Option(help: "End after so many events.")
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "End after this time, as 30s; with --count, with 1 where not all came.",
            valueName: "time"))
    var timeout: DurationArgument?

    @Option(help: ArgumentHelp("The daemon's socket.", valueName: "file"))
    var socket: String?

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var formatOption: FormatOption

    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "Give each event to this command on its standard input, and wait for it.",
            valueName: "command"))
    var exec: [String] = []

    /// With --exec: time to end the command, and to record that it accepted its event.
    var stopGrace: DispatchTimeInterval { exec.isEmpty ? .milliseconds(500) : .seconds(4) }

    func validate() throws {
        if let consumer, !ReaderName.isOne(consumer) {
            throw ValidationError("--consumer: expected \(ReaderName.rule)")
        }
        if let forget, !ReaderName.isOne(forget) {
            throw ValidationError("--forget: expected \(ReaderName.rule)")
        }
        if forget != nil, consumer != nil || after != nil || !exec.isEmpty {
            throw ValidationError("--forget: expected no --consumer, --after or --exec beside it")
        }
        if let count, count < 1 { throw ValidationError("--count: expected at least 1") }
        try timeout?.check(in: .milliseconds(1) ... .seconds(86_400), as: "--timeout")
    }

    func run() async throws {
        if let forget {
            return try await EventClient.asking(socket: socket, configurationOption) {
                try await $0.forget(forget)
            }
        }
        let configured = try socket ?? configurationOption.load().listen?.socket
        let client = EventClient(socket: configured ?? ListenSettings.standardSocket)
        let outlet: any ListenOutlet =
            exec.isEmpty
            ? LineOutlet(formatter: formatOption.formatter(else: nil))
            : CommandOutlet(command: exec)
        let loop = ListenLoop(
            client: client, consumer: consumer, start: after?.start ?? .now,
            filter: EventFilter(
                types: types?.types ?? [], scanners: Set(scanners?.values ?? []),
                kinds: Set(kinds?.values ?? [])),
            count: count, outlet: outlet)
        try await Self.run(loop, within: timeout?.duration)
    }

    private static func run(_ loop: ListenLoop, within limit: Duration?) async throws {
        let listening = Task {
            var loop = loop
            try await loop.run()
        }
        let alarm = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                listening.cancel()
            }
        }
        defer { alarm?.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await listening.value
            } onCancel: {
                listening.cancel()
            }
        } catch is CancellationError where !Task.isCancelled {
            guard loop.count == nil else {
                throw Failure("the time is up, and not all events have come")
            }
        } catch let error as OutputError {
            throw error
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }
}

/// Where a stream begins, on the command line.
struct StartArgument: ExpressibleByArgument {
    let start: EventClient.Start

    init?(argument: String) {
        if argument == "oldest" {
            start = .oldest
        } else if let cursor = Cursor(argument) {
            start = .after(cursor)
        } else {
            return nil
        }
    }
}

/// Values with a comma between them.
struct ListArgument: ExpressibleByArgument {
    let values: [String]

    init?(argument: String) {
        values = argument.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard values.allSatisfy({ !$0.isEmpty }) else { return nil }
    }
}

/// Types of events with a comma between them.
struct TypesArgument: ExpressibleByArgument {
    let types: Set<EventType>

    init?(argument: String) {
        guard let list = ListArgument(argument: argument) else { return nil }
        types = Set(list.values.map(EventType.init(rawValue:)))
        guard types.isSubset(of: EventType.all) else { return nil }
    }
}

/// Kinds of codes with a comma between them.
struct KindsArgument: ExpressibleByArgument {
    let values: [String]

    init?(argument: String) {
        guard let list = ListArgument(argument: argument) else { return nil }
        values = list.values
        guard values.allSatisfy(EventFilter.allKinds.contains) else { return nil }
    }
}
