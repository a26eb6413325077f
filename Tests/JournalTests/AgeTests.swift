import Events
import Synchronization
import Testing
import WireText

@testable import Journal

/// Tests that events age, and that a jump of the system clock makes them no older.
@Suite struct AgeTests {
    private static let day: Int64 = 86_400_000_000
    private let folder: JournalFolder
    private let clock = StubClock()

    init() throws { folder = try JournalFolder() }

    /// The clocks of a box, which the test moves.
    private final class StubClock: Sendable {
        private let reading = Mutex(
            ClockReading(wall: 1_800_000_000_000_000, uptime: 5_000_000))

        var now: ClockReading { reading.withLock { $0 } }

        /// Moves both clocks forward.
        func pass(_ time: Int64) {
            reading.withLock {
                $0.wall += time
                $0.uptime += time
            }
        }

        /// Moves the system clock only, as someone who sets it does.
        func jump(_ time: Int64) { reading.withLock { $0.wall += time } }

        /// Moves the clocks as if the box had been off for this time.
        func restart(after time: Int64) {
            reading.withLock {
                $0.wall += time
                $0.uptime = 1_000_000
            }
        }
    }

    private func withJournal<Value>(
        days: Int = 30, _ body: (EventJournal) async throws -> Value
    ) async throws -> Value {
        let settings = JournalSettings(file: folder.path, keep: .init(days: days))
        return try await folder.withJournal(settings, clock: { [clock] in clock.now }, body)
    }

    /// Commits an event, and returns after retention has checked the events.
    private func commit(
        _ text: String, at time: Int64? = nil, to journal: EventJournal
    ) async throws {
        let sequence = journal.nextSequence()
        let event = Event(
            id: "\(sequence)", source: "s", type: .scan,
            time: EventTime(microsecondsSince1970: time ?? clock.now.wall), sequence: sequence,
            data: ["text": .string(text)])
        journal.append(JournalEntry(event))
        try await journal.committed(sequence)
        // Retention that is due runs before this second commit.
        try await journal.move(.consumer("probe"), to: journal.end)
    }

    /// Lets retention run twice, and returns the remaining texts without the probes.
    private func settledTexts(_ journal: EventJournal) async throws -> [String] {
        clock.pass(120_000_000)
        try await commit("probe", to: journal)
        clock.pass(120_000_000)
        try await commit("probe", to: journal)
        return try await journal.texts().filter { $0 != "probe" }
    }

    @Test func eventsGoAfterTheirDays() async throws {
        try await withJournal { journal async throws in
            try await commit("old", to: journal)
            for _ in 0..<10 {
                clock.pass(2 * Self.day)
                try await commit("probe", to: journal)
            }
            try await commit("new", to: journal)
            for _ in 0..<6 {
                clock.pass(2 * Self.day)
                try await commit("probe", to: journal)
            }
            #expect(try await settledTexts(journal) == ["new"])
        }
    }

    @Test(arguments: [1, 20, 40, 4_000, -40, -4_000] as [Int64])
    func aJumpWhileKeywedgeRunsRemovesNothing(days: Int64) async throws {
        try await withJournal { journal async throws in
            try await commit("before", to: journal)
            clock.jump(days * Self.day)
            try await commit("after", to: journal)
            #expect(try await settledTexts(journal) == ["before", "after"])
            clock.jump(-days * Self.day)
            #expect(try await settledTexts(journal) == ["before", "after"])
        }
    }

    @Test(arguments: [31, 40, 4_000, -40, -4_000] as [Int64])
    func aJumpBeforeAStartRemovesNothing(days: Int64) async throws {
        try await withJournal { try await commit("before", to: $0) }
        clock.restart(after: days * Self.day)
        try await withJournal { journal async throws in
            #expect(try await settledTexts(journal) == ["before"])
        }
        // The same applies if someone corrects the clock before the next start.
        clock.restart(after: -days * Self.day)
        try await withJournal { journal async throws in
            #expect(try await settledTexts(journal) == ["before"])
        }
    }

    @Test func theTimeThatABoxIsOffCounts() async throws {
        try await withJournal { try await commit("old", to: $0) }
        for _ in 0..<3 {
            clock.restart(after: 11 * Self.day)
            try await withJournal { try await commit("probe", to: $0) }
        }
        try await withJournal { journal async throws in
            #expect(try await settledTexts(journal) == [])
        }
    }

    @Test func anEventThatIsDatedInTheFutureKeepsNoOther() async throws {
        try await withJournal(days: 1) { journal async throws in
            try await commit("future", at: clock.now.wall + 4_000 * Self.day, to: journal)
            try await commit("old", to: journal)
            for _ in 0..<4 {
                clock.pass(Self.day / 3)
                try await commit("probe", to: journal)
            }
            #expect(try await settledTexts(journal) == [])
        }
    }
}
