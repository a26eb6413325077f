import Events

/// Puts a damaged journal aside and begins a new one with the rows that can be read.
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
            try JournalExchange.removeSuccessor(of: path)
            var salvage = try JournalSalvage(path)
            let ended = salvage.remains.state?.epoch
            do {
                defer { salvage.close() }
                var store = try JournalStore(
                    opening: JournalExchange.successor(of: path), epoch: epoch, reserved: given)
                defer { store.close() }
                try salvage.run(
                    into: &store, below: start, isEndKnown: !damage.hidesTheEnd,
                    progress: progress)
                if let ended {
                    try store.change { try EpochRow.add(ended, ended: start - 1, $0) }
                }
                if !salvage.hasAllCursors { try beginAnew(sinks, in: &store) }
                guard try store.read(JournalConnection.foldLog) else {
                    throw JournalTrouble.failure("another program reads the new journal")
                }
            }
            let exchange = JournalExchange(of: path, keepingTheOldAt: time)
            try exchange.run()
            return Result(
                store: try JournalStore(opening: path),
                replacement: JournalReplacement(
                    reason: damage.reason, file: exchange.old ?? path, taken: salvage.takenCount,
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
