import ArgumentParser

struct Keywedge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keywedge",
        abstract: "Turns what a barcode scanner types into product events.",
        discussion: """
            Results go to standard output, everything else to standard error.
            Shorter: -c for --config, -q for --quiet, -V for --version, --json for --format json.
            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but something was rejected (with \
            --strict), is not read back (type) or needs attention (doctor), 4 an import would have \
            changed too much.
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, ListenCommand.self, StatusCommand.self, ReloadCommand.self,
            DoctorCommand.self, DevicesCommand.self, MonitorCommand.self, RecordCommand.self,
            ReplayCommand.self, TypeCommand.self, DecodeCommand.self, LookupCommand.self,
            CatalogCommand.self, JournalCommand.self, LayoutsCommand.self, ConfigCommand.self,
            CompletionCommand.self,
        ]
    )

    func run() async throws { throw CleanExit.helpRequest(Self.self) }
}

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Fill, empty, export, check, publish, follow and serve the embedded catalog.",
        examples: "keywedge catalog import products.csv --map name=Artikel --currency EUR",
        subcommands: [
            CatalogImportCommand.self, CatalogRemoveCommand.self, CatalogExportCommand.self,
            CatalogCheckCommand.self, CatalogPublishCommand.self, CatalogFollowCommand.self,
            CatalogServeCommand.self,
        ])
}

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "List, check and resend the events on disk.",
        examples: "keywedge journal list --since 2026-11-23T08:00:00Z --scanner counter",
        subcommands: [
            JournalListCommand.self, JournalVerifyCommand.self, JournalReplayCommand.self,
            JournalForgetCommand.self, JournalDeadCommand.self,
        ])
}

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the script that completes keywedge's command line in a shell.",
        discussion: "The package installs it for all three shells.",
        examples: "source <(keywedge completion bash)",
        "keywedge completion zsh >\"${fpath[1]}/_keywedge\"",
        "keywedge completion fish >~/.config/fish/completions/keywedge.fish")

    @Argument(
        help: "The shell: bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"]),
        transform: parser(expecting: "bash, zsh or fish") { CompletionShell(rawValue: $0) })
    var shell: CompletionShell

    func run() throws {
        let script = Keywedge.completionScript(for: shell)
        try StandardOutput.write { $0 += (script.hasSuffix("\n") ? script : script + "\n").utf8 }
    }
}
