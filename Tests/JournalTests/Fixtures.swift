import Events
import Synchronization
import TestFolders
import WireText

@testable import Journal

/// A temporary folder for a journal.
struct JournalFolder {
    let folder: TemporaryFolder
    var path: String { folder.path("journal.sqlite") }
    var settings: JournalSettings { JournalSettings(file: path) }

    init() throws { folder = try TemporaryFolder() }

    /// Opens the journal, calls `body` with it, and closes it.
    func withJournal<Value>(
        _ settings: JournalSettings? = nil, sinks: Set<String> = [],
        clock: @escaping @Sendable () -> ClockReading = { .now },
        tell: @escaping @Sendable (JournalNotice) -> Void = { _ in },
        _ body: (EventJournal) async throws -> Value
    ) async throws -> Value {
        let journal = try EventJournal(
            opening: settings ?? self.settings, sinks: sinks, report: tell, clock: clock)
        do {
            let value = try await body(journal)
            await journal.close()
            return value
        } catch {
            await journal.close()
            throw error
        }
    }
}

/// Keeps the losses that a journal reports.
final class Losses: Sendable {
    private let losses = Mutex<[JournalLoss]>([])
    var all: [JournalLoss] { losses.withLock { $0 } }
    func add(_ notice: JournalNotice) {
        if case .full(let loss) = notice { losses.withLock { $0.append(loss) } }
    }
}

/// Keeps the reports of a journal.
final class Notices: Sendable {
    private let notices = Mutex<[JournalNotice]>([])
    var all: [JournalNotice] { notices.withLock { $0 } }
    var replacement: JournalReplacement? {
        all.lazy.compactMap { if case .replaced(let it) = $0 { it } else { nil } }.first
    }

    @Sendable func add(_ notice: JournalNotice) { notices.withLock { $0.append(notice) } }
}

extension EventJournal {
    /// Appends scans with these texts, and returns their numbers.
    @discardableResult func append(texts: [String]) -> [UInt64] {
        texts.map { text in
            let sequence = nextSequence()
            append(JournalEntry(.scan(text, sequence: sequence)))
            return sequence
        }
    }

    /// Appends scans with these texts, waits until they are on disk, and returns their numbers.
    @discardableResult func commit(texts: [String]) async throws -> [UInt64] {
        let sequences = append(texts: texts)
        if let last = sequences.last { try await committed(last) }
        return sequences
    }

    /// Waits until retention has nothing left to do, because a commit is acknowledged before retention removes events.
    func settle() async throws {
        repeat {
            try await move(.consumer("settled"), to: end)
        } while writer.state.withLock { $0.shrinking.isDue }
        // The thread delivers retention's reports before the next commit.
        try await move(.consumer("settled"), to: end)
    }

    /// Reads the texts of all events after a cursor, in pages of at most `limit` events.
    func texts(after cursor: Cursor? = nil, limit: Int = 100) async throws -> [String] {
        var texts: [String] = []
        var cursor = cursor
        while true {
            let page = try await page(after: cursor, limit: limit)
            if page.entries.isEmpty { return texts }
            texts += page.entries.map(\.text)
            cursor = page.next
        }
    }
}

extension JournalEntry {
    /// The scanned text; `?` if the event has no text.
    var text: String {
        let value = try? JSONReader.read(line)
        return value?.object?["data"]?.object?["text"]?.string ?? "?"
    }
}

extension Event {
    /// Returns a scan with a time in a distant year, which increases with the number.
    static func scan(_ text: String, sequence: UInt64) -> Event {
        Event(
            id: "id-\(sequence)", source: "/keywedge/register-3/scanners/counter", type: .scan,
            time: EventTime(microsecondsSince1970: 4_100_000_000_000_000 + Int64(sequence)),
            sequence: sequence, data: ["text": .string(text)])
    }
}
