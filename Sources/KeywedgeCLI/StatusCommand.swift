import ArgumentParser
import EventService
import Events
import WebAPI

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the running daemon.",
        discussion: """
            Shows the scanners, the catalog and its sources, the journal, and how far each sink \
            and consumer is behind. Codes are shown only with --codes.

            Example:
              keywedge status --format json | jq '.sinks[] | select(.lag_s > 60)'
              keywedge status --watch
            """)

    @Flag(help: "Update the status every two seconds, until Ctrl-C.")
    var watch = false

    @Flag(help: "Also show the text of each scanner's last scan.")
    var codes = false

    @Option(help: ArgumentHelp("The daemon's socket.", valueName: "file"))
    var socket: String?

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption

    /// The time between two updates with `--watch`.
    private static let interval = Duration.seconds(2)

    func run() async throws {
        // A wrong configuration stays wrong.
        let client = try orFail { try EventClient(socket: socket, configurationOption) }
        guard watch else { return try await show(client) }
        while true {
            // Moves to the top left and clears the screen (ECMA-48, CUP and ED).
            if StandardOutput.isTerminal { print("\u{1B}[H\u{1B}[2J", terminator: "") }
            do {
                try await show(client)
            } catch let error as Failure {
                // Continue: the daemon may be restarting.
                StandardError.write(error.description)
            }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func show(_ client: EventClient) async throws {
        let answer: Response
        do {
            answer = try await client.status(hasCodes: codes)
        } catch {
            throw configurationOption.failure(error)
        }
        let text =
            formatOption.chosen(else: .pretty) == .json
            ? answer.payload + [UInt8(ascii: "\n")]
            : Array(StatusText(try orFail { try DaemonStatus(answer) }).text.utf8)
        var output = DescriptorWriter.standardOutput()
        try output.write { $0 += text }
        try output.flush()
    }
}
