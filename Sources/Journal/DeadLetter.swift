package import Events

/// An event that a sink refuses for good.
package struct DeadLetter: Equatable, Sendable {
    /// Its number among the dead letters of the journal.
    package let number: Int64
    /// The sink.
    package let sink: String
    /// The event.
    package let entry: JournalEntry
    /// Why the sink refuses it: what the other side said, as it is.
    package let reason: String
    /// When it was refused.
    package let refused: EventTime
    /// Whether somebody asked for it to be sent again.
    package let isToBeSent: Bool
}
