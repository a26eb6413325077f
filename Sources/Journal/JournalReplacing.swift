import Events

/// Puts a damaged journal aside and begins a new one with the rows that can be read.
///
/// The new one is finished under another name before it replaces the damaged one, so that a crash at
/// any point leaves one of the two.
enum JournalReplacing {
    /// The new journal, open, and the report about it.
    struct Result {
        let store: JournalStore
        let replacement: JournalReplacement
    }

    /// Replaces a journal that is closed everywhere.
    ///
    /// This process has given numbers from `start` on, and `given` is the highest that it may give. A
    /// durable sink whose cursor is lost gets everything again. `progress` is called after each page,
    /// since the work grows with the journal.
    ///
    /// - Throws: ``JournalTrouble`` if the disk fails; the damaged journal is left in place then.
    static func run(
        path: String, sinks: Set<String>, damage: Damage, epoch: Epoch, given: UInt64,
        below start: UInt64, at time: EventTime, progress: () -> Void
    ) throws -> Result {
        do {
            let successor = JournalFiles.successor(of: path)
            JournalFiles.remove(successor)
            var salvage = try JournalSalvage(path)
            defer { salvage.close() }
            let ended = salvage.remains.state?.epoch
            var store = try JournalStore(opening: successor, epoch: epoch, reserved: given)
            do {
                try salvage.run(
                    into: &store, below: start, isEndKnown: !damage.hidesTheEnd,
                    progress: progress)
                if let ended {
                    try store.change { try EpochRow.add(ended, ended: start - 1, $0) }
                }
                if !salvage.hasAllCursors { try beginAnew(sinks, in: &store) }
            } catch {
                store.close()
                throw error
            }
            store.close()
            salvage.close()
            let file = try JournalFiles.putAside(path, at: time)
            try JournalFiles.moveIn(path)
            return Result(
                store: try JournalStore(opening: path),
                replacement: JournalReplacement(
                    reason: damage.reason, file: file, taken: salvage.takenCount,
                    holes: salvage.holeCount, ended: ended, epoch: epoch))
        } catch {
            throw JournalTrouble(error)
        }
    }

    private static func beginAnew(_ sinks: Set<String>, in store: inout JournalStore) throws {
        let start = store.state.removed.sequence
        try store.change { db in
            let known = try CursorRow.all(db)
            for sink in sinks where known[.sink(sink)] == nil {
                try CursorRow.set(.sink(sink), to: start, db)
            }
        }
    }
}
