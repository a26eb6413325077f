import ArgumentParser
import EventService
import WireText

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "The running daemon reads its configuration again.",
        discussion: """
            The daemon checks all of it first, and opens the files that it names. If anything is wrong, \
            it keeps the old one and says what. Scanners with the same settings stay claimed, also in \
            the middle of a scan. The daemon reads the file it was started with.

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
        let lines = changes.isEmpty ? ["nothing has changed"] : changes.map(\.text)
        try orFail {
            try OutputFile.write(lines.flatMap { Array("\($0)\n".utf8) }, to: "-")
        }
    }
}
