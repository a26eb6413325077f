import ArgumentParser
import KeywedgeConfiguration
import WireText

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check and show the configuration, and print its schema.",
        discussion: """
            Example:
              keywedge config check /etc/keywedge/keywedge.yaml
            """,
        subcommands: [Check.self, Show.self, Schema.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a configuration, and print each mistake on a line.",
            discussion: """
                Example:
                  keywedge config check keywedge.yaml
                """)

        @Argument(help: "The configuration; by default the one from --config.", completion: .file())
        var file: String?

        @OptionGroup var formatOption: ObjectFormatOption
        @OptionGroup var configurationOption: ConfigurationOption

        func run() async throws {
            let path = file ?? configurationOption.path ?? configurationOption.existingStandardPath
            let name = path.map(Escaping.line.escaped) ?? "no file, the built-in defaults"
            let configuration: Configuration
            do throws(ConfigurationError) {
                configuration = try path.map(Configuration.load) ?? .standard
            } catch {
                try write(error.problems, of: path)
                throw error
            }
            try write([], of: path)
            let count = configuration.scanners.count.counted("scanner")
            configurationOption.quiet.say("\(name): right, \(count)")
        }

        private func write(_ problems: [ConfigurationProblem], of path: String?) throws {
            guard formatOption.isJSON else { return }
            try StandardOutput.write([
                "file": path.map(JSONValue.string) ?? .null,
                "problems": .array(problems.map { .object($0.json) }),
            ])
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the effective configuration, including defaults, as YAML.",
            discussion: """
                Example:
                  keywedge config show --config keywedge.yaml
                """)

        @OptionGroup var formatOption: ObjectFormatOption
        @OptionGroup var configurationOption: ConfigurationOption

        func run() async throws {
            let configuration = try configurationOption.load()
            let text =
                formatOption.isJSON
                ? JSONWriter.text(of: configuration.json) + "\n" : configuration.yaml
            try StandardOutput.write { $0 += text.utf8 }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON Schema of the configuration, for editors.",
            discussion: """
                Example:
                  keywedge config schema >keywedge.schema.json
                """)

        func run() async throws {
            try StandardOutput.write(lines: [JSONWriter.indentedText(of: Configuration.schema)])
        }
    }
}
