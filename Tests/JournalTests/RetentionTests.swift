import Events
import GRDB
import Testing

@testable import Journal

@Suite struct RetentionTests {
    private let folder: JournalFolder

    init() throws { folder = try JournalFolder() }

    private func settings(
        megabytes: Int = 1, whenFull: JournalSettings.WhenFull = .oldest
    ) -> JournalSettings {
        JournalSettings(
            file: folder.path, keep: JournalSettings.Keep(days: 30, megabytes: megabytes),
            whenFull: whenFull)
    }

    /// Commits 100 events in each round, about 2 MB in 20 rounds, and waits for retention.
    private func fill(_ journal: EventJournal, rounds: Int = 20) async throws {
        let text = String(repeating: "x", count: 900)
        for _ in 0..<rounds {
            try await journal.commit(texts: Array(repeating: text, count: 100))
        }
        try await journal.settle()
    }

    @Test func theOldestGoWhereNobodyWaitsForThem() async throws {
        let losses = Losses()
        try await folder.withJournal(settings(), tell: losses.add) { journal async throws in
            try await fill(journal)
            let page = try await journal.page(after: nil, limit: 10)
            let first = try #require(page.entries.first?.sequence)
            #expect(first > 1)
            // A reader that asks for removed events gets a gap.
            let start = Cursor(epoch: journal.epoch, sequence: 0)
            #expect(
                try await journal.page(after: start, limit: 1).gap
                    == JournalGap(first: 1, last: first - 1, reason: .retention))
        }
        #expect(losses.all == [])
        // After the removal, the next start finds no damage, and the journal can be written.
        let notices = Notices()
        try await folder.withJournal(settings(), tell: notices.add) { journal async throws in
            await journal.checked()
            try await fill(journal, rounds: 1)
        }
        #expect(notices.all == [])
    }

    @Test func aSinkThatIsAwayLosesTheOldestOnlyWhereThereIsNoRoom() async throws {
        let losses = Losses()
        try await folder.withJournal(settings(), sinks: ["mqtt"], tell: losses.add) {
            journal async throws in
            try await journal.move(.sink("mqtt"), to: Cursor(epoch: journal.epoch, sequence: 0))
            try await fill(journal, rounds: 3)
            #expect(losses.all.isEmpty)
            try await fill(journal)
        }
        // Closing the journal has ended a retention that was still running.
        try await folder.withJournal(settings(), sinks: ["mqtt"], tell: losses.add) {
            journal async throws in
            let cursor = try await journal.cursor(of: .sink("mqtt"))
            let page = try await journal.page(after: cursor, limit: 1)
            let gap = try #require(page.gap)
            #expect(gap.first == 1)
            #expect(page.entries.first?.sequence == gap.last + 1)
            let lost = losses.all
            #expect(lost.first?.first == 1)
            #expect(lost.allSatisfy { $0.sinks == ["mqtt"] && $0.policy == .oldest })
            // The reported ranges cover exactly the removed events, without a hole between them.
            #expect(zip(lost, lost.dropFirst()).allSatisfy { $0.last + 1 == $1.first })
            #expect(lost.reduce(0) { $0 + $1.count } == Int(gap.last))
        }
    }

    @Test func aSinkThatIsAwayKeepsWhatItHasNotTakenWhereNewestIsGivenUp() async throws {
        let losses = Losses()
        try await folder.withJournal(
            settings(whenFull: .newest), sinks: ["mqtt"], tell: losses.add
        ) { journal async throws in
            let start = Cursor(epoch: journal.epoch, sequence: 0)
            try await journal.move(.sink("mqtt"), to: start)
            while losses.all.isEmpty {
                let last = journal.append(texts: [String(repeating: "x", count: 9_000)])
                // Dropped events are never committed, so the test waits for this change instead.
                if let last = last.last, last % 50 == 0 {
                    try await journal.move(.sink("mqtt"), to: start)
                }
            }
            let page = try await journal.page(after: start, limit: 1)
            #expect(page.gap == nil)
            #expect(page.entries.first?.sequence == 1)
            #expect(losses.all.first?.policy == .newest)
            #expect(losses.all.first?.place == .journal)
            // After the sink has accepted the events, there is room again.
            try await journal.move(.sink("mqtt"), to: journal.end)
            let end = journal.end.sequence
            while journal.end.sequence == end {
                journal.append(texts: ["room"])
                try await journal.move(.sink("mqtt"), to: journal.end)
            }
        }
    }

    @Test func aLossNamesTheSinksThatHadNotAcceptedAllOfIt() throws {
        var store = try JournalDatabase(opening: folder.path)
        defer { store.close() }
        _ = try store.commit((1...10).map { JournalEntry(.scan("a", sequence: $0)) })
        try store.write { db, _ in
            for (sink, sequence) in [("mqtt", 4), ("exec", 9), ("webhook", 10)] as [(_, UInt64)] {
                try CursorRow(reader: .sink(sink), sequence: sequence).write(db)
            }
        }
        let retention = Retention(
            settings: settings(megabytes: 0), sinks: ["mqtt", "exec", "webhook", "new"])
        // The new sink has accepted nothing.
        let all = try retention.step(in: &store, isShrinking: true, cutoff: .min).loss
        #expect(all?.first == 1 && all?.last == 10 && all?.sinks == ["exec", "mqtt", "new"])
    }

    @Test func eventsGoWithAgeOnceTheSinksHaveThem() throws {
        var store = try JournalDatabase(opening: folder.path)
        defer { store.close() }
        let written = store.bounds.moment.time
        _ = try store.commit((1...10).map { JournalEntry(.scan("a", sequence: $0)) })
        let retention = Retention(settings: settings(), sinks: ["mqtt"])
        func remove(cutoff: Int64) throws -> Retention.Outcome {
            try retention.step(in: &store, isShrinking: false, cutoff: cutoff)
        }
        // The sink has accepted four of them.
        try store.write { db, _ in try CursorRow(reader: .sink("mqtt"), sequence: 4).write(db) }
        #expect(try remove(cutoff: written) == Retention.Outcome())
        #expect(store.bounds.removed.sequence == 0)
        #expect(try remove(cutoff: written + 1) == Retention.Outcome())
        #expect(store.bounds.removed.sequence == 4)
        try store.write { db, _ in try CursorRow(reader: .sink("mqtt"), sequence: 10).write(db) }
        #expect(try remove(cutoff: written + 1) == Retention.Outcome())
        #expect(store.bounds.removed == store.bounds.newest)
        _ = try store.commit([JournalEntry(.scan("b", sequence: 11))])
        let page = try store.queue.read { try PageReading($0).page(after: nil, limit: 5) }
        #expect(page.entries.map(\.sequence) == [11])
        let reopened = try JournalDatabase(opening: folder.path)
        #expect(reopened.bounds.newest.sequence == 11)
        #expect(reopened.bounds.count == 1)
        reopened.close()
    }
}
