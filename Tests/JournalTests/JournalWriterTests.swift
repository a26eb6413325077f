import Events
import Synchronization
import Testing

@testable import Journal

/// Tests the journal's state machine without a disk and without a thread.
@Suite final class JournalWriterTests {
    private var writer = JournalWriter(
        path: "/j", retention: Retention(settings: JournalSettings(file: "/j"), sinks: []))
    private var state = JournalBounds(
        epoch: .new(), reserved: 0, moment: JournalClock.Moment(time: 0, wall: 0))
    private var now: Int64 = 0

    private struct Failure: Error, CustomStringConvertible {
        let description = "no"
    }

    /// The kind of a step, which tests can compare.
    private enum Kind: Equatable {
        case open, replace, reserve, retain, read, close, end
        case commit([UInt64])
        case report(JournalNotice)
        case answer
        case sleep(Int64?)

        init(_ step: JournalStep) {
            self =
                switch step {
                case .open: .open
                case .replace: .replace
                case .reserve: .reserve
                case .commit(let batch): .commit(batch.entries.map(\.sequence))
                case .retain: .retain
                case .read: .read
                case .report(let notice): .report(notice)
                case .answer: .answer
                case .sleep(let end): .sleep(end)
                case .close: .close
                case .end: .end
                }
        }
    }

    /// Collects the results that a waiting caller receives; an error becomes nil.
    private final class Results: Sendable {
        private let results = Mutex<[Bool?]>([])
        var all: [Bool?] { results.withLock { $0 } }
        func add(_ result: Result<Bool, any Error>) {
            results.withLock { $0.append(try? result.get()) }
        }
    }

    private func next() -> Kind {
        let step = writer.next(at: now)
        if case .answer(let answer) = step { answer() }
        return Kind(step)
    }

    /// Opens the file, reserves the first numbers, and runs retention.
    private func open() {
        #expect(next() == .open)
        writer.opened(state)
        #expect(next() == .reserve)
        reserve()
        #expect(next() == .retain)
        retain(Retention.Outcome())
    }

    private func reserve() {
        writer.reserved(upTo: writer.numbers.last + SequenceNumbers.blockSize)
    }

    private func succeed(upTo sequence: UInt64) {
        state.newest.sequence = sequence
        writer.committed(state, refused: [:], loss: nil, at: now)
    }

    private func retain(_ outcome: Retention.Outcome) { writer.retained(outcome, at: now) }

    @discardableResult private func append(
        sequence: UInt64? = nil, type: EventType = .scan, bytes: Int = 10
    ) -> UInt64 {
        let sequence = sequence ?? writer.numbers.next { 0 }
        writer.append(
            JournalEntry(
                sequence: sequence, source: "s", id: "\(sequence)", type: type,
                time: EventTime(microsecondsSince1970: 0),
                line: Array(repeating: 0x20, count: bytes)))
        return sequence
    }

    private func wait(_ condition: JournalWaiters.Condition) -> Results {
        let results = Results()
        if let result = writer.wait(for: condition, id: writer.waiters.newID(), results.add) {
            results.add(result)
        }
        return results
    }

    @Test func whatIsPendingIsCommittedTogether() {
        open()
        #expect(next() == .sleep(nil))
        append()
        append()
        let first = wait(.committed(1))
        let third = wait(.committed(3))
        let isWoken = writer.wake()
        #expect(isWoken)
        #expect(next() == .commit([1, 2]))
        // No caller gets an answer until the commit is on the disk.
        #expect(writer.takeAnswers().isEmpty)
        append()
        succeed(upTo: 2)
        #expect(next() == .answer)
        #expect(first.all == [true])
        #expect(third.all == [])
        #expect(next() == .commit([3]))
    }

    @Test func aFailingDiskIsReportedOnceAndTriedAgainAfterLongerAndLongerPauses() {
        open()
        append()
        for pause: Int64 in [1, 2, 4, 8, 16, 30, 30] {
            #expect(next() == .commit([1]))
            writer.failed(Failure(), at: now)
            if pause == 1 {
                #expect(next() == .report(.failing(reason: "The journal \"/j\" failed: no.")))
            }
            #expect(next() == .sleep(now + pause * 1_000_000))
            now += pause * 1_000_000
        }
        #expect(next() == .commit([1]))
        succeed(upTo: 1)
        #expect(next() == .report(.recovered))
    }

