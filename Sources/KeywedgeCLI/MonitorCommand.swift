import ArgumentParser
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

struct MonitorCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Show a scanner's keys and characters live, and what is made of them.",
        discussion: """
            A line a key: the pause before it, the key, what is held with it, what it types on the \
            scanner's layout. After each scan: what was read, or why it is rejected, and the \
            settings that took part. Wrong characters mean a wrong layout. Every key is shown, \
            those of payment cards too. Ctrl-C ends it.

            Example:
              sudo keywedge monitor counter
            """)

    @OptionGroup var scannerArgument: ScannerArgument
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var layoutOption: LayoutOption

    func run() throws {
        let configuration = try layoutOption.applied(to: try configurationOption.load())
        let (choice, reader) = try scannerArgument.open(configuration)
        let node = Escaping.line.escaped(choice.nodes.joined(separator: ", "))
        StandardError.write(
            "keywedge: showing \(node) with the settings of \(choice.scanner.name); Ctrl-C ends it")
        StandardError.write(
            "keywedge: every key is shown, those of payment cards and identity documents too")
        let monitor = ScanMonitor(
            scanner: choice.scanner, decoder: configuration.decoder(for: choice.scanner),
            hidden: configuration.hide)
        let end = try show(monitor, reader)
        if end == .deviceGone { StandardError.write("keywedge: the scanner went away") }
    }

    private func show(_ monitor: ScanMonitor, _ reader: RawReader) throws -> RawReader.End {
        var monitor = monitor
        var output = DescriptorWriter.standardOutput()
        try output.write([ScanMonitor.heading])
        try output.flush()
        let end = try reader.forEach(wakeUp: { monitor.deadlineMicroseconds }) { events in
            for event in events { try output.write(monitor.feed(event)) }
            if events.isEmpty { try output.write(monitor.advance(to: reader.now)) }
            try output.flush()
        }
        try output.write(monitor.disconnect(at: reader.now))
        try output.flush()
        return end
    }
}

extension DescriptorWriter {
    /// Writes lines.
    fileprivate mutating func write(_ lines: [String]) throws {
        for line in lines { try write(Array("\(line)\n".utf8)) }
    }
}
