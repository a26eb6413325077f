import Dispatch
import Events
import GRDB
import Synchronization

enum JournalStep: Sendable {
    case open
    case replace(Damage, epoch: Epoch)
    /// Record in the file that the journal may assign numbers up to this one.
    case reserve(UInt64)
    case commit(Batch)
    case retain(isShrinking: Bool)
    case read([Reading])
    case report(JournalNotice)
    case answer(@Sendable () -> Void)
    case sleep(until: Int64?)
    /// Close the file, and record that no event number above `last` was assigned, so that the next start skips none.
    case close(last: UInt64)
    case end

    struct Batch: Sendable {
        var entries: [JournalEntry] = []
        var changes: [JournalChange] = []
    }

    /// A function that reads the journal's file and returns the damage it finds, if any.
    typealias Reading = @Sendable (Result<JournalDatabase, JournalError>) -> Damage?
}

/// The journal's thread, which carries out the steps of ``JournalWriter``, and sleeps in between.
///
/// In the daemon, only this thread writes events, and only it and ``BackgroundCheck`` read them, so a slow disk
/// blocks none of the daemon's tasks.
struct JournalThread: Sendable {
    private let path: String
    private let writer: SharedWriter
    private let check: BackgroundCheck
    private var marker: JournalMarker?
    private var database: JournalDatabase?
    private var clock: JournalClock?

    /// Opens a journal; the thread later repairs a damaged file, or retries if the disk fails.
    init(_ path: String, _ writer: SharedWriter, _ check: BackgroundCheck) throws {
        self.path = path
        self.writer = writer
        self.check = check
        do {
            try open()
            // Numbers must be reserved before the first is assigned.
            if let wanted = writer.state.withLock({ $0.numbers.wanted }) { try reserve(wanted) }
        } catch {
            let error = JournalError(error, path: path)
            switch error {
            case .notAJournal, .newerSchema, .inUse: throw error
            default:
                // The file cannot be read, but the marker contains an upper bound on the numbers in it.
                if let last = marker?.content?.reserved {
                    writer.change { $0.numbers.skip(to: last) }
                }
                fail(error)
            }
        }
    }

    consuming func run() { while carryOut(writer.next()) {} }

    private mutating func carryOut(_ step: JournalStep) -> Bool {
        do {
            switch step {
            case .open: try open()
            case .replace(let damage, let epoch): try replace(damage, epoch)
            case .reserve(let number): try reserve(number)
            case .commit(let batch): try commit(batch)
            case .retain(let isShrinking): try retain(isShrinking)
            case .read(let readings): read(readings)
            case .report(let notice): writer.report(notice)
            case .answer(let answer): answer()
            case .sleep(let end): writer.sleep(until: end)
            case .close(let last): close(last)
            case .end: return false
            }
        } catch {
            fail(error)
        }
        return true
    }

    private func fail(_ error: any Error) { writer.change { $0.failed(error, at: now) } }
    private var now: Int64 { writer.now().uptime }

    private mutating func open() throws {
        let damage = try JournalSchema.recognize(path)
        // The marker must not appear beside another program's file.
        let marker = try marker ?? JournalMarker(beside: path)
        self.marker = marker
        try JournalExchange(unfinishedAt: path)?.finish()
        if let damage { throw damage }
        var report: JournalReplacement?
        do {
            database = try JournalDatabase(opening: path, wall: writer.now().wall)
        } catch is FormerSchema {
            report = try copy(nil, .new())
            database = try JournalDatabase(opening: path, wall: writer.now().wall)
        }
        guard var database = self.database.take() else { return }
        do {
            report = try marker.settle(&database) ?? report
            self.marker = try marker.renewed(for: database.bounds)
            let sinks = writer.state.withLock { $0.retention.sinks }
            try database.write { db, _ in try CursorRow.repair(for: sinks, db) }
        } catch {
            database.close()
            throw error
        }
        use(database, report)
    }

    private mutating func use(_ database: JournalDatabase, _ report: JournalReplacement?) {
        self.database = database
        let days = writer.state.withLock { $0.retention.days }
        clock = JournalClock(after: database.bounds.moment, now: writer.now(), days: days)
        writer.change { $0.opened(database.bounds, report) }
        check.start(path) { [writer, epoch = database.bounds.epoch] damage in
            writer.change { $0.found(damage, in: epoch) }
        }
    }

    private mutating func replace(_ damage: Damage, _ epoch: Epoch) throws {
        database.take()?.close()
        check.stop()
        let report = try copy(damage, epoch)
        let database = try JournalDatabase(opening: path, wall: writer.now().wall)
        try? marker?.record(database.bounds.epoch, database.bounds.reserved)
        use(database, report)
    }

