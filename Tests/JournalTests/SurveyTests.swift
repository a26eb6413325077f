import Events
import TestFolders
import Testing
import WireText

@testable import Journal

/// Tests the figures in a survey of a journal.
@Suite struct SurveyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ keep: JournalSettings.Keep = .init()) throws -> EventJournal {
        try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite"), keep: keep))
    }

    /// Commits events, and returns the number of the first.
    @discardableResult private func fill(
        _ journal: EventJournal, _ count: Int, size: Int = 10
    ) async throws -> UInt64 {
        var first: UInt64?
        var last: UInt64 = 0
        for _ in 0..<count {
            last = journal.nextSequence()
            first = first ?? last
            let event = Event(
                id: "\(last)", source: "/keywedge/r/scanners/counter", type: .scan,
                // 2100-01-01, plus a microsecond for each number, so that tests can predict it.
                time: EventTime(microsecondsSince1970: 4_102_444_800_000_000 + Int64(last)),
                sequence: last, data: ["text": .string(String(repeating: "x", count: size))])
            journal.append(JournalEntry(event))
        }
        try await journal.committed(last)
        return first ?? 0
    }

    @Test func anEmptyJournalHasNothing() async throws {
        let journal = try open()
        let survey = try await journal.survey()
        #expect(survey.events == 0)
        #expect(survey.oldest == nil)
        #expect(survey.newest == nil)
        #expect(survey.readers == [:])
        #expect(survey.size > 0)
        #expect(journal.condition == .open)
        await journal.close()
    }

    @Test func eventsAndLagsAreCounted() async throws {
        let journal = try open()
        let first = try await fill(journal, 5)
        let cursor = Cursor(epoch: journal.epoch, sequence: first + 1)
        try await journal.move(.sink("erp"), to: cursor)
        try await journal.move(.consumer("till"), to: journal.end)
        let survey = try await journal.survey()
        #expect(survey.events == 5)
        #expect(survey.oldest?.sequence == first)
        #expect(survey.newest?.sequence == first + 4)
        #expect(
            survey.newest?.time.microsecondsSince1970 == 4_102_444_800_000_000 + Int64(first) + 4)
        let erp = try #require(survey.readers[.sink("erp")])
        #expect(erp.events == 3)
        #expect(erp.next?.sequence == first + 2)
        let till = try #require(survey.readers[.consumer("till")])
        #expect(till.events == 0)
        #expect(till.next == nil)
        await journal.close()
    }

    /// A crash skips the rest of a block of numbers; the test skips numbers by not using them.
    @Test func numbersThatWereSkippedAreNoEvents() async throws {
        let journal = try open()
        let first = try await fill(journal, 3)
        try await journal.move(.sink("erp"), to: Cursor(epoch: journal.epoch, sequence: first))
        for _ in 0..<50 { _ = journal.nextSequence() }
        try await fill(journal, 2)
        #expect(try await journal.survey().events == 5)
        #expect(try await journal.survey().readers[.sink("erp")]?.events == 4)
        await journal.close()

        let again = try open()
        await again.checked()
        #expect(try await again.survey().events == 5)
        #expect(try await again.survey().readers[.sink("erp")]?.events == 4)
        for _ in 0..<7 { _ = again.nextSequence() }
        try await fill(again, 1)
        #expect(try await again.survey().events == 6)
        await again.close()
    }

    @Test func whatRetentionTookIsNotCounted() async throws {
        let journal = try open(.init(days: 30, megabytes: 1))
        var written = 0
        let first = try await fill(journal, 2)
        written += 2
        for _ in 0..<7 { _ = journal.nextSequence() }
        while try await journal.oldest().sequence <= first + 200 {
            try await fill(journal, 200, size: 2_000)
            written += 200
            try #require(written < 20_000)
        }
        let survey = try await journal.survey()
        let page = try await journal.page(after: nil, limit: 1_000_000)
        // Between the two calls, retention may remove more events, but no events are added.
        #expect(survey.events >= page.entries.count)
        #expect(survey.events < written)
        await journal.close()
        let again = try open(.init(days: 30, megabytes: 1))
        await again.checked()
        let events = try await again.survey().events
        #expect(events == UInt64(try await again.page(after: nil, limit: 1_000_000).entries.count))
        await again.close()
    }

    @Test func deadLettersAreCountedForEachSink() async throws {
        let journal = try open()
        try await fill(journal, 2)
        let entries = try await journal.page(after: nil, limit: 2).entries
        for entry in entries {
            try await journal.addDeadLetter(
                entry, of: "erp", reason: "no", at: EventTime(microsecondsSince1970: 0))
        }
        #expect(try await journal.survey().deadLetters == ["erp": 2])
        await journal.close()
    }

    @Test func aClosedJournalIsNotSurveyed() async throws {
        let journal = try open()
        await journal.close()
        await #expect(throws: JournalError.closed) { try await journal.survey() }
    }
}
