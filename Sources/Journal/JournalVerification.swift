import Dispatch
import Events
import GRDB
import Synchronization
import WireText

/// Something that is wrong with a journal.
package enum JournalFinding: Equatable, Sendable {
    /// An event is not as it was written.
    case changed(UInt64)
    /// Events between two others are missing; 0 for the beginning, nil for the end.
    case missing(after: UInt64, before: UInt64?)
    /// Something other than an event: what, in words.
    case other(String)

    /// The finding in words that continue "it is damaged:".
    var reason: String {
        switch self {
        case .changed(let sequence): "the event \(sequence) has changed"
        case .missing(0, let before?): "events before \(before) are missing"
        case .missing(let after, let before?): "events between \(after) and \(before) are missing"
        case .missing(let after, nil): "events after \(after) are missing"
        case .other(let text): text
        }
    }
}

extension JournalFinding: CustomStringConvertible {
    /// One sentence.
    package var description: String { reason.prefix(1).uppercased() + reason.dropFirst() + "." }
}

/// Reads a whole journal: every row, and whether events are missing between them.
struct JournalVerification {
    /// The number of events.
    private(set) var count = 0
    let report: (JournalFinding) -> Void

    init(_ report: @escaping (JournalFinding) -> Void) { self.report = report }

    /// Reads everything in one state of the file, unless it is stopped before.
    mutating func run(_ db: Database, isStopped: () -> Bool = { false }) {
        let structure = try? String.fetchAll(db, sql: "PRAGMA quick_check(10)")
        for text in structure ?? ["cannot be read"] where text != "ok" {
            report(.other("SQLite: \(text.quoted())"))
        }
        let bounds = try? JournalBounds(db)
        if bounds == nil { report(.other("the journal's first row has changed")) }
        var last = bounds?.removed.sequence
        var scan = RowScan()
        while !isStopped(), let rows = scan.next(db) {
            for found in rows { check(found, after: &last) }
        }
        if !isStopped(), let bounds, let last, last < bounds.newest.sequence {
            report(.missing(after: last, before: nil))
        }
        expect("a cursor cannot be read") { _ = try CursorRow.all(db) }
        expect("an earlier epoch has changed") { _ = try EpochRow.fetchAll(db) }
        expect("a lost range has changed") { _ = try LostRange.all(db) }
        expect("a dead letter has changed") { try DeadLetterRow.forEach(of: nil, db) { _ in } }
    }

    private mutating func check(_ found: RowScan.Found, after last: inout UInt64?) {
        count += 1
        if let row = found.row {
            if let last, row.previous != last {
                report(.missing(after: last, before: found.sequence))
            }
        } else {
            report(.changed(found.sequence))
        }
        last = found.sequence
    }

    private func expect(_ finding: String, _ body: () throws -> Void) {
        do { try body() } catch { report(.other(finding)) }
    }
}

/// Verifies the whole file once, on a thread that ends with it: rot is found before someone needs the
/// events.
final class BackgroundCheck: Sendable {
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
            // A file that cannot be opened is reported by the journal's thread.
            if let finding = try? self.run(path) { found(Damage(finding.reason)) }
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

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Returns the first finding, unless the check is stopped.
    private func run(_ path: String) throws -> JournalFinding? {
        let queue = try JournalConnection.reading(path: path)
        defer { JournalConnection.close(queue) }
        state.withLock { $0.queue = queue }
        defer { state.withLock { $0.queue = nil } }
        var first: JournalFinding?
        if !isStopped {
            try queue.read { db in
                var verification = JournalVerification { first = first ?? $0 }
                verification.run(db) { first != nil || isStopped }
            }
        }
        return isStopped ? nil : first
    }
}