    private func copy(_ damage: Damage?, _ epoch: Epoch) throws -> JournalReplacement? {
        var copy = try JournalCopy(of: path)
        let now = writer.now()
        let highest =
            marker?.highest(copy.bounds)
            ?? max(copy.bounds?.reserved ?? 0, UInt64(max(0, now.wall)))
        let order = writer.state.withLock { state in
            let numbers = state.numbers
            // Once the file has been opened, this process assigns only numbers above those in the file.
            let isHighest = state.pending.floor != nil && numbers.last > 0
            let last = isHighest ? numbers.last : max(numbers.last, highest)
            return JournalCopy.Order(
                damage: damage, epoch: epoch, reserved: max(last, numbers.reserved),
                next: state.pending.entries.first?.sequence ?? last + 1,
                sinks: state.retention.sinks, now: now)
        }
        return try copy.run(order, progress: writer.answer)
    }

    private mutating func reserve(_ number: UInt64) throws {
        try database?.write { $1.reserved = max($1.reserved, number) }
        // The journal comes first: a marker with higher numbers means that the journal is a copy.
        if let bounds = database?.bounds { try marker?.record(bounds.epoch, bounds.reserved) }
        writer.change { $0.reserved(upTo: number) }
    }

    private mutating func commit(_ batch: JournalStep.Batch) throws {
        let retention = advanceClock()
        let result = try database?.commit(
            batch.entries, batch.changes, letterLimit: retention.letterLimit, at: clock?.moment)
        guard let (refused, loss) = result, let bounds = database?.bounds else { return }
        writer.change { $0.committed(bounds, refused: refused, loss: loss, at: now) }
    }

    private mutating func retain(_ isShrinking: Bool) throws {
        let retention = advanceClock()
        guard var database, let clock else { return }
        defer { self.database = database }
        let cutoff = clock.cutoff(days: retention.days)
        let outcome = try retention.step(in: &database, isShrinking: isShrinking, cutoff: cutoff)
        writer.change { $0.retained(outcome, at: now) }
    }

    private mutating func advanceClock() -> Retention {
        let retention = writer.state.withLock { $0.retention }
        clock?.advance(to: writer.now(), days: retention.days)
        return retention
    }

    private func read(_ readings: [JournalStep.Reading]) {
        let (reason, epoch) = writer.state.withLock { ($0.obstacle, $0.epoch) }
        let source = database.map(Result.success) ?? .failure(reason)
        let damage = readings.compactMap { $0(source) }
        if let first = damage.first { writer.change { $0.found(first, in: epoch) } }
    }

    private mutating func close(_ last: UInt64) {
        // The check's connection must close first, because only the last one to close merges the log.
        check.stop()
        if var database = database.take() {
            _ = advanceClock()
            // After an orderly end, the next start does not skip numbers.
            let isRecorded: Void? = try? marker?.record(database.bounds.epoch, last)
            try? database.write { [clock] _, bounds in
                if isRecorded != nil { bounds.reserved = last }
                if let clock { bounds.moment = clock.moment }
            }
            database.close()
        }
        marker?.release()
        writer.change { $0.closed() }
    }
}

/// The state machine that callers share with the journal's thread.
final class SharedWriter: Sendable {
    let state: Mutex<JournalWriter>
    let now: @Sendable () -> ClockReading
    let report: @Sendable (JournalNotice) -> Void
    private let wakeup = DispatchSemaphore(value: 0)

    init(
        _ writer: JournalWriter, now: @escaping @Sendable () -> ClockReading,
        report: @escaping @Sendable (JournalNotice) -> Void
    ) {
        state = Mutex(writer)
        self.now = now
        self.report = report
    }

    /// Changes the state, and wakes the thread if it now has work.
    func change<Value: Sendable>(_ body: (inout JournalWriter) -> Value) -> Value {
        let (value, isToBeWoken) = state.withLock { (body(&$0), $0.wake()) }
        if isToBeWoken { wakeup.signal() }
        return value
    }

    func next() -> JournalStep {
        let now = now().uptime
        return state.withLock { $0.next(at: now) }
    }

    func answer() { for answer in state.withLock({ $0.takeAnswers() }) { answer() } }

    func sleep(until end: Int64?) {
        guard let end else { return wakeup.wait() }
        _ = wakeup.wait(timeout: .now() + .microseconds(Int(max(0, end - now().uptime))))
    }
}
