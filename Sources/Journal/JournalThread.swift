import Dispatch
import Events
import GRDB
import Synchronization

/// The journal's thread: carries out the steps of ``JournalWriter``, and sleeps in between.
///
/// It alone has the file open, to write and to read, so that no task of the daemon waits for a disk.
struct JournalThread: Sendable {
    private let settings: JournalSettings
    private let machine: JournalMachine
    private let check: JournalCheck
    private var lock: JournalLock?
    private var store: JournalStore?
    private var clock: JournalClock?

    /// Opens a file; if the disk fails, the thread tries again.
    ///
    /// - Throws: ``JournalError``, for a file that must be left alone.
    init(_ settings: JournalSettings, _ machine: JournalMachine, _ check: JournalCheck) throws {
        self.settings = settings
        self.machine = machine
        self.check = check
        do {
            try open()
            // Numbers must be reserved before the first is given.
            if let batch = machine.change({ $0.reserveNumbers() }) { try commit(batch) }
        } catch {
            if case .refusal(let error) = JournalTrouble(error) { throw error }
            fail(error)
        }
    }

    /// Carries out steps until the journal is closed.
    mutating func run() {
        while carryOut(machine.next()) {}
    }

    /// Carries out a step; returns false for the last.
    private mutating func carryOut(_ step: JournalWriter.Step) -> Bool {
        do {
            switch step {
            case .open: try open()
            case .replace(let damage, let epoch): try replace(damage, epoch)
            case .commit(let batch): try commit(batch)
            case .retain(let events, let letters): try retain(events, letters)
            case .read(let readings): read(readings)
            case .report(let notice): machine.report(notice)
            case .answer(let answer): answer.give()
            case .sleep(let end): machine.sleep(until: end)
            case .close(let reserved): close(reserved)
            case .end: return false
            }
        } catch {
            fail(error)
        }
        return true
    }

    private func fail(_ error: any Error) {
        let now = machine.now().uptime
        machine.change { $0.failed(error, at: now) }
    }

    private mutating func open() throws {
        if lock == nil {
            // Another program's file gets no lock beside it.
            try JournalFiles.refuseOthers(settings.file)
            lock = try JournalLock(on: settings.file)
        }
        try JournalExchange(unfinishedAt: settings.file)?.finish()
        var store = try JournalStore(opening: settings.file, now: machine.now())
        var replacement: JournalReplacement?
        if let lock { (self.lock, replacement) = try store.settle(beside: lock) }
        let retention = machine.state.withLock { $0.retention }
        try store.change { try CursorRow.repair(for: retention.sinks, $0) }
        use(store)
        machine.change { [state = store.state, replacement] in $0.opened(state, replacement) }
    }

    private mutating func use(_ store: JournalStore) {
        self.store = store
        clock = JournalClock(
            after: store.state.moment, now: machine.now(), days: settings.keep.days)
    }

    private mutating func replace(_ damage: Damage, _ epoch: Epoch) throws {
        store?.close()
        store = nil
        check.stop()
        let now = machine.now()
        let salvage = try JournalSalvage(settings.file)
        let highest = damage.hidesTheEnd ? nil : lock?.highest(salvage.remains.highest)
        salvage.close()
        let (numbers, sinks) = machine.change {
            ($0.numbersOfReplacement(after: highest, wall: now.wall), $0.retention.sinks)
        }
        let result = try JournalReplacing.run(
            path: settings.file, sinks: sinks, damage: damage, epoch: epoch, given: numbers.given,
            below: numbers.first, at: now.time, progress: machine.answer)
        var store = result.store
        store.lock = lock
        use(store)
        try? lock?.record(JournalWitness(epoch: epoch, reserved: store.state.reserved))
        machine.change { $0.replaced(result.store.state, result.replacement) }
    }

    private mutating func commit(_ batch: JournalWriter.Batch) throws {
        guard var store else { return }
        let moment = advanceClock()
        let newest = store.state.newest.sequence
        let refused = try store.commit(
            batch.entries.filter { $0.sequence > newest }, batch.changes, reserved: batch.reserved,
            at: moment)
        self.store = store
        let now = machine.now().uptime
        machine.change { [state = store.state] in
            $0.committed(state, refused: refused, at: now)
        }
    }

    private mutating func retain(_ areEventsShrinking: Bool?, _ areLettersShrinking: Bool?) throws {
        guard var store else { return }
        defer { self.store = store }
        let retention = machine.state.withLock { $0.retention }
        var letters: Retention.Outcome?
        var events: Retention.Outcome?
        if let isShrinking = areLettersShrinking {
            letters = try retention.removeLetters(from: &store, isShrinking: isShrinking)
        }
        if let isShrinking = areEventsShrinking {
            _ = advanceClock()
            events = try retention.removeEvents(
                from: &store, isShrinking: isShrinking,
                cutoff: clock?.cutoff(days: retention.days) ?? .min)
        }
        let now = machine.now().uptime
        machine.change { [events, letters] in
            $0.retained(events: events, letters: letters, at: now)
        }
    }

