import Events

/// The events that are waiting to be written, limited in number and size.
struct PendingEvents {
    static let limit = 10_000
    private static let byteLimit = 16 << 20
    private(set) var entries: [JournalEntry] = []
    private(set) var lastNumber: UInt64 = 0
    /// The number of the journal's newest event when its file was first opened; nil before that.
    private(set) var floor: UInt64?
    /// Whether the journal is full; if so, new events are dropped.
    var isFull = false
    var policy: JournalSettings.WhenFull
    private var bytes = 0
    private var loss: JournalLoss?
    private var isLossReported = false

    init(_ policy: JournalSettings.WhenFull) { self.policy = policy }

    var hasRoom: Bool { entries.count < Self.limit / 4 * 3 && bytes < Self.byteLimit / 4 * 3 }
    var isLosing: Bool { loss != nil || isLossReported }

    mutating func append(_ entry: JournalEntry) {
        lastNumber = max(lastNumber, entry.sequence)
        insert(entry)
    }

    private mutating func insert(_ entry: JournalEntry) {
        guard entry.sequence > floor ?? 0 else { return giveUp(entry, .memory) }
        if entry.type != .journalFull {
            guard !isFull else { return giveUp(entry, .journal) }
            while entries.count >= Self.limit || bytes + entry.line.count > Self.byteLimit {
                guard policy == .oldest,
                    let oldest = entries.firstIndex(where: { $0.type != .journalFull })
                else { return giveUp(entry, .memory) }
                bytes -= entries[oldest].line.count
                giveUp(entries.remove(at: oldest), .memory)
            }
        }
        bytes += entry.line.count
        entries.append(entry)
    }

    private mutating func giveUp(_ entry: JournalEntry, _ place: JournalLoss.Place) {
        let number = entry.sequence
        loss.merge(JournalLoss(place: place, policy: policy, first: number, last: number))
    }

    /// Sets ``floor``, and drops the pending events whose numbers are not above it.
    mutating func raise(floor: UInt64) {
        self.floor = floor
        for entry in take() { insert(entry) }
    }

    mutating func take() -> [JournalEntry] {
        defer { (entries, bytes) = ([], 0) }
        return entries
    }

    /// Puts back events that could not be written, in front of newer ones.
    mutating func takeBack(_ former: [JournalEntry]) {
        guard !former.isEmpty else { return }
        let newer = take()
        entries = former
        bytes = former.reduce(0) { $0 + $1.line.count }
        for entry in newer { insert(entry) }
    }

    /// Removes and returns the record of lost events, for a first report; nil without one or after that report.
    ///
    /// When the loss has ended, a second report covers any events lost since the first report; see ``lossThatEnded()``.
    mutating func lossThatBegan() -> JournalLoss? {
        guard loss != nil, !isLossReported else { return nil }
        isLossReported = true
        return loss.take()
    }

    mutating func lossThatEnded() -> JournalLoss? { isFull ? nil : takeLoss() }

    mutating func takeLoss() -> JournalLoss? {
        isLossReported = false
        return loss.take()
    }
}

/// The numbers of events, taken from blocks that are first reserved in the journal's file.
///
/// After a crash, the rest of a block is skipped, so no number is used twice. While no block can be reserved, numbers
/// continue from the system clock's time in microseconds, because no journal reaches such numbers by counting.
struct SequenceNumbers: Equatable, Sendable {
    static let blockSize: UInt64 = 1_000
    private(set) var last: UInt64
    private(set) var reserved: UInt64

    init(after last: UInt64) { (self.last, reserved) = (last, last) }

    /// The highest event number to reserve in the journal's file now; nil if enough numbers are still reserved.
    var wanted: UInt64? { reserved >= last + Self.blockSize / 2 ? nil : last + Self.blockSize }

    mutating func reserve(upTo end: UInt64) { reserved = max(reserved, end) }

    mutating func skip(to other: UInt64) { if other > last { self = Self(after: other) } }

    mutating func next(now: () -> Int64) -> UInt64 {
        if last >= reserved { last = max(last, UInt64(max(0, now()))) }
        last += 1
        return last
    }
}

struct JournalWaiters {
    enum Condition: Equatable, Sendable {
        /// The waiter resumes when the event is on disk (outcome true) or dropped (false).
        case committed(UInt64)
        /// The waiter resumes when the event is on disk (true), or when it is dropped or writing fails (false).
        case settled(UInt64)
        /// The waiter resumes when an event with a number higher than this one is on disk.
        case newer(UInt64)
        case room
    }

    typealias Outcome = Result<Bool, any Error>
    typealias Resumption = @Sendable (Outcome) -> Void

    private var waiters: [Int: (condition: Condition, resume: Resumption)] = [:]
    private var last = 0

    mutating func newID() -> Int {
        last += 1
        return last
    }

    mutating func add(_ id: Int, _ condition: Condition, _ resume: @escaping Resumption) {
        waiters[id] = (condition, resume)
    }

    /// Removes a waiter and returns the function that resumes it; nil if no waiter has this ID.
    mutating func remove(_ id: Int) -> Resumption? { waiters.removeValue(forKey: id)?.resume }

    /// Removes the waiters whose condition has an outcome, and returns functions to resume them.
    mutating func takeReady(_ outcome: (Condition) -> Outcome?) -> [@Sendable () -> Void] {
        let ready = waiters.compactMap { id, waiter in outcome(waiter.condition).map { (id, $0) } }
        return ready.sorted { $0.0 < $1.0 }.compactMap { id, outcome in
            let resume = remove(id)
            return { resume?(outcome) }
        }
    }
}
