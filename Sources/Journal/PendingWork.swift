/// What waits to be written: events and changes, within bounds.
///
/// Time is given in, so that pauses after failures can be decided without a clock.
struct PendingWork {
    /// How many events may wait.
    static let limit = 10_000
    /// How many bytes of events may wait.
    static let byteLimit = 16 << 20
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(30)

    private(set) var entries: [JournalEntry] = []
    private(set) var changes: [JournalChange] = []
    /// What was given up since ``takeLoss()``.
    private(set) var loss: JournalLoss?
    /// How long to wait after the next failure.
    private(set) var pause = firstPause
    /// Whether new events are not taken, since the journal has no room for them.
    var isFull = false
    private var bytes = 0
    /// What is given up where there is no room.
    var policy: JournalSettings.WhenFull

    init(policy: JournalSettings.WhenFull) { self.policy = policy }

    var isEmpty: Bool { entries.isEmpty && changes.isEmpty }

    /// Takes an event.
    mutating func append(_ entry: JournalEntry) {
        guard !isFull else {
            giveUp(entry, place: .journal)
            return
        }
        while !hasRoom(for: entry) {
            guard policy == .oldest, !entries.isEmpty else {
                giveUp(entry)
                return
            }
            let first = entries.removeFirst()
            bytes -= first.line.count
            giveUp(first)
        }
        bytes += entry.line.count
        entries.append(entry)
    }

    mutating func append(_ change: JournalChange) { changes.append(change) }

    /// Gives all there is, to be written.
    mutating func take() -> (entries: [JournalEntry], changes: [JournalChange]) {
        defer {
            entries = []
            changes = []
            bytes = 0
        }
        return (entries, changes)
    }

    /// Takes back what could not be written, ahead of what came since.
    ///
    /// - Returns: How long to wait before the next try.
    mutating func takeBack(_ entries: [JournalEntry], _ changes: [JournalChange]) -> Duration {
        let newer = self.entries
        self.entries = entries
        self.changes = changes + self.changes
        bytes = entries.reduce(0) { $0 + $1.line.count }
        for entry in newer { append(entry) }
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }

    /// Takes note that something was written.
    mutating func noteSuccess() { pause = Self.firstPause }

    /// What was given up, once.
    mutating func takeLoss() -> JournalLoss? {
        defer { loss = nil }
        return loss
    }

    private func hasRoom(for entry: JournalEntry) -> Bool {
        entries.count < Self.limit && bytes + entry.line.count <= Self.byteLimit
    }

    private mutating func giveUp(
        _ entry: JournalEntry, place: JournalLoss.Place = .memory
    ) {
        guard loss == nil else {
            loss?.last = entry.sequence
            loss?.count += 1
            return
        }
        loss = JournalLoss(
            place: place, policy: policy, first: entry.sequence, last: entry.sequence, count: 1,
            sinks: [])
    }
}
