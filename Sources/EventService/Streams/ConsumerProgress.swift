/// How far a consumer's stream and the consumer's cursor are, and when the daemon may move the cursor.
///
/// A client acknowledges what it was sent. For what its filter leaves out nobody can: once everything
/// sent is acknowledged, the cursor follows by itself.
struct ConsumerProgress {
    /// The cursor in the journal, or on its way there; nil for a consumer that the journal does not know.
    private var cursor: UInt64?
    /// Where the cursor of such a consumer begins: before the first event of its stream.
    private var beginning: UInt64?
    /// The newest event that was sent; at first where the stream begins.
    private var sent: UInt64
    /// The newest event that was sent or left out.
    private var passed: UInt64
    private var isMoving = false
    private var hasEnded = false

    /// Begins a stream.
    init(cursor: UInt64?, start: UInt64) {
        self.cursor = cursor
        sent = start
        passed = start
    }

    /// The stream sends an event, or leaves it out.
    mutating func pass(_ sequence: UInt64, isSent: Bool) {
        if cursor == nil, beginning == nil { beginning = passed }
        if isSent { sent = sequence }
        passed = sequence
    }

    /// Somebody has set the cursor; returns whether it acknowledges what the stream sent.
    ///
    /// A cursor that was set back stays there until the client acknowledges again what it has by now.
    mutating func set(_ sequence: UInt64) -> Bool {
        let earlier = cursor ?? beginning ?? .max
        let isAcknowledgement = earlier <= sequence && sequence <= passed
        cursor = sequence
        beginning = nil
        if !isAcknowledgement { sent = passed }
        return isAcknowledgement
    }

    /// The journal forgets the consumer; the next event of the stream makes it known again.
    mutating func forget() {
        cursor = nil
        beginning = nil
    }

    /// Moves nothing from now on: another stream reads as this consumer, or none.
    mutating func end() { hasEnded = true }

    /// Where the cursor is to be moved now; nil for nowhere, and until ``moved()`` after each move.
    ///
    /// `committed` is the newest event on the disk: a cursor is never ahead of it.
    mutating func nextMove(committed: UInt64) -> UInt64? {
        guard !isMoving, !hasEnded, let target = target(committed) else { return nil }
        isMoving = true
        cursor = target
        beginning = nil
        return target
    }

    /// A move has ended.
    mutating func moved() { isMoving = false }

    /// Whether the cursor is to be moved once more events are on the disk.
    func waits(committed: UInt64) -> Bool {
        guard let cursor else { return false }
        return !hasEnded && cursor >= sent && passed > max(cursor, committed)
    }

    private func target(_ committed: UInt64) -> UInt64? {
        guard let cursor else { return beginning }
        let end = min(passed, committed)
        return cursor >= sent && end > cursor ? end : nil
    }
}
