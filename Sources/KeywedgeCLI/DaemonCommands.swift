import ArgumentParser
import EventService
import Events
import Glibc
import KeywedgeConfiguration
import WebAPI
import WireText

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of the running daemon.",
        discussion:
            "Shows scanners, catalogs, the journal, and how far sinks and consumers are behind.",
        examples: "keywedge status --format json | jq '.sinks[] | select(.lag_s > 60)'")

    @Flag(help: "Update the status every two seconds, until Ctrl-C.")
    var watch = false

    @Flag(help: "Also show the text of each scanner's last scan.")
    var codes = false

    @OptionGroup var daemonOption: DaemonOption
    @OptionGroup var formatOption: ObjectFormatOption

    func run() async throws {
        // Fail immediately if the configuration is invalid, because waiting would not help.
        _ = try daemonOption.client()
        guard watch else { return try await show() }
        while true {
            // Move the cursor to the top left and clear the screen (ECMA-48, CUP and ED).
            if StandardOutput.isTerminal { print("\u{1B}[H\u{1B}[2J", terminator: "") }
            do {
                try await show()
            } catch let error where !(error is CancellationError || error is OutputError) {
                // Continue: the daemon may be restarting.
                StandardError.write(Failure(error).description)
            }
            try await Task.sleep(for: .seconds(2))
        }
    }

    private func show() async throws {
        let answer = try await daemonOption.ask { try await $0.status(hasCodes: codes) }
        if formatOption.isJSON {
            try StandardOutput.write { $0 += answer.payload + [UInt8(ascii: "\n")] }
        } else {
            try StandardOutput.write(lines: StatusText(DaemonStatus(answer)).lines)
        }
    }
}

/// A daemon's status as text, with lines for each scanner, source, sink and consumer.
struct StatusText {
    private static let titleWidth = 11
    private let status: DaemonStatus
    private(set) var lines: [String] = []

    init(_ status: DaemonStatus) {
        self.status = status
        let running = span(since: status.started)
        add(
            "register",
            ["\(word(status.register)), keywedge \(word(status.version)), running for \(running)"])
        add("interface", status.listen.flatMap(place))
        add("scanners", status.scanners.flatMap(scanner))
        add("catalog", status.sources.flatMap(source))
        add("journal", journal(status.journal))
        add("sinks", status.sinks.flatMap(sink) + status.formerSinks.flatMap(formerSink))
        add("consumers", status.consumers.map { line($0.name, [behind($0.lagEvents, $0.lagS)]) })
        let troubles = status.listen.map(\.trouble) + status.sources.map(\.trouble)
        if (troubles + [status.journal.trouble]).contains(where: { $0 != nil })
            || status.sinks.contains(where: { $0.trouble != nil })
        {
            let sudo = geteuid() == 0 ? "" : "sudo "
            lines.append("To see what to do, run: \(sudo)keywedge doctor")
        }
    }

    private mutating func add(_ title: String, _ words: [String]) {
        for (index, text) in (words.isEmpty ? ["none"] : words).enumerated() {
            lines.append((index == 0 ? title : "").padded(to: Self.titleWidth) + text)
        }
    }

    private func place(_ place: DaemonStatus.Place) -> [String] {
        ["\(word(place.place)): \(place.trouble == nil ? "ready" : "trouble")"]
            + sentence(place.trouble)
    }

    private func scanner(_ scanner: ScannerStatus) -> [String] {
        let held = scanner.heldSince.map { "held for \(span(since: $0))" } ?? "not held"
        let scans = (scanner.scans + scanner.redacted).counted("scan")
        let last = scanner.lastScan.map { ", the last \(span(since: $0)) ago" } ?? ""
        let interface = scanner.interface.map { " (\(word($0)))" } ?? ""
        var lines = ["\(word(scanner.name))\(interface): \(held); \(scans)\(last)"]
        let redacted = scanner.redacted
        if redacted > 0 { lines.append("  left out for their content: \(redacted)") }
        if let text = scanner.lastText { lines.append("  last code: \(word(text))") }
        if let last = scanner.lastRejection {
            lines.append(
                "  rejected: \(counts(scanner.rejections)); the last \(span(since: last.time)) ago")
        }
        if let last = scanner.lostKeys.last {
            let times = scanner.lostKeys.count.counted("time")
            lines.append("  keys were lost \(times), the last time \(span(since: last)) ago")
        }
        let suspicion = scanner.layoutSuspicion
        if suspicion.count > 0 {
            let message = Escaping.sentence.escaped(suspicion.message ?? "")
            lines.append("  in \(suspicion.count.counted("scan")): \(message)")
        }
        return lines
    }

    private func source(_ source: SourceStatus) -> [String] {
        var words = word(source.state)
        if let wait = source.retryAfterS { words += ", asked again in \(span(wait))" }
        if let products = source.products { words += "; \(products.counted("product"))" }
        if let age = source.ageS { words += ", changed \(span(age)) ago" }
        let failed = source.lastFailure.map {
            "  failed: \(counts(source.failures)); the last \(span(since: $0.time)) ago"
        }
        return ["\(word(source.name)): \(words)"] + sentence(source.trouble)
            + (source.feed.map(feed) ?? []) + [failed].compactMap(\.self)
    }