    @Test func eventsWithNumbersOfEventsInTheFileAreReportedAsLost() {
        #expect(next() == .open)
        writer.failed(Failure(), at: now)
        // The clock from which `append()` takes these numbers stands at 0.
        append()
        append()
        let waiting = wait(.committed(2))
        state.reserved = 200
        state.newest.sequence = 100
        writer.opened(state)
        append()
        let loss = JournalLoss(place: .memory, policy: .oldest, first: 1, last: 2, count: 2)
        var steps: [Kind] = []
        while steps.last != .reserve { steps.append(next()) }
        #expect(steps.contains(.report(.full(loss))))
        reserve()
        #expect(waiting.all == [false])
        #expect(wait(.committed(2)).all == [false])
        #expect(next() == .commit([201]))
        succeed(upTo: 201)
        // The number of this event was assigned before the file was open.
        append(sequence: 3)
        #expect(wait(.committed(3)).all == [false])
        #expect(!(0..<3).map { _ in next() }.contains(.commit([3])))
    }

    @Test func eventsThatDamageMadeWaitAgainAreNotLost() {
        open()
        append()
        #expect(next() == .commit([1]))
        writer.failed(Damage("x"), at: now)
        #expect(next() == .replace)
        // The commit had reached the disk, so the copy contains it.
        state.newest.sequence = 1
        writer.opened(state)
        #expect(wait(.committed(1)).all == [true])
        let steps = (0..<3).map { _ in next() }
        #expect(!steps.contains { if case .report(.full) = $0 { true } else { false } })
    }

    @Test func readingsDoNotWaitForAFailingDisk() {
        open()
        append()
        #expect(next() == .commit([1]))
        writer.failed(Failure(), at: now)
        _ = next()
        let isAppended = writer.append({ _ in nil })
        #expect(isAppended)
        #expect(next() == .read)
    }

    @Test func memoryHoldsTheNewestEventsAndReportsTheLostRangeTwiceAtMost() {
        open()
        append()
        #expect(next() == .commit([1]))
        writer.failed(Failure(), at: now)
        _ = next()
        for _ in 0..<PendingEvents.limit + 4 { append() }
        func loss(_ first: UInt64, _ last: UInt64) -> Kind {
            .report(
                .full(
                    JournalLoss(
                        place: .memory, policy: .oldest, first: first, last: last,
                        count: Int(last - first + 1), sinks: [])))
        }
        #expect(next() == loss(1, 5))
        for _ in 0..<7 { append() }
        #expect(next() == .sleep(now + 1_000_000))
        now += 1_000_000
        let all = UInt64(PendingEvents.limit) + 12
        #expect(next() == .reserve)
        reserve()
        #expect(next() == .report(.recovered))
        guard case .commit(let numbers) = next() else {
            Issue.record("expected a commit")
            return
        }
        #expect(numbers == Array(13...all))
        succeed(upTo: all)
        #expect(next() == loss(6, 12))
    }

