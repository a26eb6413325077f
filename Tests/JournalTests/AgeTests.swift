import Events
import Synchronization
import Testing
import WireText

@testable import Journal

/// Events age, and no jump of a clock makes them older.
@Suite struct AgeTests {
    private static let day: Int64 = 86_400_000_000
    private let folder: JournalFolder
    private let clock = StubClock()

    init() throws { folder = try JournalFolder() }

    /// The clocks of a box, moved by hand.
    private final class StubClock: Sendable {
        private let reading = Mutex(
            ClockReading(wall: 1_800_000_000_000_000, uptime: 5_000_000))

        var now: ClockReading { reading.withLock { $0 } }

        /// Time passes.
        func pass(_ time: Int64) {
            reading.withLock {
                $0.wall += time
                $0.uptime += time
            }
        }

        /// Someone sets the time of day.
        func jump(_ time: Int64) { reading.withLock { $0.wall += time } }

        /// The box is off for a while, and starts.
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

    /// Commits an event, and returns once retention has looked at the events.
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
        // Retention has its turn before this next commit.
        try await journal.move(.consumer("probe"), to: journal.end)
    }

    /// The texts once retention has nothing left to do.
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
        // Nor when someone sets the clock right, and it starts again.
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
