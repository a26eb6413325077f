import ArgumentParser
import EventService
import Events
import WireText

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make the running daemon read its configuration again.",
        discussion: """
            The daemon first checks the whole configuration, and opens the files that it names. If \
            anything is wrong, it keeps the old configuration and names the problems. Scanners \
            with the same settings stay claimed, even during a scan. The daemon reads the file it \
            was started with.

            Example:
              keywedge reload
            """)

    @OptionGroup var daemonOption: DaemonOption
    @OptionGroup var formatOption: ObjectFormatOption

    func run() async throws {
        let changes = try await daemonOption.ask { client in
            do {
                return try await client.reload()
            } catch let error as EventClientError {
                throw Failure(
                    ([error.description] + error.problems.map(Escaping.sentence.escaped))
                        .joined(separator: "\n"))
            }
        }
        try formatOption.print(
            ["changes": .array(changes.map(\.json))],
            changes.isEmpty ? ["nothing has changed"] : changes.map(\.text))
    }
}
