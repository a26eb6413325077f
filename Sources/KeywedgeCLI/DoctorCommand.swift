import ArgumentParser
import Diagnosis
import Events
import Glibc
import KeywedgeConfiguration
import WireText

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find what is wrong on this box, and say what to do.",
        discussion: """
            Tries everything in order: configuration, rights, scanners, catalog, journal, sinks, \
            interface, clock, unit, versions. For what fails it prints the command or the setting \
            that mends it. It changes nothing, and disturbs no daemon that runs. Run it as root: \
            what another user may not see, it says. Exit code 1 where something failed, 3 where \
            something should be looked at.

            Example:
              sudo keywedge doctor
              sudo keywedge doctor --scan 30s
            """)

    @Flag(help: "Print all findings as one JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp(
            """
            Show a symbol and look at the scan of it, which has so long to come: whether the scanner \
            ends its scans, and is on the layout that is configured.
            """, valueName: "time"))
    var scan: DurationArgument?

    @Flag(help: "Send each sink an event of the type keywedge.test, too.")
    var sendTestEvent = false

    @Flag(help: "Do not ask the declared catalogs.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "How old the catalog may be before somebody should look.", valueName: "days"))
    var catalogAge = 30

    @OptionGroup var configurationOption: ConfigurationOption

    func validate() throws {
        try scan?.check(in: .seconds(1) ... .seconds(3600), as: "--scan")
        guard (1...3650).contains(catalogAge) else {
            throw ValidationError("--catalog-age: expected 1 to 3650 days, got \(catalogAge)")
        }
    }

    func run() async throws {
        let box = await DoctorBox(
            configurationOption, isOffline: offline, sendsTestEvent: sendTestEvent,
            catalogAge: .seconds(Int64(catalogAge) * 86_400))
        var output = DescriptorWriter.standardOutput()
        var checks = box.checks
        if let scan {
            let seen = await box.scan.look(within: scan.duration)
            checks = [
                ScanFinding(seen, scanners: box.configuration.scanners, file: box.file)
            ]
        }
        let report = try await Doctor(checks).run { finding in
            guard !json else { return }
            for line in finding.lines { try output.write(Array("\(line)\n".utf8)) }
            try output.flush()
        }
        if json {
            try output.write { bytes in
                JSONWriter.append(report.json(isRoot: box.isRoot), to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
            try output.flush()
        } else {
            StandardError.write(Self.summary(report, isRoot: box.isRoot))
        }
        switch report.worst {
        case .fails: throw ExitCode(Ending.Code.failed)
        case .warns, .unseen: throw ExitCode(Ending.Code.rejected)
        case .holds, .notTried: return
        }
    }

    private static func summary(_ report: DoctorReport, isRoot: Bool) -> String {
        let unseen = report.count(.unseen)
        let parts = [
            "\(report.count(.fails)) failed", report.count(.warns).counted("warning"),
            unseen == 0 ? nil : "\(unseen) not seen",
            isRoot ? nil : "run it as root to see all",
        ]
        return "keywedge: " + parts.compactMap(\.self).joined(separator: ", ")
    }
}
