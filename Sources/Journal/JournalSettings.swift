package struct JournalSettings: Equatable, Sendable {
    /// Which events to drop when the journal is full but durable sinks still need its oldest events.
    package enum WhenFull: String, CaseIterable, Sendable {
        /// The oldest events are dropped; sinks that have not accepted them never get them.
        case oldest
        /// New events are dropped until there is room again.
        case newest
    }

    package struct Keep: Equatable, Sendable {
        /// How many days to keep events; events that a durable sink still needs are kept longer.
        package var days: Int
        /// The maximum size of all events, including those that durable sinks still need.
        package var megabytes: Int
        package var deadLetterMegabytes: Int

        package init(days: Int = 30, megabytes: Int = 512, deadLetterMegabytes: Int = 16) {
            self.days = days
            self.megabytes = megabytes
            self.deadLetterMegabytes = deadLetterMegabytes
        }
    }

    package var file: String
    package var keep: Keep
    package var whenFull: WhenFull

    package init(
        file: String = "/var/lib/keywedge/journal.sqlite", keep: Keep = Keep(),
        whenFull: WhenFull = .oldest
    ) {
        self.file = file
        self.keep = keep
        self.whenFull = whenFull
    }
}
