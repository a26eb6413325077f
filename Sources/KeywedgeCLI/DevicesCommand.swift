import ArgumentParser
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "What is attached, whether it would be taken, and why or why not.",
        discussion: """
            A * marks the devices that keywedge run would take. Who has a device open is told as far \
            as this user may know: run as root to see all. No device is grabbed.

            Example:
              sudo keywedge devices
            """)

    @OptionGroup var configurationOption: ConfigurationOption

    @Option(help: "json or pretty; without it pretty on a terminal and else json.")
    var format: ObjectFormat?

    func run() async throws {
        let rules = try configurationOption.load().readerConfiguration.rules
        let places = DevicePlaces()
        let report = DeviceReport(
            devices: DeviceSurvey(rules: rules, places: places).devices(),
            folder: access(places.nodes, F_OK) == 0 ? places.nodes : nil,
            isConfigured: !rules.configured.isEmpty)
        var output = DescriptorWriter.standardOutput()
        if (format ?? .suitable) == .json {
            for object in report.objects {
                try output.write { ObjectFormat.json.append(object, to: &$0) }
            }
            for line in report.advice where report.folder == nil { StandardError.write(line) }
        } else {
            for line in report.lines { try output.write(Array("\(line)\n".utf8)) }
        }
        try output.flush()
    }
}
