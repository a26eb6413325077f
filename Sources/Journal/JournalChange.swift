import Events
import GRDB

/// A change of what the journal knows of its readers, committed together with events.
struct JournalChange: Sendable {
    /// What changes; it knows the journal's epoch.
    let apply: @Sendable (Database, JournalState) throws -> Void
    /// Is told what came of it.
    let isDone: @Sendable (Result<Void, any Error>) -> Void
}

extension JournalState {
    /// The number that a cursor stands for in this epoch.
    ///
    /// - Throws: ``JournalError/unknownEpoch(_:)``.
    func sequence(of cursor: Cursor, _ db: Database) throws -> UInt64 {
        guard cursor.epoch != epoch else { return cursor.sequence }
        guard try EpochRow.end(of: cursor.epoch, db) != nil else {
            throw JournalError.unknownEpoch(cursor)
        }
        return cursor.sequence
    }
}
