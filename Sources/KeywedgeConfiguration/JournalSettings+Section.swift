import Journal
import WireText

extension JournalSettings {
    static let section = Section("journal", JournalSettings()) {
        Setting("file", \.file, .path, "The file.")
        Setting("keep", \.keep, Keep.section.codec, "How much is kept.")
        Setting(
            "when_full", \.whenFull, .choice,
            """
            What happens where there is no room: oldest gives up the oldest events, newest does \
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
            "For how many days; longer where a durable sink has not taken an event.")
        Setting(
            "megabytes", \.megabytes, .number(in: 1...1_000_000),
            "How large the journal may become, whoever has not taken its events.")
    }
}
