import Events
import Glibc
import Journal
import Synchronization
import WireText

/// Writes and checks journals for tests that cut the power, kill the process or damage the file.
///
/// ```
/// JournalWorkload append FOLDER COUNT GROUP
/// JournalWorkload check FOLDER…
/// JournalWorkload rate FOLDER COUNT
/// ```
///
/// `append` prints `given N` when it assigns a number, and `kept N` when the events up to that number are on disk;
/// it commits at most GROUP events together. `check` prints one JSON object for each folder: the journal's
/// reports, its events, the next number, and what verification finds at the end. `rate` prints the nanoseconds
/// of each commit of a single event, and then the events per second if many are committed together.
@main struct JournalWorkload {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "append" where arguments.count == 5:
            try await append(
                arguments[2], count: Int(arguments[3]) ?? 0, group: Int(arguments[4]) ?? 1)
        case "check": for folder in arguments.dropFirst(2) { try await check(folder) }
        case "rate" where arguments.count == 4:
            try await rate(arguments[2], count: Int(arguments[3]) ?? 0)
        default:
            say(
                "usage: JournalWorkload append FOLDER COUNT GROUP | check FOLDER… | rate FOLDER COUNT"
            )
            exit(2)
        }
    }

    private static func append(_ folder: String, count: Int, group: Int) async throws {
        let journal = try EventJournal(opening: settings(folder)) { note("told \($0)") }
        var rest = count
        while rest > 0 {
            var last: UInt64 = 0
            for _ in 0..<Int.random(in: 1...min(group, rest)) {
                last = journal.nextSequence()
                note("given \(last)")
                journal.append(JournalEntry(event(last)))
                rest -= 1
            }
            try await journal.committed(last)
            note("kept \(last)")
        }
        let lost = await journal.close()
        note("closed \(lost)")
    }

    private static func check(_ folder: String) async throws {
        let told = Mutex<[JSONValue]>([])
        let journal = try EventJournal(opening: settings(folder)) { notice in
            told.withLock { $0.append(.string("\(notice)")) }
        }
        await journal.checked()
        let next = journal.nextSequence()
        journal.append(JournalEntry(event(next)))
        try await journal.committed(next)
        var events: [JSONValue] = []
        var isRead = false
        while !isRead {
            do {
                events = try await read(journal)
                isRead = true
            } catch {
                // Reading found damage, which the journal repairs before it commits anything else.
                let more = journal.nextSequence()
                journal.append(JournalEntry(event(more)))
                try await journal.committed(more)
            }
        }
        await journal.close()
        var findings: [JSONValue] = []
        _ = try OfflineJournal(reading: settings(folder).file).verify {
            findings.append(.string("\($0)"))
        }
        note(
            JSONWriter.text(of: [
                "folder": .string(folder), "told": .array(told.withLock { $0 }),
                "next": .integer(Int64(next)), "events": .array(events),
                "findings": .array(findings),
            ]))
    }

    /// Reads the numbers of all events; the number of an event with wrong content is negated.
    private static func read(_ journal: EventJournal) async throws -> [JSONValue] {
        var numbers: [JSONValue] = []
        var cursor: Cursor?
        while true {
            let page = try await journal.page(after: cursor, limit: 500)
            guard !page.entries.isEmpty else { return numbers }
            for entry in page.entries {
                let isRight = entry == JournalEntry(event(entry.sequence))
                numbers.append(.integer(Int64(entry.sequence) * (isRight ? 1 : -1)))
            }
            cursor = page.next
        }
    }

    private static func rate(_ folder: String, count: Int) async throws {
        let journal = try EventJournal(opening: settings(folder))
        for _ in 0..<count {
            let number = journal.nextSequence()
            let start = ContinuousClock.now
            journal.append(JournalEntry(event(number)))
            try await journal.committed(number)
            note("single \((ContinuousClock.now - start) / .nanoseconds(1))")
        }
        let start = ContinuousClock.now
        var last: UInt64 = 0
        for number in 1...count * 100 {
            last = journal.nextSequence()
            journal.append(JournalEntry(event(last)))
            // The journal's queue in memory is limited.
            if number % 5_000 == 0 { try await journal.committed(last) }
        }
        try await journal.committed(last)
        note("grouped \(Double(count * 100) / ((ContinuousClock.now - start) / .seconds(1)))")
        await journal.close()
    }

    private static func settings(_ folder: String) -> JournalSettings {
        JournalSettings(file: folder + "/journal.sqlite")
    }

    /// Returns the event for a number: always the same, between 300 bytes and more than a page long.
    ///
    /// Its time depends only on the number, too, so that `check` can compare whole events.
    private static func event(_ sequence: UInt64) -> Event {
        let text = String(repeating: "\(sequence &* 2_654_435_761),", count: 1 + Int(sequence % 50))
        let isLong = sequence % 97 == 0
        return Event(
            id: "id-\(sequence)", source: "/keywedge/register-3/scanners/counter", type: .scan,
            time: EventTime(microsecondsSince1970: 4_100_000_000_000_000 + Int64(sequence)),
            sequence: sequence,
            data: ["text": .string(isLong ? String(repeating: text, count: 12) : text)])
    }

    /// Writes a line with a single system call, so that its order relative to writes to the disk is known.
    private static func note(_ text: String) {
        let line = text + "\n"
        _ = write(STDOUT_FILENO, line, line.utf8.count)
    }

    private static func say(_ text: String) {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
