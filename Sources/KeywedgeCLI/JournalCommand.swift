import ArgumentParser
import Journal
import KeywedgeConfiguration

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "The events that were kept: list, check, send again.",
        discussion: """
            Example:
              keywedge journal list --since 2026-11-23T08:00:00Z --scanner counter
            """,
        subcommands: [
            JournalListCommand.self, JournalVerifyCommand.self, JournalReplayCommand.self,
            JournalForgetCommand.self, JournalDeadCommand.self,
        ])
}

/// The options that say which journal a command is about.
struct JournalOption: ParsableArguments {
    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        name: .customLong("journal"),
        help: ArgumentHelp("The journal; else the configured one.", valueName: "file"))
    var path: String?

    func validate() throws {
        guard path != "" else { throw ValidationError("--journal: expected a file, found nothing") }
    }

    /// The journal: named here, configured, or the one that is on by default.
    func open() throws -> OfflineJournal {
        let configuration = try configurationOption.load()
        let settings = configuration.journalInUse ?? JournalSettings()
        return try orFail { try OfflineJournal(reading: path ?? settings.file) }
    }
}
