import Journal
import Synchronization

/// How far a page of events has come: told from the outlet's thread, noted in the journal by a task.
final class SinkProgress: Sendable {
    /// What is to be noted.
    enum Step: Equatable {
        /// Everything up to here is settled.
        case reached(Cursor)
        /// An event is refused for good; everything before it is settled.
        case refused(JournalEntry, String)
    }

    private struct State {
        /// Events that were settled and are not noted yet: each refused, or all up to one.
        var steps: [Step] = []
        var reached: Cursor?
    }

    /// Gives an element when there is something to note, and ends when there will be nothing more.
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

    /// Behind the last event that is settled; nil where none is.
    var reached: Cursor? { state.withLock { $0.reached } }

    /// Takes what became of the next event.
    func settle(_ index: Int, _ verdict: Verdict) {
        let entry = entries[index]
        let cursor = Cursor(epoch: end.epoch, sequence: entry.sequence)
        state.withLock { state in
            state.reached = cursor
            switch verdict {
            case .refused(let reason): state.steps.append(.refused(entry, reason))
            case .taken:
                if case .reached = state.steps.last { state.steps.removeLast() }
                state.steps.append(.reached(cursor))
            }
        }
        signal.yield()
    }

    /// Ends it; a page that was settled whole is passed whole, with what nobody wanted at its end.
    func finish(isWhole: Bool) {
        if isWhole {
            state.withLock { state in
                state.reached = end
                if case .reached = state.steps.last { state.steps.removeLast() }
                state.steps.append(.reached(end))
            }
            signal.yield()
        }
        signal.finish()
    }

    /// What is to be noted next; nil for nothing.
    func nextStep() -> Step? {
        state.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
    }
}