    private mutating func advanceClock() -> JournalClock.Moment? {
        let days = machine.state.withLock { $0.retention.days }
        let now = machine.now()
        clock?.advance(to: now, days: days)
        return clock?.moment
    }

    private func read(_ readings: [JournalWriter.Reading]) {
        let (trouble, isClosed, epoch) = machine.state.withLock {
            ($0.trouble, $0.isClosed, $0.epoch)
        }
        let missing: JournalTrouble =
            isClosed ? .refusal(.closed) : trouble ?? .failure("it is not open")
        let source: Result<JournalStore, JournalTrouble> =
            store.map { .success($0) } ?? .failure(missing)
        let damage = readings.compactMap { $0(source) }
        if let first = damage.first { machine.change { $0.found(first, in: epoch) } }
    }

    private mutating func close(_ reserved: UInt64) {
        // The last connection to close folds the log into the file.
        check.stop()
        if var store {
            // After an orderly end, the next start skips no number.
            _ = try? store.commit([], reserved: reserved, at: advanceClock())
            store.close()
        }
        store = nil
        lock?.release()
        machine.change { $0.closed() }
    }
}

/// The state machine, shared by callers and the thread, and what the thread needs from outside.
final class JournalMachine: Sendable {
    let state: Mutex<JournalWriter>
    let now: @Sendable () -> JournalClock.Reading
    let report: @Sendable (JournalNotice) -> Void
    private let wakeup = DispatchSemaphore(value: 0)

    init(
        _ writer: JournalWriter, now: @escaping @Sendable () -> JournalClock.Reading,
        report: @escaping @Sendable (JournalNotice) -> Void
    ) {
        state = Mutex(writer)
        self.now = now
        self.report = report
    }

    /// Changes the state, and wakes the thread if that gives it work.
    func change<Value: Sendable>(_ body: (inout JournalWriter) -> Value) -> Value {
        let (value, isToBeWoken) = state.withLock { (body(&$0), $0.wake()) }
        if isToBeWoken { wakeup.signal() }
        return value
    }

    func next() -> JournalWriter.Step {
        let now = now().uptime
        return state.withLock { $0.next(at: now) }
    }

    /// Gives the answers that need not wait for the step under way.
    func answer() {
        for answer in state.withLock({ $0.takeAnswers() }) { answer.give() }
    }

    func sleep(until end: Int64?) {
        guard let end else { return wakeup.wait() }
        _ = wakeup.wait(timeout: .now() + .microseconds(Int(max(0, end - now().uptime))))
    }
}

/// Reads the whole file once, on a thread that ends with it: rot is found before someone needs the events.
final class JournalCheck: Sendable {
    private struct State {
        var queue: DatabaseQueue?
        var isStopped = false
    }

    private let state = Mutex(State())
    private let hasEnded = DispatchSemaphore(value: 0)
    private let (endings, ending) = AsyncStream<Never>.makeStream()

    /// Starts the thread; `found` gets the first damage.
    func start(_ path: String, _ found: @escaping @Sendable (Damage) -> Void) throws {
        try WaitingThread.start {
            do {
                try self.run(path)
            } catch {
                if case .damage(let damage) = JournalTrouble(error) { found(damage) }
            }
            self.ending.finish()
            self.hasEnded.signal()
        }
    }

    /// Returns once the file was read.
    func ended() async { for await _ in endings {} }

    /// Ends the check, and returns once its connection is closed.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.queue?.interrupt()
        }
        hasEnded.wait()
        hasEnded.signal()
    }

    private func run(_ path: String) throws {
        let queue = try JournalConnection.reading(path: path)
        defer { JournalConnection.close(queue) }
        let isStopped = state.withLock { state in
            state.queue = queue
            return state.isStopped
        }
        defer { state.withLock { $0.queue = nil } }
        guard !isStopped else { return }
        try queue.read { db in
            let found = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
            if let text = found.first, text != "ok" {
                throw Damage("SQLite: \(text.replacing("\n", with: " "))")
            }
            _ = try EpochRow.all(db)
            try DeadLetterRow.forEach(of: nil, db) { _ in }
        }
        var cursor: Cursor?
        while !state.withLock({ $0.isStopped }) {
            let page = try queue.read { db in
                try PageReading(db).page(after: cursor, limit: Retention.step)
            }
            if page.entries.isEmpty { return }
            cursor = page.next
        }
    }
}
