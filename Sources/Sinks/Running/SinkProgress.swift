import Journal
import Synchronization

/// How far a page of events has come: set on the outlet's thread, recorded in the journal by a task.
final class SinkProgress: Sendable {
    /// What is to be recorded.
    enum Step: Equatable {
        /// Everything up to here is settled.
        case reached(Cursor)
        /// An event is refused for good; everything before it is settled.
        case refused(JournalEntry, String)
    }

    private struct State {
        /// What is settled and not recorded yet.
        var steps: [Step] = []
        var reached: Cursor?

        mutating func reach(_ cursor: Cursor) {
            reached = cursor
            if case .reached = steps.last { steps.removeLast() }
            steps.append(.reached(cursor))
        }
    }

    /// Has an element when there is something to record, and ends when nothing more will come.
    let changes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let entries: [JournalEntry]
    private let end: Cursor
    private let state = Mutex(State())

    init(_ entries: [JournalEntry], end: Cursor) {
        self.entries = entries
        self.end = end
        (changes, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// After the last event that is settled; nil if none is.
    var reached: Cursor? { state.withLock { $0.reached } }

    /// Adds the verdict on the next event.
    func settle(_ index: Int, _ verdict: Verdict) {
        let entry = entries[index]
        let cursor = Cursor(epoch: end.epoch, sequence: entry.sequence)
        state.withLock { state in
            switch verdict {
            case .taken: state.reach(cursor)
            case .refused(let reason):
                state.reached = cursor
                state.steps.append(.refused(entry, reason))
            }
        }
        signal.yield()
    }

    /// Ends it; the cursor passes a page that is settled whole, with unwanted events at its end.
    func finish(isWhole: Bool) {
        if isWhole {
            state.withLock { $0.reach(end) }
            signal.yield()
        }
        signal.finish()
    }

    /// Removes and returns what is to be recorded next.
    func nextStep() -> Step? {
        state.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
    }
}