    private func feed(_ feed: SourceStatus.Feed) -> [String] {
        let read = "  follows \(word(feed.source)), read \(span(since: feed.checked)) ago"
        let expired = "  the feed expired \(span(since: feed.expires)) ago: its prices may be old"
        return [read] + (feed.expired ? [expired] : []) + sentence(feed.trouble)
    }

    private func journal(_ journal: JournalStatus) -> [String] {
        var words = "\(word(journal.file)): \(word(journal.state))"
        if let events = journal.events {
            words += "; \(events.counted("event")), \(megabytes(journal.sizeBytes ?? 0))"
        }
        if let oldest = journal.oldest?.time, let newest = journal.newest?.time {
            words += ", from \(span(since: oldest)) to \(span(since: newest)) ago"
        }
        let waiting = "  waiting in memory: \(journal.waiting.counted("event"))"
        return [words] + sentence(journal.trouble) + (journal.waiting > 0 ? [waiting] : [])
    }

    private func sink(_ sink: SinkStatus) -> [String] {
        let letters = sink.deadLetters.flatMap { $0 > 0 ? $0.counted("dead letter") : nil }
        // Dead letters already show that the sink refuses events.
        let state = letters != nil && sink.state == "refused" ? nil : word(sink.state)
        let lines = [line(sink.name, [state, behind(sink.lagEvents, sink.lagS), letters])]
        guard let failure = sink.trouble ?? sink.lastError else { return lines }
        let ago = span(since: failure.time)
        let when = sink.trouble == nil ? "last error, \(ago) ago" : "for \(ago)"
        return lines + ["  \(when): \(Escaping.sentence.escaped(failure.message))"]
    }

    private func formerSink(_ sink: ReaderStatus) -> [String] {
        let events = (sink.lagEvents ?? 0).counted("event waits", "events wait")
        return [
            "\(word(sink.name)): no longer configured; \(events)",
            "  keywedge journal forget \(word(sink.name)) drops them",
        ]
    }

    private func line(_ name: String, _ words: [String?]) -> String {
        "\(word(name)): \(words.compactMap(\.self).joined(separator: "; "))"
    }

    private func behind(_ events: Int?, _ seconds: Double?) -> String? {
        guard let events else { return nil }
        let wait = seconds.map { ", the oldest waits for \(span($0))" } ?? ""
        return events == 0 ? "nothing waits" : "\(events.counted("event")) behind\(wait)"
    }

    private func word(_ text: String) -> String { Escaping.line.escaped(text) }

    private func sentence(_ text: String?) -> [String] {
        text.map { ["  \(Escaping.sentence.escaped($0))"] } ?? []
    }

    /// Returns the counts with their names, sorted by name, such as `1 idle, 2 torn`.
    private func counts(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \(word($0.key))" }
            .joined(separator: ", ")
    }

    private func megabytes(_ bytes: Int) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    private func span(_ seconds: Double) -> String {
        Duration.seconds(Int64(exactly: seconds.rounded(.down)) ?? 0).text
    }

    private func span(since time: EventTime) -> String {
        let microseconds = status.time.microsecondsSince1970 - time.microsecondsSince1970
        return Duration.seconds(max(0, microseconds) / 1_000_000).text
    }
}

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Make the running daemon read its configuration again.",
        discussion: """
            If anything is wrong, the daemon keeps the old configuration and names the problems. \
            Scanners with the same settings stay claimed, even during a scan. The daemon reads the \
            file it was started with.
            """,
        examples: "keywedge reload")

    @OptionGroup var daemonOption: DaemonOption
    @OptionGroup var formatOption: ObjectFormatOption

    func run() async throws {
        let changes = try await daemonOption.ask { client in
            do {
                return try await client.reload()
            } catch let error as EventClientError {
                throw Failure(
                    ([error.description] + error.problems.map(Escaping.sentence.escaped))
                        .joined(separator: "\n"))
            }
        }
        try formatOption.print(
            ["changes": .array(changes.map(\.json))],
            changes.isEmpty ? ["nothing has changed"] : changes.map(\.text))
    }
}

struct DaemonOption: ParsableArguments {
    @Option(file: "The daemon's socket.")
    var socket: String?

    @OptionGroup var configurationOption: ConfigurationOption

    func client() throws -> EventClient {
        let configured = try socket ?? configurationOption.load().listen?.socket
        let standard = ListenSettings.standardSocket
        // A daemon that read an earlier configuration may still listen at the standard socket.
        let usual =
            access(standard, F_OK) == 0 ? standard : configurationOption.unlessNamed(standard)
        if let socket = configured ?? usual { return EventClient(socket: socket) }
        throw Failure(
            "\(configurationOption.path ?? ""): without listen, the daemon has no socket; write into it: "
                + "listen: {}")
    }

    /// Calls `body` with a client of the daemon; if that fails, adds a remedy to the error.
    func ask<Answer>(_ body: (EventClient) async throws -> Answer) async throws -> Answer {
        do {
            return try await body(client())
        } catch {
            throw configurationOption.failure(error)
        }
    }
}
