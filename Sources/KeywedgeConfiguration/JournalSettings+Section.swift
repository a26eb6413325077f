import Journal
import WireText

extension JournalSettings {
    static let section = Section("journal", JournalSettings()) {
        Setting("file", \.file, .path, "The file.")
        Setting("keep", \.keep, Keep.section.codec, "How much is kept.")
        Setting(
            "when_full", \.whenFull, .choice,
            """
            What to do when there is no room: oldest removes the oldest events, newest does \
            not journal new ones.
            """)
    }
}

extension JournalSettings.Keep {
    fileprivate static let section = Section(
        "keep", JournalSettings.Keep(), onOneLine: { _ in true }
    ) {
        Setting(
            "days", \.days, .number(in: 1...3_650),
            "For how many days; longer if a durable sink has not accepted an event.")
        Setting(
            "megabytes", \.megabytes, .number(in: 1...1_000_000),
            "How large the events may become, accepted or not.")
        Setting(
            "dead_letter_megabytes", \.deadLetterMegabytes, .number(in: 1...1_000_000),
            "How large the dead letters may become; then the oldest are removed.")
    }
}
