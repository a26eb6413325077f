import Dispatch
import Events
import GRDB
import Synchronization
import WireText

/// A check of an entire journal for changed rows and missing events.
struct JournalVerification {
    let found: (Damage) -> Void
    private(set) var count = 0

    mutating func run(_ db: Database, isStopped: () -> Bool = { false }) {
        let structure = try? String.fetchAll(db, sql: "PRAGMA quick_check(10)")
        for text in structure ?? ["cannot be read"] where text != "ok" {
            report("SQLite: \(text.quoted())")
        }
        let bounds = try? JournalBounds(db)
        if bounds == nil { report("the journal's first row has changed") }
        var last = bounds?.removed.sequence
        var scan = RowScan()
        while !isStopped(), let rows = scan.next(db) {
            for found in rows { check(found, after: &last) }
        }
        if let bounds, let last, last < bounds.newest.sequence, !isStopped() {
            report("events after \(last) are missing")
        }
        expect("a cursor cannot be read") { _ = try CursorRow.all(db) }
        expect("an earlier epoch has changed") { _ = try EpochRow.fetchAll(db) }
        expect("a lost range has changed") { _ = try LostRange.all(db) }
        expect("a dead letter has changed") { try DeadLetter.forEach(of: nil, db) { _ in } }
    }

    private mutating func check(_ found: RowScan.Found, after last: inout UInt64?) {
        count += 1
        if found.row == nil { report("the event \(found.sequence) has changed") }
        if let last, let row = found.row, row.previous != last {
            let place = last == 0 ? "before" : "between \(last) and"
            report("events \(place) \(found.sequence) are missing")
        }
        last = found.sequence
    }

    private func expect(_ finding: String, _ body: () throws -> Void) {
        do { try body() } catch { report(finding) }
    }

    private func report(_ reason: String) { found(Damage(reason)) }
}

/// A check of the journal for damage, which runs once on a thread of its own.
final class BackgroundCheck: Sendable {
    private let state = Mutex((queue: DatabaseQueue?.none, isStarted: false, isStopped: false))
    private let hasEnded = DispatchSemaphore(value: 0)
    private let (endings, ending) = AsyncStream<Never>.makeStream()

    /// Starts the check, which calls `found` with the first damage; later calls do nothing.
    ///
    /// Call this only after opening the journal. Opening it closes descriptors of the file, which would release the
    /// check's locks.
    func start(_ path: String, _ found: @escaping @Sendable (Damage) -> Void) {
        let mayStart = state.withLock { state in
            guard !state.isStarted, !state.isStopped else { return false }
            state.isStarted = true
            return true
        }
        guard mayStart else { return }
        do {
            try WaitingThread.start {
                if let damage = try? self.run(path) { found(damage) }
                self.finish()
            }
        } catch {
            // Without the check, damage is found only when events are read.
            finish()
        }
    }

    private func finish() {
        ending.finish()
        hasEnded.signal()
    }

    func ended() async { for await _ in endings {} }

    /// Ends the check and waits until its connection is closed.
    func stop() {
        let wasStarted = state.withLock { state in
            state.isStopped = true
            state.queue?.interrupt()
            return state.isStarted
        }
        guard wasStarted else { return ending.finish() }
        hasEnded.wait()
        hasEnded.signal()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Returns the first damage found; nil if the journal is undamaged or the check is stopped.
    private func run(_ path: String) throws -> Damage? {
        let queue = try JournalConnection.open(path)
        defer { JournalConnection.close(queue) }
        state.withLock { $0.queue = queue }
        defer { state.withLock { $0.queue = nil } }
        var first: Damage?
        var verification = JournalVerification(found: { first = first ?? $0 })
        do {
            if !isStopped { try queue.read { verification.run($0) { first != nil || isStopped } } }
        } catch {
            // After an unreadable page, SQLite cannot end the transaction either. Other errors may be temporary.
            if first == nil || JournalError(error, path: path).damage == nil { throw error }
        }
        return isStopped ? nil : first
    }
}
