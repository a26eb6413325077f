import ArgumentParser
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the attached devices, and whether and why keywedge would claim them.",
        discussion: """
            A * marks the devices that keywedge run would claim. The list of processes that have a \
            device open is complete only for root. No device is grabbed.

            Example:
              sudo keywedge devices
            """)

    @OptionGroup var configurationOption: ConfigurationOption

    @OptionGroup var formatOption: ObjectFormatOption

    func run() async throws {
        let rules = try configurationOption.load().readerConfiguration.rules
        let places = DevicePlaces()
        let report = DeviceReport(
            devices: DeviceSurvey(rules: rules, places: places).devices(),
            folder: access(places.nodes, F_OK) == 0 ? places.nodes : nil,
            isConfigured: !rules.configured.isEmpty)
        if formatOption.chosen == .json {
            for object in report.objects { try StandardOutput.write(object) }
            for line in report.advice where report.folder == nil { StandardError.write(line) }
        } else {
            try StandardOutput.write(lines: report.lines)
        }
    }
}
