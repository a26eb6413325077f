import ArgumentParser
import Barcodes
import Events
import KeywedgeDaemon

struct DecodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decode the text of barcodes.",
        discussion: """
            Without CODE, codes are read from standard input, one a line. A control character may \
            be written with a backslash, as \\x1d; a backslash itself then as \\\\.

            Example:
              keywedge decode 4006381333931 ']E0042100005264'
            """)

    @Argument(help: "Texts as a scanner types them, with or without an AIM identifier.")
    var codes: [String] = []

    @OptionGroup var configurationOption: ConfigurationOption

    @Option(help: "json or text; without it text on a terminal and else json.")
    var format: ObjectFormat?

    @Flag(help: "Exit with 3 where a code has a problem that is an error.")
    var strict = false

    func run() async throws {
        let decoder = try configurationOption.load().barcodes.decoder
        var output = DescriptorWriter.standardOutput()
        var hasErrors = false
        try InputLines.forEach(of: codes) { line in
            guard let code = Escaping.unescapedLine(line) else {
                throw Failure(
                    "cannot read \"\(Escaping.line.escaped(line))\": expected a backslash to be "
                        + "followed by \\, t, n, r, xHH, uHHHH or UHHHHHHHH")
            }
            let (aim, text) = AIMIdentifier.split(code)
            let barcode = decoder.decode(text, aim: aim?.description)
            hasErrors = hasErrors || barcode.problems.contains { $0.severity == .error }
            var data = JSONObject(capacity: 12)
            barcode.append(to: &data)
            try output.write { (format ?? .suitable).append(data, to: &$0) }
        }
        try output.flush()
        if strict, hasErrors { throw ExitCode(Ending.Code.rejected) }
    }
}
