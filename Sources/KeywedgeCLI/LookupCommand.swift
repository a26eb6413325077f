import ArgumentParser
import Barcodes
import Catalog
import Events
import KeywedgeDaemon
import WireText

struct LookupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Look codes up in the configured catalog.",
        discussion: """
            Without CODE, codes are read from standard input, one a line.

            Example:
              keywedge lookup 4006381333931 --catalog catalog.sqlite
            """)

    @Argument(help: "Codes as a scanner types them.")
    var codes: [String] = []

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    @Option(help: "json or pretty; without it pretty on a terminal and else json.")
    var format: ObjectFormat?

    @Flag(help: "Exit with 3 where a product is not found.")
    var strict = false

    func run() async throws {
        let configuration = try configurationOption.load()
        let decoder = BarcodeDecoder(settings: configuration.barcodes)
        let sources = try catalogOption.sources(of: configuration)
        var output = DescriptorWriter.standardOutput()
        var hasMisses = false
        try await InputLines.forEach(of: codes) { line in
            let (aim, text) = AIMIdentifier.split(try InputLines.unescaped(line))
            let barcode = decoder.decode(text, aim: aim?.description)
            let lookup = await sources.lookup(barcode)
            if let failure = lookup.failure { throw Failure(failure.failure.reason) }
            hasMisses = hasMisses || lookup.match == nil
            var data: JSONObject = ["text": .string(barcode.text)]
            if let gtin = barcode.gtin { data.append("gtin", .string(gtin.text)) }
            lookup.append(to: &data, took: nil)
            try output.write { (format ?? .suitable).append(data, to: &$0) }
            try output.flush()
        }
        if strict, hasMisses { throw ExitCode(Ending.Code.rejected) }
    }
}
