import Events

/// The events that wait to be written, within bounds.
///
/// The report of a loss is exempt from the bounds, so that it never causes another loss.
struct PendingEvents {
    /// How many events may wait.
    static let limit = 10_000
    /// How many bytes of events may wait.
    static let byteLimit = 16 << 20

    private(set) var entries: [JournalEntry] = []
    /// The number of the newest event that was appended.
    private(set) var lastNumber: UInt64 = 0
    /// Whether the journal has no room, so that new events are given up.
    private(set) var isFull = false
    /// What to give up when memory is full.
    var policy: JournalSettings.WhenFull
    private var bytes = 0
    private var givenUp = LossReport()

    init(_ policy: JournalSettings.WhenFull) { self.policy = policy }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a caller that produces events faster than a disk takes them may continue.
    var hasRoom: Bool { entries.count < Self.limit / 4 * 3 && bytes < Self.byteLimit / 4 * 3 }

    /// Whether events are being given up.
    var isLosing: Bool { givenUp.isOpen }

    /// Whether the beginning of a loss is to be reported.
    var hasLossToReport: Bool { givenUp.isDue }

    func contains(_ number: UInt64) -> Bool { entries.containsNumber(number) }

    /// Appends an event, or gives up one or more.
    mutating func append(_ entry: JournalEntry) {
        lastNumber = max(lastNumber, entry.sequence)
        insert(entry)
    }

    private mutating func insert(_ entry: JournalEntry) {
        if entry.type != .journalFull {
            guard !isFull else { return giveUp(entry, place: .journal) }
            while entries.count >= Self.limit || bytes + entry.line.count > Self.byteLimit {
                guard policy == .oldest,
                    let oldest = entries.firstIndex(where: { $0.type != .journalFull })
                else { return giveUp(entry, place: .memory) }
                let removed = entries.remove(at: oldest)
                bytes -= removed.line.count
                giveUp(removed, place: .memory)
            }
        }
        bytes += entry.line.count
        entries.append(entry)
    }

    /// Removes and returns all events.
    mutating func take() -> [JournalEntry] {
        defer {
            entries = []
            bytes = 0
        }
        return entries
    }

    /// Puts events that could not be written before those that have come since.
    mutating func takeBack(_ former: [JournalEntry]) {
        guard !former.isEmpty else { return }
        let newer = entries
        entries = former
        bytes = former.reduce(0) { $0 + $1.line.count }
        for entry in newer { insert(entry) }
    }

    mutating func setFull(_ isFull: Bool) { self.isFull = isFull }

    /// A loss that has just begun; nil once it was reported.
    mutating func lossThatBegan() -> JournalLoss? { givenUp.begin() }

    /// The rest of a loss that ends with the journal.
    mutating func takeLoss() -> JournalLoss? { givenUp.end() }

    /// The rest of a loss that is over.
    mutating func lossThatEnded() -> JournalLoss? { isFull ? nil : givenUp.end() }

    private mutating func giveUp(_ entry: JournalEntry, place: JournalLoss.Place) {
        givenUp.add(
            JournalLoss(
                place: place, policy: policy, first: entry.sequence, last: entry.sequence, count: 1,
                sinks: []))
    }
}

/// Reports a loss when it begins, and the rest of its range when it is over.
struct LossReport {
    private var loss: JournalLoss?
    /// Whether the beginning was reported.
    private var hasBegun = false

    var isOpen: Bool { loss != nil || hasBegun }

    var isDue: Bool { loss != nil && !hasBegun }

    mutating func add(_ next: JournalLoss) { loss = loss?.merged(with: next) ?? next }

    mutating func begin() -> JournalLoss? {
        guard !hasBegun, let loss else { return nil }
        hasBegun = true
        self.loss = nil
        return loss
    }

    mutating func end() -> JournalLoss? {
        hasBegun = false
        return loss.take()
    }
}

extension [JournalEntry] {
    /// Whether one of these events, which have rising numbers, has a number.
    func containsNumber(_ number: UInt64) -> Bool {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if self[middle].sequence == number { return true }
            range =
                self[middle].sequence < number
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}

/// The pause before the next try: 1, 2, 4 … 30 seconds.
struct RetryPause {
    private(set) var end = Int64.min
    private var length: Int64 = 1_000_000

    mutating func begin(at now: Int64) {
        end = now + length
        length = min(length * 2, 30_000_000)
    }
}
