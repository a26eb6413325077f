import ArgumentParser
import Barcodes
import Catalog
import Events
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct LookupCommand: AsyncParsableCommand, TakesCodes {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Look codes up in the configured catalog.",
        discussion: """
            Without CODE, codes are read from standard input, one a line. A control character may \
            be written with a backslash, as \\x1d; a backslash itself then as \\\\ (--raw takes codes \
            as they are). A code that cannot be read, or whose lookup fails, is named, and the exit \
            code is 1. What looks like a payment card or an identity document is not looked up, as \
            no scan of one is.

            Example:
              keywedge lookup 4006381333931 --catalog catalog.sqlite
            """)

    @OptionGroup var input: CodeInput
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var sendingOptions: SendingOptions
    @OptionGroup var catalogOption: CatalogOption

    @Option(help: "json or pretty; without it pretty on a terminal and else json.")
    var format: ObjectFormat?

    @Flag(
        help: """
            Show how: what each source was asked and answered, which place gave which field, \
            which rules matched, what the cache did. Catalogs are asked whatever is kept.
            """)
    var explain = false

    @Option(
        help: ArgumentHelp(
            "The time whose prices are shown (RFC 3339); else now.", valueName: "time"),
        transform: EventTime.reading)
    var at: EventTime?

    @Flag(help: "Exit with 3 where a product is not found.")
    var strict = false

    @Flag(help: "Look up even what looks like a payment card or an identity document.")
    var sendAnyway = false

    func validate() throws {
        guard !explain || format == nil else {
            throw ValidationError("--explain prints text; leave --format out")
        }
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        let decoder = try sendingOptions.decoder(of: configuration)
        let sources = try catalogOption.sources(of: configuration)
        var output = DescriptorWriter.standardOutput()
        var hasMisses = false
        var failures = 0
        var detector = SensitiveContentDetector(hiding: configuration.hide)
        let unreadable = try await input.forEach { code in
            let (aim, text) = AIMIdentifier.split(code)
            let barcode = decoder.decode(text, aim: aim?.description)
            if !sendAnyway, let found = detector.inspect(barcode) {
                try withhold(found, &output)
                hasMisses = true
                return
            }
            let lookup = try await look(barcode, in: sources, &output)
            try output.flush()
            if let failure = lookup.failure {
                failures += 1
                if !explain { StandardError.write("keywedge: \(failure.failure.reason)") }
            }
            hasMisses = hasMisses || lookup.match == nil
        }
        if failures > 0 || unreadable > 0 { throw ExitCode(Ending.Code.failed) }
        if strict, hasMisses { throw ExitCode(Ending.Code.rejected) }
    }

    /// Says that something was not looked up, and nothing of it but its kind and length.
    private func withhold(
        _ content: SensitiveContent, _ output: inout DescriptorWriter
    ) throws {
        let (kind, length) = (content.kind.rawValue, content.length)
        if explain {
            let line = "\(kind), \(length) characters: not looked up"
            try output.write(Array("\(line)\n\n".utf8))
        } else {
            let data: JSONObject = [
                "content": .string(kind), "length": .integer(Int64(length)),
                "lookup": ["status": "skipped"],
            ]
            try output.write { (format ?? .suitable).append(data, to: &$0) }
        }
        try output.flush()
        StandardError.write(
            "keywedge: what looks like a \(kind.replacing("-", with: " ")) goes to no catalog, as "
                + "with scans; --send-anyway looks it up")
    }

    private func look(
        _ barcode: Barcode, in sources: CatalogSources, _ output: inout DescriptorWriter
    ) async throws -> LookupResult {
        let time = (at ?? SystemClock().now).microsecondsSince1970
        if explain {
            let explanation = await sources.explain(barcode).priced(at: time)
            for line in explanation.lines + [""] { try output.write(Array("\(line)\n".utf8)) }
            return explanation.result
        }
        let lookup = await sources.lookup(barcode).priced(at: time)
        var data: JSONObject = ["text": .string(barcode.text)]
        if let gtin = barcode.gtin { data.append("gtin", .string(gtin.text)) }
        lookup.append(to: &data, took: nil)
        try output.write { (format ?? .suitable).append(data, to: &$0) }
        return lookup
    }
}
