package import Journal

/// The journal of a daemon, open, and what it has to tell.
package struct DaemonJournal: Sendable {
    /// The journal.
    package let journal: EventJournal
    let notices: AsyncStream<JournalNotice>
    private let queue: AsyncStream<JournalNotice>.Continuation

    /// Opens a journal.
    ///
    /// - Parameters:
    ///   - settings: Where it is, and how much is kept.
    ///   - sinks: The names of the durable sinks: what they have not taken is kept.
    /// - Throws: `JournalError`, for a file that is no journal, of a newer keywedge, or in use.
    package init(opening settings: JournalSettings, sinks: Set<String>) throws {
        let (notices, queue) = AsyncStream<JournalNotice>.makeStream(
            bufferingPolicy: .bufferingNewest(100))
        journal = try EventJournal(opening: settings, sinks: sinks) { queue.yield($0) }
        self.notices = notices
        self.queue = queue
    }

    /// No more notices are wanted: those that came are still in ``notices``.
    func endNotices() { queue.finish() }
}