    @Test func aFullJournalGivesUpNewEventsButNotTheReportOfIt() {
        writer.keep(
            Retention(settings: JournalSettings(file: "/j", whenFull: .newest), sinks: ["erp"]))
        open()
        append()
        #expect(next() == .commit([1]))
        succeed(upTo: 1)
        writer.keep(writer.retention)
        #expect(next() == .retain)
        retain(Retention.Outcome(isShrinking: true, isFull: true))
        append()
        let waiting = wait(.committed(2))
        #expect(waiting.all == [false])
        let newer = wait(.newer(1))
        #expect(
            next()
                == .report(
                    .full(
                        JournalLoss(
                            place: .journal, policy: .newest, first: 2, last: 2, count: 1, sinks: []
                        ))))
        append(type: .journalFull)
        #expect(next() == .commit([3]))
        succeed(upTo: 3)
        #expect(next() == .answer)
        #expect(newer.all == [true])
        // The report itself was not lost, so the journal reports nothing more.
        #expect(next() == .sleep(nil))
    }

    @Test func oneRangeOfRemovedEventsIsOneReportHoweverManyStepsItTook() {
        open()
        writer.keep(writer.retention)
        func loss(_ range: ClosedRange<UInt64>, _ sinks: [String]) -> JournalLoss {
            JournalLoss(
                place: .journal, policy: .oldest, first: range.lowerBound, last: range.upperBound,
                count: range.count, sinks: sinks)
        }
        for range in [1...500 as ClosedRange<UInt64>, 501...1_000, 1_001...1_200] {
            #expect(next() == .retain)
            retain(
                Retention.Outcome(hasMore: true, isShrinking: true, loss: loss(range, ["erp"])))
        }
        #expect(next() == .retain)
        retain(Retention.Outcome())
        #expect(next() == .report(.full(loss(1...1_200, ["erp"]))))
        #expect(next() == .sleep(nil))
    }

    @Test func roomIsThereOnceAQuarterOfMemoryIsFree() {
        open()
        for _ in 0..<PendingEvents.limit / 4 * 3 { append() }
        let room = wait(.room)
        #expect(room.all == [])
        #expect(next() == .reserve)
        reserve()
        guard case .commit = next() else {
            Issue.record("expected a commit")
            return
        }
        #expect(next() == .answer)
        #expect(room.all == [true])
    }

    @Test func roomIsNotWaitedForWhileTheDiskFails() {
        open()
        for _ in 0..<PendingEvents.limit / 4 * 3 { append() }
        let settled = wait(.settled(1))
        _ = next()
        writer.failed(Failure(), at: now)
        #expect(wait(.room).all == [true])
        for _ in 0..<2 { _ = next() }
        #expect(settled.all == [false])
    }

    @Test func damageIsReplacedAtOnceAndASecondTimeAfterAPause() {
        open()
        let epoch = state.epoch
        append()
        writer.found(Damage("rot"), in: .new())
        #expect(next() == .commit([1]))
        writer.failed(Damage("rot"), at: now)
        #expect(next() == .replace)
        state.epoch = .new()
        writer.opened(
            state,
            JournalReplacement(
                reason: "rot", file: "/j.damaged", taken: 0, holes: 0, ended: epoch,
                epoch: state.epoch))
        #expect(writer.epoch != epoch)
        guard case .report(.replaced) = next() else {
            Issue.record("expected the report of the replacement")
            return
        }
        #expect(next() == .commit([1]))
        writer.failed(Damage("rot"), at: now)
        guard case .report(.failing) = next() else {
            Issue.record("expected the report of a failing disk")
            return
        }
        #expect(next() == .sleep(now + 1_000_000))
    }

    @Test func theEndTriesOnceMoreAndThenCloses() {
        open()
        append()
        #expect(next() == .commit([1]))
        writer.failed(Failure(), at: now)
        _ = next()
        #expect(next() == .sleep(now + 1_000_000))
        let waiting = wait(.committed(1))
        writer.end()
        let isWoken = writer.wake()
        #expect(isWoken)
        #expect(next() == .commit([1]))
        writer.failed(Failure(), at: now)
        #expect(next() == .close)
        writer.closed()
        #expect(next() == .answer)
        #expect(waiting.all == [nil])
        #expect(next() == .end)
        #expect(writer.pending.entries.count == 1)
        #expect(wait(.committed(1)).all == [nil])
    }

    @Test func theEndReportsTheRestOfALossThatGoesOn() {
        writer.keep(
            Retention(settings: JournalSettings(file: "/j", whenFull: .newest), sinks: ["erp"]))
        open()
        writer.keep(writer.retention)
        #expect(next() == .retain)
        retain(Retention.Outcome(isShrinking: true, isFull: true))
        func loss(_ first: UInt64, _ last: UInt64) -> Kind {
            .report(
                .full(
                    JournalLoss(
                        place: .journal, policy: .newest, first: first, last: last,
                        count: Int(last - first + 1))))
        }
        append()
        #expect(next() == loss(1, 1))
        for _ in 0..<3 { append() }
        writer.end()
        #expect(next() == .close)
        writer.closed()
        #expect(next() == loss(2, 4))
        #expect(next() == .end)
    }
}
