/// The callers that wait for something to happen in a journal.
struct JournalWaiters {
    /// What a caller waits for.
    enum Condition: Equatable, Sendable {
        /// An event is on the disk (true), or the journal gave it up (false).
        case committed(UInt64)
        /// The same, or the disk fails (false).
        case settled(UInt64)
        /// An event with a higher number is on the disk.
        case newer(UInt64)
        /// There is room for more events.
        case room
        /// The thread is alive.
        case ping
    }

    typealias Outcome = Result<Bool, any Error>
    typealias Resumption = @Sendable (Outcome) -> Void

    /// Resumes a caller.
    struct Answer: Sendable {
        let resume: Resumption
        let outcome: Outcome

        func give() { resume(outcome) }
    }

    private var waiters: [Int: (condition: Condition, resume: Resumption)] = [:]
    private var last = 0

    mutating func newID() -> Int {
        last += 1
        return last
    }

    mutating func add(_ id: Int, _ condition: Condition, _ resume: @escaping Resumption) {
        waiters[id] = (condition, resume)
    }

    /// Forgets a waiter, and returns its resumption unless it is resumed already.
    mutating func remove(_ id: Int) -> Resumption? { waiters.removeValue(forKey: id)?.resume }

    /// Removes those whose condition has an outcome, and returns the answers, the first that came first.
    mutating func takeReady(_ outcome: (Condition) -> Outcome?) -> [Answer] {
        let ready = waiters.compactMap { id, waiter in
            outcome(waiter.condition).map { (id, Answer(resume: waiter.resume, outcome: $0)) }
        }
        for (id, _) in ready { waiters.removeValue(forKey: id) }
        return ready.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// The pauses before the next tries of a failing disk: 1, 2, 4 … 30 seconds.
struct RetryPause {
    private(set) var end = Int64.min
    private var length: Int64 = 0

    /// Whether one has begun.
    var hasBegun: Bool { length > 0 }

    mutating func begin(at now: Int64) {
        length = min(max(length * 2, 1_000_000), 30_000_000)
        end = now + length
    }
}
