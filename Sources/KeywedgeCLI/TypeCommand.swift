import ArgumentParser
import Events
import Glibc
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import ScannerInput

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type",
        abstract: "Type a text as a scanner would: into a recording, or through a virtual scanner.",
        discussion: """
            What type writes, replay reads back as the same text. With --device a keyboard exists \
            in the kernel for as long as it takes, and whoever reads keyboards gets the keys; \
            keywedge run takes it where its numbers or its name are those of a scanner. Where the \
            settings keep a text from being read back as it was, type says so and exits with 3.

            Example:
              keywedge type 4006381333931 -o scan.evemu && keywedge replay scan.evemu
              sudo keywedge type 4006381333931 --device --vendor 0c2e --product 0b61
            """)

    @Argument(help: "The text; a control character may be written with a backslash, as \\x1d.")
    var text: String

    @Option(name: [.short, .long], help: "The recording to write; - is standard output.")
    var output: String?

    @Flag(help: "Type through a virtual scanner, which needs /dev/uinput.")
    var device = false

    @OptionGroup var virtualScanner: VirtualScannerOptions
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var layoutOption: LayoutOption

    @Option(help: "The configured scanner to type as.")
    var scanner: String?

    @Option(help: ArgumentHelp("The time between two changes of a key.", valueName: "time"))
    var pace = DurationArgument(.milliseconds(2))

    func validate() throws {
        try pace.check(in: .zero ... .seconds(60), as: "--pace")
        guard (output != nil) != device else {
            throw ValidationError("expected either --output or --device")
        }
        guard device || !virtualScanner.isIdentityGiven else {
            throw ValidationError("--vendor, --product and --name belong to --device")
        }
    }

    func run() async throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let scanners = try orFail {
            try ReplayScanners(configuration: configuration, name: scanner)
        }
        let settings = scanners.settings
        let text = try orFail { try Backslashes.meaning(of: self.text) }
        let events = try orFail {
            try ScanTypist(settings: settings).events(typing: text, pace: pace.duration)
        }
        if let output {
            try write(events, to: output, as: scanners.identity)
        } else {
            try await type(events)
        }
        guard !Self.isReadBack(text, from: events, with: settings) else { return }
        StandardError.write("keywedge: with these settings replay does not read this text back")
        throw ExitCode(Ending.Code.rejected)
    }

    /// Whether what was typed is read as the text it was typed for.
    private static func isReadBack(
        _ text: String, from events: [KeyEvent], with settings: ScanSettings
    ) -> Bool {
        var assembler = ScanAssembler(settings: settings)
        let outcomes = (events.map { assembler.feed($0) } + [assembler.finish()])
            .filter { $0 != .nothing }
        guard case .scan(let scan)? = outcomes.first, outcomes.count == 1 else { return false }
        return (scan.aim ?? "") + scan.text == text
    }

    private func write(
        _ events: [KeyEvent], to output: String, as identity: DeviceIdentity
    ) throws {
        var bytes: [UInt8] = []
        var writer = EvemuWriter(device: identity)
        writer.appendHeader(to: &bytes)
        for event in events { writer.append(event, to: &bytes) }
        try orFail { try OutputFile.write(bytes, to: output) }
    }

    private func type(_ events: [KeyEvent]) async throws {
        let keys = events.filter { $0.type == InputEventType.key }.map {
            KeyCode(rawValue: $0.code)
        }
        let scanner = try orFail {
            try VirtualScanner(
                identity: virtualScanner.identity, keys: Set(KeyCode.ofAKeyboard).union(keys))
        }
        // The device is gone with the last reference.
        defer { withExtendedLifetime(scanner) {} }
        let wait = virtualScanner.wait.duration
        StandardError.write("keywedge: the virtual scanner is \(scanner.node ?? "there")")
        do {
            try await Task.sleep(for: wait)
            try await scanner.type(events)
            // With the device, whatever a reader has not read by then would be gone.
            try await Task.sleep(for: wait)
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }
}
