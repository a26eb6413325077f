import ArgumentParser
import Events
import Glibc
import Keystrokes
import KeywedgeDaemon
import Recordings

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type",
        abstract: "Write the keystrokes a scanner would type for a text, as a recording.",
        discussion: """
            What type writes, replay reads back as the same text.

            Example:
              keywedge type 4006381333931 -o scan.evemu && keywedge replay scan.evemu
            """)

    @Argument(help: "The text; a control character may be written with a backslash, as \\x1d.")
    var text: String

    @Option(name: [.short, .long], help: "The recording to write; - is standard output.")
    var output: String

    @OptionGroup var configurationOption: ConfigurationOption

    @Option(help: "The configured scanner to type as.")
    var scanner: String?

    @Option(help: "The time between two changes of a key, in milliseconds.")
    var pace: Int = 2

    func validate() throws {
        guard (0...60_000).contains(pace) else {
            throw ValidationError("--pace: expected 0 to 60000 milliseconds, found \(pace)")
        }
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        let settings = try orFail {
            try ReplayScanners(configuration: configuration, name: scanner).settings
        }
        guard let text = Escaping.unescapedLine(text) else {
            throw Failure("cannot read \"\(Escaping.line.escaped(text))\": a backslash is not one")
        }
        let events = try orFail { try settings.typing(of: text, pace: .milliseconds(pace)) }
        var bytes: [UInt8] = []
        var writer = EvemuWriter(device: DeviceIdentity(name: "keywedge type"))
        writer.appendHeader(to: &bytes)
        for event in events { writer.append(event, to: &bytes) }
        try orFail { try OutputFile.write(bytes, to: output) }
    }
}
