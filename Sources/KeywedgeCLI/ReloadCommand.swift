import ArgumentParser
import EventService
import WireText

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "The running daemon takes its configuration anew.",
        discussion: """
            All of it is checked first, and what it names is opened. Where something is wrong, it is \
            printed, and everything stays as it is. Scanners whose settings are the same are not let go, \
            also in the middle of a scan. The daemon reads the file it was started with.

            Example:
              keywedge reload
            """)

    @Option(help: ArgumentHelp("The daemon's socket.", valueName: "file"))
    var socket: String?

    @OptionGroup var configurationOption: ConfigurationOption

    func run() async throws {
        let changes = try await EventClient.asking(socket: socket, configurationOption) { client in
            do {
                return try await client.reload()
            } catch let error as EventClientError {
                throw Failure(
                    ([error.description] + error.problems.map(Escaping.sentence.escaped))
                        .joined(separator: "\n"))
            }
        }
        let lines = changes.isEmpty ? ["nothing is otherwise"] : changes.map(\.text)
        try orFail {
            try OutputFile.write(lines.flatMap { Array("\($0)\n".utf8) }, to: "-")
        }
    }
}
