/// Where a journal is, and how much of it is kept.
package struct JournalSettings: Equatable, Sendable {
    /// What happens where the journal has no room and its events are not taken yet.
    package enum WhenFull: String, CaseIterable, Sendable {
        /// The oldest events are given up: the sinks that had not taken them never get them.
        case oldest
        /// New events are only immediate: they are not journaled.
        case newest
    }

    /// How long events are kept, at the least until every durable sink has taken them.
    package struct Keep: Equatable, Sendable {
        /// For how many days.
        package var days: Int
        /// How many megabytes of them, whoever has not taken them.
        package var megabytes: Int

        /// Makes a rule.
        ///
        /// - Parameters:
        ///   - days: For how many days.
        ///   - megabytes: How many megabytes of them.
        package init(days: Int = 30, megabytes: Int = 512) {
            self.days = days
            self.megabytes = megabytes
        }
    }

    /// Where the unit's journal is.
    package static let standardPath = "/var/lib/keywedge/journal.sqlite"

    /// The file.
    package var file: String
    /// How much is kept.
    package var keep: Keep
    /// What happens where there is no room.
    package var whenFull: WhenFull

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - keep: How much is kept.
    ///   - whenFull: What happens where there is no room.
    package init(
        file: String = standardPath, keep: Keep = Keep(), whenFull: WhenFull = .oldest
    ) {
        self.file = file
        self.keep = keep
        self.whenFull = whenFull
    }
}
