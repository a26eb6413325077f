import GRDB

/// A change to what the journal knows about its readers, committed together with events.
struct JournalChange: Sendable {
    /// Makes the change; it gets the journal's state with all events of its commit.
    let apply: @Sendable (Database, JournalState) throws -> Void
    /// The size of the dead letter that it adds.
    var letterSize: UInt64 = 0
    /// Gets the result, once.
    let isDone: @Sendable (Result<Void, any Error>) -> Void
}
