import ArgumentParser
import KeywedgeConfiguration
import WireText

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check and show the configuration, and what it can be.",
        discussion: """
            Example:
              keywedge config check /etc/keywedge/keywedge.yaml
            """,
        subcommands: [Check.self, Show.self, Schema.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a configuration: everything wrong with it, a line each.",
            discussion: """
                Example:
                  keywedge config check keywedge.yaml
                """)

        @Argument(help: "The configuration; else the one --config names.")
        var file: String?

        @OptionGroup var configurationOption: ConfigurationOption

        func run() async throws {
            var option = configurationOption
            if let file { option.path = file }
            let count = try option.load().scanners.count
            StandardError.write(
                "keywedge: the configuration is right (\(count.counted("scanner")))")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the configuration in effect, defaults included, as YAML.",
            discussion: """
                Example:
                  keywedge config show --config keywedge.yaml
                """)

        @OptionGroup var configurationOption: ConfigurationOption

        func run() async throws {
            let yaml = try orFail { try configurationOption.load().yaml() }
            try orFail { try OutputFile.write(Array(yaml.utf8), to: "-") }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what a configuration can be, as JSON Schema, for editors.",
            discussion: """
                Example:
                  keywedge config schema >keywedge.schema.json
                """)

        func run() async throws {
            let text = JSONWriter.indentedText(of: Configuration.schema) + "\n"
            try orFail { try OutputFile.write(Array(text.utf8), to: "-") }
        }
    }
}
