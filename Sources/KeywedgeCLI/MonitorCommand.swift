import ArgumentParser
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

struct MonitorCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Show a scanner's keys, characters and scans live.",
        discussion: """
            One line per key: the pause before it, the key, the keys held with it, and its \
            character on the scanner's layout; for a scanner that does not type, one line per \
            report or byte. After each scan: the result or the reason for rejecting it, and the \
            relevant settings. Wrong characters mean a wrong layout. Every key is shown, including \
            those of payment cards. Ctrl-C ends it.

            Example:
              sudo keywedge monitor counter
            """)

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var layoutOption: LayoutOption

    func run() throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let (choice, reader) = try scannerArgument.open(configuration)
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        configurationOption.quiet.say(
            "showing \(node) with the settings of \(choice.scanner.name); Ctrl-C ends it")
        configurationOption.quiet.say(
            "every key is shown, those of payment cards and identity documents too")
        var monitor = ScanMonitor(
            scanner: choice.scanner, decoder: configuration.decoder(for: choice.scanner),
            isJSON: formatOption.chosen(else: .pretty) == .json,
            interface: reader.interface, hidden: configuration.hide)
        var output = DescriptorWriter.standardOutput()
        try output.write(lines: monitor.heading)
        try output.flush()
        let isGone = try reader.forEach(wakeUp: { monitor.deadlineMicroseconds }) { events in
            for event in events { try output.write(lines: monitor.feed(event)) }
            if events.isEmpty { try output.write(lines: monitor.advance(to: reader.now)) }
            try output.flush()
        }
        try output.write(lines: monitor.disconnect(at: reader.now))
        try output.flush()
        if isGone { configurationOption.quiet.say("the scanner went away") }
    }
}
