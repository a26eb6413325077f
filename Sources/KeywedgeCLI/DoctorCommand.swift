import ArgumentParser
import Diagnosis
import Events
import Glibc
import KeywedgeConfiguration
import WireText

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find problems on this box, and say how to fix them.",
        discussion: """
            Checks in order: configuration, rights, scanners, catalog, journal, sinks, interface, \
            clock, unit, versions. For each failure it prints the command or setting that fixes \
            it. It changes nothing and does not disturb a running daemon. Run it as root: it \
            reports what another user may not see. The exit code is 1 if something failed, and 3 \
            if something needs attention.

            Example:
              sudo keywedge doctor
              sudo keywedge doctor --scan 30s
            """)

    @OptionGroup var formatOption: ObjectFormatOption

    @Option(
        help: ArgumentHelp(
            """
            Show a symbol, wait this long for a scan of it, and check that the scanner ends its \
            scans and types on the configured layout.
            """, valueName: "time"), transform: durations(.seconds(1) ... .seconds(3600)))
    var scan: Duration?

    @Flag(help: "Also send each sink an event of the type keywedge.test.")
    var sendTestEvent = false

    @Flag(help: "Do not send requests to the declared catalogs.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "The age in days from which the catalog gives a warning; by default 30.",
            valueName: "days"), transform: numbers(1...3650))
    var catalogAge = 30

    @OptionGroup var configurationOption: ConfigurationOption

    func run() async throws {
        var box = await Box.read(configurationOption, isOffline: offline)
        box.sendsTestEvent = sendTestEvent
        box.oldestCatalog = .seconds(Int64(catalogAge) * 86_400)
        let seen: ScanFinding.Seen? =
            if let scan { await box.scan(within: scan) } else { nil }
        var output = DescriptorWriter.standardOutput()
        let json = formatOption.chosen(else: .pretty) == .json
        let quiet = configurationOption.quiet
        let report = try await Doctor(box, seen: seen).run { finding in
            guard !json, !quiet.quiet || !finding.isWell else { return }
            try output.write(lines: finding.lines)
            try output.flush()
        }
        if json {
            try output.write { bytes in
                JSONWriter.append(report.json(["root": .bool(box.isRoot)]), to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
            try output.flush()
        } else {
            quiet.say(Self.summary(report, hidesFromUser: box.hidesFromUser))
        }
        switch report.worst {
        case .fails: throw ExitCode(Ending.Code.failed)
        case .warns, .unseen: throw ExitCode(Ending.Code.rejected)
        case .holds, .notTried: return
        }
    }

    private static func summary(_ report: Report, hidesFromUser: Bool) -> String {
        let unseen = report.count(.unseen)
        let parts = [
            "\(report.count(.fails)) failed", report.count(.warns).counted("warning"),
            unseen == 0 ? nil : "\(unseen) not seen",
            hidesFromUser ? "run it as root to see all" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
