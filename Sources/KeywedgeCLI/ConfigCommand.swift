import ArgumentParser
import KeywedgeConfiguration
import WireText

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check and show the configuration, and print its schema.",
        examples: "keywedge config check /etc/keywedge/keywedge.yaml",
        subcommands: [Check.self, Show.self, Schema.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a configuration, and print each mistake on a line.",
            examples: "keywedge config check keywedge.yaml")

        @Argument(help: "The configuration; by default the one from --config.", completion: .file())
        var file: String?

        @OptionGroup var formatOption: ObjectFormatOption
        @OptionGroup var configurationOption: ConfigurationOption

        func run() async throws {
            let path = file ?? configurationOption.existingPath
            let name = path.map(Escaping.line.escaped) ?? "no file, the built-in defaults"
            let result = Result { () throws(ConfigurationError) in
                try path.map(Configuration.load) ?? .standard
            }
            if formatOption.isJSON {
                var problems: [ConfigurationProblem] = []
                if case .failure(let error) = result { problems = error.problems }
                try StandardOutput.write([
                    "file": path.map(JSONValue.string) ?? .null,
                    "problems": .array(problems.map { .object($0.json) }),
                ])
            }
            let count = try result.get().scanners.count.counted("scanner")
            configurationOption.quiet.say("\(name): right, \(count)")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the effective configuration, including defaults, as YAML.",
            examples: "keywedge config show --config keywedge.yaml")

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
            examples: "keywedge config schema >keywedge.schema.json")

        func run() async throws {
            try StandardOutput.write(lines: [JSONWriter.indentedText(of: Configuration.schema)])
        }
    }
}
