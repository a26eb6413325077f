import GRDB
import Glibc
import Testing

@testable import Journal

@Suite struct EventJournalTests {
    @Test func eventsAreReadInTheirOrderWithTheBytesTheyHad() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            let texts = (1...250).map { "text \($0)" }
            let sequences = try await journal.commit(texts: texts)
            #expect(sequences == Array(1...250))
            #expect(try await journal.texts(limit: 7) == texts)
            let page = try await journal.page(after: nil, limit: 1)
            #expect(page.entries == [JournalEntry(.scan("text 1", sequence: 1))])
            #expect(page.next == Cursor(epoch: journal.epoch, sequence: 1))
            #expect(page.gap == nil)
            #expect(journal.end == Cursor(epoch: journal.epoch, sequence: 250))
        }
    }

    @Test func numbersGoOnWhereAnOrderlyEndLeftThem() async throws {
        let folder = try JournalFolder()
        let epoch = try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a", "b"])
            return journal.epoch
        }
        try await folder.withJournal { journal async throws in
            #expect(journal.epoch == epoch)
            #expect(try await journal.commit(texts: ["c"]) == [3])
            #expect(try await journal.texts() == ["a", "b", "c"])
        }
    }

    /// `Tests/PowerLoss` tests what a power cut leaves; this test checks only the settings that it depends on.
    @Test func aConnectionSynchronisesEachCommitAndChecksPages() async throws {
        // GRDB's own WAL mode sets `synchronous` to NORMAL (1), with which a power cut loses commits.
        let folder = try JournalFolder()
        let queue = try JournalConnection.open(folder.path, toWrite: true)
        try await queue.writeWithoutTransaction { db throws in
            #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
            #expect(try Int.fetchOne(db, sql: "PRAGMA cell_size_check") == 1)
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
        }
    }

    @Test func nobodyElseReadsWhatWasScanned() async throws {
        let folder = try JournalFolder()
        func modes() -> [mode_t] {
            ["", "-wal", "-shm"].map { ending in
                var status = stat()
                return stat(folder.path + ending, &status) == 0 ? status.st_mode & 0o777 : 0
            }
        }
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a"])
            #expect(modes() == [0o600, 0o600, 0o600])
        }
        chmod(folder.path, 0o644)
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["b"])
            #expect(modes() == [0o600, 0o600, 0o600])
        }
    }

    @Test func whoeverWaitsForMoreIsWokenByTheNextEvent() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            let end = journal.end
            async let woken: Void = journal.more(after: end.sequence)
            journal.append(texts: ["a"])
            try await woken
            #expect(try await journal.texts(after: end) == ["a"])
        }
    }

    @Test func waitingForMoreCanBeCancelled() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            let waiting = Task { try await journal.more(after: 0) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test func whoeverWaitsIsToldThatTheJournalIsClosed() async throws {
        let folder = try JournalFolder()
        let journal = try EventJournal(opening: folder.settings)
        let waiting = Task { try await journal.more(after: 0) }
        await journal.close()
        await #expect(throws: JournalError.closed) { try await waiting.value }
        await #expect(throws: JournalError.closed) { try await journal.page(after: nil, limit: 1) }
        await #expect(throws: JournalError.closed) {
            try await journal.move(.sink("a"), to: journal.end)
        }
    }

    @Test func eachReaderHasItsOwnCursor() async throws {
        let folder = try JournalFolder()
        let cursors = try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a", "b", "c"])
            let cursors = (1...3).map { Cursor(epoch: journal.epoch, sequence: $0) }
            #expect(try await journal.cursor(of: .sink("mqtt")) == nil)
            try await journal.move(.sink("mqtt"), to: cursors[0])
            try await journal.move(.consumer("mqtt"), to: cursors[1])
            try await journal.move(.sink("mqtt"), to: cursors[2])
            return cursors
        }
        try await folder.withJournal { journal async throws in
            #expect(
                try await journal.cursors() == [
                    .sink("mqtt"): cursors[2], .consumer("mqtt"): cursors[1],
                ])
            try await withCheckedThrowingContinuation { continuation in
                journal.forget(.sink("mqtt")) { continuation.resume(with: $0) }
            }
            #expect(try await journal.cursor(of: .sink("mqtt")) == nil)
        }
    }

    @Test func aCursorOfAnotherJournalIsRefused() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            let other = try #require(Cursor("abcdefghijkl-7"))
            await #expect(throws: JournalError.unknownEpoch(other)) {
                try await journal.move(.sink("mqtt"), to: other)
            }
            try await journal.commit(texts: ["a"])
            let page = try await journal.page(after: other, limit: 10)
            #expect(page.gap?.reason == .unknownEpoch)
            #expect(page.entries.map(\.text) == ["a"])
        }
    }

    @Test func aDeadLetterMovesTheSinksCursorWithIt() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            try await journal.commit(texts: ["a", "b"])
            let entries = try await journal.page(after: nil, limit: 2).entries
            try await journal.addDeadLetter(
                entries[1], of: "webhook", reason: "422 \u{1b}[31m", at: entries[0].time)
            let letters = try await journal.deadLetters(of: "webhook", limit: 10)
            #expect(letters.map(\.entry) == [entries[1]])
            #expect(letters.map(\.reason) == ["422 \u{1b}[31m"])
            #expect(letters.map(\.refused) == [entries[0].time])
            #expect(try await journal.deadLetters(of: "mqtt", limit: 10) == [])
            #expect(try await journal.cursor(of: .sink("webhook"))?.sequence == 2)
            try await journal.settleDeadLetters(accepted: letters.map(\.number), refused: [])
            #expect(try await journal.deadLetters(of: nil, limit: 10) == [])
        }
    }

    @Test func manyAppendAtOnce() async throws {
        let folder = try JournalFolder()
        try await folder.withJournal { journal async throws in
            let numbering = Numbering(journal: journal)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<50 {
                    group.addTask {
                        for text in task * 20..<(task + 1) * 20 {
                            let sequence = await numbering.append("\(text)")
                            let isCommitted = try await journal.committed(sequence)
                            #expect(isCommitted)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let texts = try await journal.texts().compactMap { Int($0) }
            #expect(texts.count == 1_000)
            for task in 0..<50 {
                // Each task's events are in its own order.
                #expect(texts.filter { $0 / 20 == task } == Array(task * 20..<(task + 1) * 20))
            }
        }
    }
}

/// Numbers and appends an event in one step, because events must be appended in the order of their numbers.
private actor Numbering {
    private let journal: EventJournal

    init(journal: EventJournal) { self.journal = journal }

    func append(_ text: String) -> UInt64 { journal.append(texts: [text])[0] }
}
