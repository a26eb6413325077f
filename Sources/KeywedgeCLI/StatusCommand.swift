import ArgumentParser
import EventService
import Events
import WireText

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "How the running daemon is doing.",
        discussion: """
            Its scanners, the catalog and each of its sources, the journal, and how far each sink and \
            consumer is behind. No code is shown unless asked for (--codes).

            Example:
              keywedge status --json | jq '.sinks[] | select(.lag_s > 60)'
            """)

    @Flag(help: "Print what the daemon says, as one JSON object.")
    var json = false

    @Flag(help: "Show the text of each scanner's last scan, too.")
    var codes = false

    @Option(help: ArgumentHelp("The daemon's socket.", valueName: "file"))
    var socket: String?

    @OptionGroup var configurationOption: ConfigurationOption

    func run() async throws {
        let answer = try await EventClient.asking(socket: socket, configurationOption) {
            try await $0.status(hasCodes: codes)
        }
        var output = DescriptorWriter.standardOutput()
        try output.write { bytes in
            if json {
                bytes += answer + [UInt8(ascii: "\n")]
            } else {
                bytes +=
                    (try? JSONReader.read(answer).object).map { StatusText($0).text.utf8 }
                    ?? "".utf8
            }
        }
        try output.flush()
    }
}
