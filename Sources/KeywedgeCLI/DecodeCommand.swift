import ArgumentParser
import Barcodes
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct DecodeCommand: AsyncParsableCommand, TakesCodes {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decode the text of barcodes.",
        discussion: """
            If a code cannot be read, it is reported, and the exit code is 1.

            Example:
              keywedge decode 4006381333931 ']d20109506000134352\\x1d10LOT-7' --explain
            """)

    @OptionGroup var input: CodeInput
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var sendingOptions: SendingOptions

    @Option(
        help: "The country whose in-store codes apply, such as SE; by default the configured one.",
        transform: parser(
            expecting: "one of " + Region.allCases.map(\.rawValue).joined(separator: ", ")
        ) { Region(rawValue: $0) })
    var region: Region?

    @Option(
        help: "The day to resolve two-digit years from, as 2026-11-21; by default today.",
        transform: parser(expecting: "a day, as 2026-11-21") {
            try? EventTime(rfc3339: $0 + "T00:00:00Z")
        })
    var today: EventTime?

    @OptionGroup var formatOption: ObjectFormatOption

    @Flag(help: "Show the code with its problems marked below (with --format pretty).")
    var explain = false

    @Flag(help: "Exit with 3 if a code has a problem that is an error.")
    var strict = false

    func run() async throws {
        var configuration = try configurationOption.load()
        configuration.barcodes.region = region ?? configuration.barcodes.region
        let decoder = try sendingOptions.decoder(of: configuration)
        let year = (today ?? SystemClock().now).year
        let format = explain ? .pretty : formatOption.chosen
        var output = DescriptorWriter.standardOutput()
        var hasErrors = false
        let unreadable = try await input.forEach { code in
            let barcode = decoder.decode(input: code)
            hasErrors = hasErrors || barcode.problems.contains { $0.severity == .error }
            try output.write { bytes in
                if format == .pretty {
                    BarcodeCard(barcode, year: year, marksProblems: explain)
                        .append(to: &bytes)
                } else {
                    var data = JSONObject(capacity: 12)
                    barcode.append(to: &data, seenFrom: year)
                    format.append(data, to: &bytes)
                }
            }
            // A program that sends codes one at a time waits for each answer.
            try output.flush()
        }
        if unreadable > 0 { throw ExitCode(Ending.Code.failed) }
        if strict, hasErrors { throw ExitCode(Ending.Code.rejected) }
    }
}
