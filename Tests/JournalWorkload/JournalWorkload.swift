import Events
import Glibc
import Journal
import Synchronization
import WireText

/// Writes and checks journals for the tests that cut the power, kill, and rot.
///
/// ```
/// JournalWorkload append FOLDER COUNT GROUP
/// JournalWorkload check FOLDER…
/// JournalWorkload rate FOLDER COUNT
/// ```
///
/// `append` prints `given N` when a number is given and `kept N` when all up to it are on the disk;
/// GROUP is the most events that are committed together. `check` prints a JSON object a folder: what
/// the journal told, its events, the next number, and what verification finds at the end. `rate`
/// prints the nanoseconds of each commit of one event, and then how many a second go in groups.
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
                // Damage that was found is mended with the next commit.
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

    /// The numbers of all events; negative for one that is not what it must be.
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
            // What waits is bounded, as it is where scanners send it.
            if number % 5_000 == 0 { try await journal.committed(last) }
        }
        try await journal.committed(last)
        note("grouped \(Double(count * 100) / ((ContinuousClock.now - start) / .seconds(1)))")
        await journal.close()
    }

    private static func settings(_ folder: String) -> JournalSettings {
        JournalSettings(file: folder + "/journal.sqlite")
    }

    /// The one event that a number has, of lengths from 300 bytes to more than a page.
    ///
    /// Its time is long ahead, so that it does not age.
    private static func event(_ sequence: UInt64) -> Event {
        let text = String(repeating: "\(sequence &* 2_654_435_761),", count: 1 + Int(sequence % 50))
        let isLong = sequence % 97 == 0
        return Event(
            id: "id-\(sequence)", source: "/keywedge/register-3/scanners/counter", type: .scan,
            time: EventTime(microsecondsSince1970: 4_100_000_000_000_000 + Int64(sequence)),
            sequence: sequence,
            data: ["text": .string(isLong ? String(repeating: text, count: 12) : text)])
    }

    /// Writes a line with one system call, so that its place among those of the disk is known.
    private static func note(_ text: String) {
        let line = text + "\n"
        _ = write(STDOUT_FILENO, line, line.utf8.count)
    }

    private static func say(_ text: String) {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
