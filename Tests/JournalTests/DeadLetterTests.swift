import Events
import GRDB
import Testing

@testable import Journal

@Suite struct DeadLetterTests {
    private let folder: JournalFolder

    init() throws { folder = try JournalFolder() }

    private func settings(megabytes: Int = 512, letters: Int = 1) -> JournalSettings {
        JournalSettings(
            file: folder.path,
            keep: .init(days: 30, megabytes: megabytes, deadLetterMegabytes: letters))
    }

    /// Makes dead letters of all events after a sink's cursor, as the daemon does if the sink refuses them.
    private func refuseAll(_ journal: EventJournal, of sink: String) async throws {
        var cursor = try await journal.cursor(of: .sink(sink))
        while true {
            let page = try await journal.page(after: cursor, limit: 500)
            guard !page.entries.isEmpty else { return }
            for entry in page.entries {
                try await journal.addDeadLetter(
                    entry, of: sink, reason: "422", at: EventTime(microsecondsSince1970: 0))
            }
            cursor = page.next
        }
    }

    @Test func theOldestGoAndEachRangeIsReportedOnce() async throws {
        let losses = Losses()
        try await folder.withJournal(settings(), sinks: ["erp"], tell: losses.add) {
            journal async throws in
            let text = String(repeating: "x", count: 900)
            for _ in 0..<30 {
                try await journal.commit(texts: Array(repeating: text, count: 100))
                try await refuseAll(journal, of: "erp")
            }
            // After one more commit, the journal has reported what the last one removed.
            try await journal.commit(texts: ["end"])
            let count = try await journal.survey().deadLetters["erp"] ?? 0
            let lost = losses.all
            #expect(lost.allSatisfy { $0.place == .deadLetters && $0.sinks == ["erp"] })
            #expect(lost.first?.first == 1)
            #expect(zip(lost, lost.dropFirst()).allSatisfy { $0.last + 1 == $1.first })
            #expect(lost.reduce(0) { $0 + $1.count } + count == 3_000)
            #expect((400...1_000).contains(count))
            #expect(lost.count < 20)
            // The journal dropped no event to make room for dead letters.
            #expect(try await journal.survey().events == 3_001)
        }
    }

    /// A journal that is full of dead letters must not delete new events.
    @Test func deadLettersTakeNoRoomFromEvents() async throws {
        let losses = Losses()
        try await folder.withJournal(
            settings(megabytes: 1, letters: 4), sinks: ["erp"], tell: losses.add
        ) { journal async throws in
            let text = String(repeating: "x", count: 900)
            for _ in 0..<25 {
                try await journal.commit(texts: Array(repeating: text, count: 100))
                try await refuseAll(journal, of: "erp")
            }
            let last = try await journal.commit(texts: ["one", "two"])
            let page = try await journal.page(
                after: Cursor(epoch: journal.epoch, sequence: last[0] - 1), limit: 5)
            #expect(page.entries.map(\.text) == ["one", "two"])
        }
        // The sink had accepted or refused all events that retention removed.
        #expect(losses.all == [])
    }

    @Test func lettersToBeSentAgainAreFoundThroughAnIndex() async throws {
        _ = try await folder.withJournal { $0.epoch }
        let queue = try JournalConnection.open(folder.path)
        let plan = try await queue.read { db throws in
            try Row.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN SELECT line FROM dead_letter
                    WHERE number > 0 AND sink = 'a' AND again = 1 ORDER BY number LIMIT 5
                    """
            ).map { $0["detail"] as String? ?? "" }
        }
        #expect(plan.contains { $0.contains("dead_letter_again") })
    }
}
