import Events
import Journal
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WebAPI

@testable import Sinks

struct SinkRunnerTests {
    /// An outlet whose outcomes a test scripts.
    final class ScriptedOutlet: DurableOutlet {
        /// The outcome for an event, by its sequence number and the number of earlier attempts.
        typealias Script = @Sendable (UInt64, Int) -> Result<Verdict, Stop>

        struct Stop: Error {
            let outcome: TakeOutcome
        }

        private let script: Script
        private let given = Mutex<[UInt64]>([])

        init(_ script: @escaping Script = { _, _ in .success(.taken) }) { self.script = script }

        /// The numbers of the events that it received, in order.
        var numbers: [UInt64] { given.withLock { $0 } }

        func take(
            _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
        ) async -> TakeOutcome {
            for (index, entry) in entries.enumerated() {
                let before = given.withLock { given in
                    defer { given.append(entry.sequence) }
                    return given.count { $0 == entry.sequence }
                }
                switch script(entry.sequence, before) {
                case .success(let verdict): settled(index, verdict)
                case .failure(let stop): return stop.outcome
                }
            }
            return .all
        }
    }

    /// A clock on which no time passes, and which records the requested waits.
    final class Waits: Clock, Sendable {
        typealias Instant = ContinuousClock.Instant
        private let kept = Mutex<[Duration]>([])
        var durations: [Duration] { kept.withLock { $0 } }
        let now = ContinuousClock.now
        let minimumResolution = Duration.nanoseconds(1)
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            kept.withLock { $0.append(now.duration(to: deadline)) }
            await Task.yield()
            try Task.checkCancellation()
        }
    }

    /// Opens a journal, and commits scans to it.
    private static func journal(
        _ folder: TemporaryFolder, scans: Int
    ) async throws -> EventJournal {
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")), sinks: ["s"])
        try await append(scans, to: journal)
        return journal
    }

    private static func append(_ scans: Int, to journal: EventJournal) async throws {
        var last: UInt64 = 0
        for _ in 0..<scans {
            last = journal.nextSequence()
            journal.append(JournalEntry(Entries.event(last)))
        }
        try await journal.committed(last)
    }

    /// Runs a sink until a condition is true.
    private static func run(
        _ outlet: any DurableOutlet, _ journal: EventJournal, start: SinkRunner.Start = .oldest,
        filter: EventFilter = EventFilter(), _ ear: Ear = Ear(), _ waits: Waits = Waits(),
        while body: @escaping @Sendable () async throws -> Void = {},
        until condition: @escaping @Sendable () async throws -> Bool
    ) async throws {
        let runner = SinkRunner(
            name: "s", outlet: outlet, journal: journal, start: start, filter: filter,
            reporter: ear.reporter, clock: waits, now: { EventTime(microsecondsSince1970: 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            try await body()
            try await waitUntil("the sink to do its work", condition)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private static func cursor(_ journal: EventJournal) async throws -> UInt64? {
        try await journal.cursor(of: .sink("s"))?.sequence
    }

    /// Fails to begin twice, like an outlet whose secret cannot be read yet.
    final class LateOutlet: DurableOutlet {
        struct NotYet: Error, CustomStringConvertible { let description = "no secret" }
        private let failures = Mutex(2)
        let outlet = ScriptedOutlet()

        func begin(_ reporter: SinkStatusReporter) throws {
            try failures.withLock { failures in
                guard failures == 0 else {
                    failures -= 1
                    throw NotYet()
                }
            }
        }

        func take(
            _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
        ) async -> TakeOutcome { await outlet.take(entries, settled: settled) }
    }

    @Test func anOutletThatCannotBeginYetLosesNoEvent() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 2)
        let (late, ear, waits) = (LateOutlet(), Ear(), Waits())
        try await Self.run(
            late, journal, start: .end, ear, waits, while: { try await Self.append(1, to: journal) }
        ) { !late.outlet.numbers.isEmpty }
        #expect(late.outlet.numbers == [journal.end.sequence])
        #expect(ear.notices == [.trouble("no secret"), .well])
        #expect(waits.durations.count >= 2)
        await journal.close()
    }

    @Test func everyEventComesOnceInOrderAndTheNextRunGoesOnBehindIt() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 1_234)
        let first = ScriptedOutlet()
        try await Self.run(first, journal) {
            try await Self.cursor(journal) == journal.end.sequence
        }
        #expect(first.numbers.count == 1_234)
        #expect(first.numbers == first.numbers.sorted())
        let second = ScriptedOutlet()
        try await Self.run(second, journal, while: { try await Self.append(2, to: journal) }) {
            try await Self.cursor(journal) == journal.end.sequence && second.numbers.count == 2
        }
        #expect(second.numbers.count == 2)
        await journal.close()
    }

    @Test func aNewSinkBeginsAtTheEndWhereNothingElseIsSaid() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 5)
        let outlet = ScriptedOutlet()
        try await Self.run(
            outlet, journal, start: .end, while: { try await Self.append(1, to: journal) }
        ) { !outlet.numbers.isEmpty }
        #expect(outlet.numbers == [journal.end.sequence])
        await journal.close()
    }

    @Test func whatIsNotTakenIsGivenAgainBeforeAnythingElse() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 3)
        let outlet = ScriptedOutlet { number, before in
            number == 2 && before < 3
                ? .failure(.init(outcome: .later("away", after: before == 2 ? .seconds(90) : nil)))
                : .success(.taken)
        }
        let (ear, waits) = (Ear(), Waits())
        try await Self.run(outlet, journal, ear, waits) { try await Self.cursor(journal) == 3 }
        #expect(outlet.numbers == [1, 2, 2, 2, 2, 3])
        #expect(ear.notices == [.trouble("away"), .well])
        #expect(waits.durations.count == 3)
        // A wait that the server names is never shortened, but may be up to a quarter longer.
        let last = try #require(waits.durations.last)
        #expect((.seconds(90) ... .seconds(112.5)).contains(last))
        await journal.close()
    }

    @Test func whatIsRefusedForGoodIsADeadLetterAndTheRestGoesOn() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 4)
        let outlet = ScriptedOutlet { number, _ in
            .success(number == 2 || number == 4 ? .refused("why \(number)") : .taken)
        }
        let ear = Ear()
        try await Self.run(outlet, journal, ear) { try await Self.cursor(journal) == 4 }
        let letters = try await journal.deadLetters(of: "s", limit: 10)
        #expect(letters.map(\.reason) == ["why 2", "why 4"])
        #expect(letters.map(\.entry.sequence) == [2, 4])
        #expect(outlet.numbers == [1, 2, 3, 4])
        #expect(ear.warnings.count == 2)
        await journal.close()
    }

    /// Waits until it is cancelled, and then accepts the first event.
    private struct FinishingOutlet: DurableOutlet {
        let began: AsyncStream<Void>.Continuation

        func take(
            _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
        ) async -> TakeOutcome {
            began.yield()
            while !Task.isCancelled { await Task.yield() }
            settled(0, .taken)
            return .cancelled
        }
    }

    @Test func whatSettlesAfterARequestToStopIsRecorded() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 3)
        let (beginnings, began) = AsyncStream<Void>.makeStream()
        let runner = SinkRunner(
            name: "s", outlet: FinishingOutlet(began: began), journal: journal, start: .oldest,
            filter: EventFilter(), reporter: Ear().reporter, clock: Waits(),
            now: { EventTime(microsecondsSince1970: 0) })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            for await _ in beginnings { break }
            group.cancelAll()
        }
        #expect(try await Self.cursor(journal) == 1)
        await journal.close()
    }

    @Test func allDeadLettersAreSentAgainAlsoAfterARefusalForNow() async throws {
        let folder = try TemporaryFolder()
        let count = SinkRunner.pageLimit + 100
        let journal = try await Self.journal(folder, scans: count)
        let refusing = ScriptedOutlet { _, _ in .success(.refused("422")) }
        try await Self.run(refusing, journal) {
            try await Self.cursor(journal) == UInt64(count)
        }
        let file = try OfflineJournal(reading: folder.path("journal.sqlite"))
        var numbers: [Int64] = []
        try file.forEachDeadLetter(of: "s") { numbers.append($0.number) }
        try file.sendAgain(numbers)
        let outlet = ScriptedOutlet { number, before in
            if number == 7 { return .success(.refused("422 again")) }
            let isAway = [250, 550].contains(number) && before < 2
            return isAway ? .failure(.init(outcome: .later("away"))) : .success(.taken)
        }
        let (ear, waits) = (Ear(), Waits())
        try await Self.run(outlet, journal, ear, waits) {
            try await journal.deadLetters(of: "s", toBeSent: true, limit: 1).isEmpty
        }
        let left = try await journal.deadLetters(of: "s", limit: 10)
        #expect(left.map(\.entry.sequence) == [7])
        #expect(outlet.numbers.count == count + 4)
        #expect(waits.durations.count == 4)
        #expect(ear.notices == [.trouble("away"), .well])
        await journal.close()
    }

    /// The test damages the row with the epoch, so the journal is replaced and the old epoch is lost.
    @Test func aSinkOutlivesTheEpochOfItsJournal() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 3)
        let (outlet, ear) = (ScriptedOutlet(), Ear())
        try await Self.run(
            outlet, journal, ear,
            while: {
                #expect(await eventually { (try? await Self.cursor(journal)) == 3 })
                let former = journal.epoch
                let update = "UPDATE journal SET epoch = 'aaaaaaaaaaaa'"
                let changed = try TestFolders.run(
                    "sqlite3", folder.path("journal.sqlite"), update)
                #expect(changed.status == 0, "\(changed.output)")
                // The first to read finds the damage, which is this test or the sink.
                _ = try? await journal.oldest()
                #expect(await eventually { journal.epoch != former })
                try await Self.append(1, to: journal)
            }
        ) { outlet.numbers.last == journal.end.sequence && outlet.numbers.count > 3 }
        #expect(outlet.numbers == [1, 2, 3, journal.end.sequence])
        let isReported = ear.warnings.contains { $0.hasPrefix("the journal was replaced") }
        #expect(isReported, "\(ear.notices)")
        #expect(try await Self.cursor(journal) == journal.end.sequence)
        await journal.close()
    }

    @Test func aSinkThatRunsGoesOnWhereItIsAskedTo() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 5)
        let outlet = ScriptedOutlet()
        try await Self.run(
            outlet, journal,
            while: {
                #expect(await eventually { outlet.numbers == [1, 2, 3, 4, 5] })
                let behindTwo = Cursor(epoch: journal.epoch, sequence: 2)
                #expect(try await journal.requests.move("s", to: behindTwo))
                #expect(await eventually { outlet.numbers.count == 8 })
                try await Self.append(1, to: journal)
            }
        ) { try await Self.cursor(journal) == 6 }
        #expect(outlet.numbers == [1, 2, 3, 4, 5, 3, 4, 5, 6])
        await journal.close()
    }

    /// The sink would wait for a minute, but moving its cursor ends the wait at once.
    @Test func aSinkThatWaitsResumesWhereItIsAskedTo() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 3)
        let outlet = ScriptedOutlet { number, before in
            number == 3 && before == 0
                ? .failure(.init(outcome: .later("away", after: .seconds(60)))) : .success(.taken)
        }
        let ear = Ear()
        let runner = SinkRunner(
            name: "s", outlet: outlet, journal: journal, start: .oldest, filter: EventFilter(),
            reporter: ear.reporter, clock: ContinuousClock(),
            now: { EventTime(microsecondsSince1970: 0) })
        async let running: Void = runner.run()
        #expect(await eventually { !ear.troubles.isEmpty })
        let behindOne = Cursor(epoch: journal.epoch, sequence: 1)
        #expect(try await journal.requests.move("s", to: behindOne))
        #expect(await eventually { outlet.numbers == [1, 2, 3, 2, 3] })
        #expect(await eventually { ear.notices.last == .well })
        await journal.close()
        await running
    }

    @Test func aRequestThatCannotBeMetIsAnsweredAndTheSinkGoesOn() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 2)
        let outlet = ScriptedOutlet()
        let foreign = try #require(Cursor("zzzzzzzzzzzz-1"))
        try await Self.run(
            outlet, journal,
            while: {
                #expect(await eventually { outlet.numbers.count == 2 })
                await #expect(throws: JournalError.unknownEpoch(foreign)) {
                    _ = try await journal.requests.move("s", to: foreign)
                }
                #expect(try await !journal.requests.move("other", to: foreign))
                try await Self.append(1, to: journal)
            }
        ) { try await Self.cursor(journal) == 3 }
        #expect(outlet.numbers == [1, 2, 3])
        // The sink has ended.
        #expect(try await !journal.requests.move("s", to: foreign))
        await journal.close()
    }

    @Test func whatIsNotWantedIsPassedOver() async throws {
        let folder = try TemporaryFolder()
        let journal = try await Self.journal(folder, scans: 3)
        let outlet = ScriptedOutlet()
        try await Self.run(outlet, journal, filter: EventFilter(kinds: ["gs1"])) {
            try await Self.cursor(journal) == 3
        }
        #expect(outlet.numbers == [])
        await journal.close()
    }

    @Test func theWaitsDoubleUpToFiveMinutesAndBeginAnew() {
        var backoff = Backoff.ofSink
        let waits = (0..<12).map { _ in backoff.next(asked: nil, chance: 0) }
        let seconds: [Double] = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150, 150]
        #expect(waits == seconds.map { Duration.seconds($0) })
        #expect(backoff.next(asked: .seconds(100_000), chance: 0) == .seconds(3600))
        backoff.reset()
        #expect(backoff.next(asked: nil, chance: 0.5) == .milliseconds(750))
    }
}
