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
            Without CODE, codes are read from standard input, one a line. A control character may \
            be written with a backslash, as \\x1d; a backslash itself then as \\\\ (--raw takes codes \
            as they are). A code that cannot be read is named, and the exit code is 1.

            Example:
              keywedge decode 4006381333931 ']d20109506000134352\\x1d10LOT-7' --explain
            """)

    @OptionGroup var input: CodeInput
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var sendingOptions: SendingOptions

    @Option(help: "The country whose in-store codes hold, such as SE; else the configured one.")
    var region: Region?

    @Option(help: "The day two-digit years are seen from, as 2026-11-21; else today.")
    var today: Today?

    @Option(help: "json or pretty; without it pretty on a terminal and else json.")
    var format: ObjectFormat?

    @Flag(help: "Show the code with what is wrong marked under it (with --format pretty).")
    var explain = false

    @Flag(help: "Exit with 3 where a code has a problem that is an error.")
    var strict = false

    func run() async throws {
        var configuration = try configurationOption.load()
        configuration.barcodes.region = region ?? configuration.barcodes.region
        let decoder = try sendingOptions.decoder(of: configuration)
        let year = (today ?? .now).year
        let format = explain ? .pretty : self.format ?? .suitable
        var output = DescriptorWriter.standardOutput()
        var hasErrors = false
        let unreadable = try await input.forEach { code in
            let (aim, text) = AIMIdentifier.split(code)
            let barcode = decoder.decode(text, aim: aim?.description)
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
            // Whoever writes codes one at a time waits for each answer.
            try output.flush()
        }
        if unreadable > 0 { throw ExitCode(Ending.Code.failed) }
        if strict, hasErrors { throw ExitCode(Ending.Code.rejected) }
    }
}

/// The day that two-digit years are seen from.
struct Today: ExpressibleByArgument {
    /// Its year.
    let year: Int

    static var now: Today { Today(year: SystemClock().now.year) }

    private init(year: Int) {
        self.year = year
    }

    init?(argument: String) {
        guard let time = try? EventTime(rfc3339: argument + "T00:00:00Z") else { return nil }
        year = time.year
    }
}
