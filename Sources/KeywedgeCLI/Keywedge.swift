import ArgumentParser

/// The command `keywedge`: one subcommand a file.
struct Keywedge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keywedge",
        abstract: "Turns what a barcode scanner types into product events.",
        discussion: """
            Results go to standard output, everything else to standard error.
            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but something was rejected \
            (with --strict, and by type where its text is not read back).
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, ListenCommand.self, StatusCommand.self, ReloadCommand.self,
            DoctorCommand.self, DevicesCommand.self,
            MonitorCommand.self,
            RecordCommand.self,
            ReplayCommand.self, TypeCommand.self, DecodeCommand.self, LookupCommand.self,
            CatalogCommand.self, JournalCommand.self, LayoutsCommand.self, ConfigCommand.self,
        ]
    )
}
