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
        commandName: "lookup", abstract: "Look codes up in the configured catalog.",
        discussion: """
            If a code cannot be read or its lookup fails, the command reports it, and exits with 1. \
            If a catalog cannot be opened, the command reports it, and asks the others; the lookup \
            of a code that they do not have counts as failed.
            """,
        examples: "keywedge lookup 4006381333931 --catalog catalog.sqlite")

    @OptionGroup var input: CodeInput
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var sendingOptions: SendingOptions
    @OptionGroup var catalogOption: CatalogOption
    @OptionGroup var formatOption: ObjectFormatOption

    @Flag(help: "Explain the lookup and its requests; asks catalogs even if answers are cached.")
    var explain = false

    @Option(
        help: ArgumentHelp(
            "Show the prices of this time (RFC 3339); by default now.", valueName: "time"),
        transform: EventTime.reading)
    var at: EventTime?

    @Flag(help: "Exit with 3 if a product is not found.")
    var strict = false

    @Flag(help: "Also look up codes that look like payment cards or identity documents.")
    var sendAnyway = false

    func validate() throws {
        try require(
            !explain || formatOption.format == nil && !formatOption.json,
            "--explain prints text; leave --format and --json out")
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        let decoder = try sendingOptions.decoder(of: configuration)
        let sources = try catalogOption.sources(of: configuration)
        var hasMisses = false
        var failures = 0
        var detector = SensitiveContentDetector(hiding: configuration.hide)
        let unreadable = try await input.forEach { code in
            let barcode = decoder.decode(input: code)
            if !sendAnyway, let found = detector.inspect(barcode) {
                try withhold(found)
                hasMisses = true
                return
            }
            let lookup = try await look(barcode, in: sources)
            if let failure = lookup.failure {
                failures += 1
                if !explain { StandardError.write("\(failure.failure.reason)") }
            }
            if lookup.match == nil {
                hasMisses = true
                if sources.lacksCatalog { failures += 1 }
            }
        }
        if failures > 0 || unreadable > 0 { throw ExitCode(Ending.Code.failed) }
        if strict, hasMisses { throw ExitCode(Ending.Code.rejected) }
    }

    /// Reports that a sensitive code was not looked up; shows only its kind and length.
    private func withhold(_ content: SensitiveContent) throws {
        let (kind, length) = (content.kind.rawValue, content.length)
        if explain {
            try StandardOutput.write(lines: ["\(kind), \(length) characters: not looked up", ""])
        } else {
            try StandardOutput.write(
                [
                    "content": .string(kind), "length": .integer(Int64(length)),
                    "lookup": ["status": "skipped"],
                ], as: formatOption.chosen)
        }
        StandardError.write(
            "what looks like a \(kind.replacing("-", with: " ")) goes to no catalog, as "
                + "with scans; --send-anyway looks it up")
    }

    private func look(_ barcode: Barcode, in sources: CatalogSources) async throws -> LookupResult {
        let time = (at ?? SystemClock.now).microsecondsSince1970
        if explain {
            let explanation = await sources.explain(barcode).priced(at: time)
            try StandardOutput.write(lines: explanation.lines + [""])
            return explanation.result
        }
        let lookup = await sources.lookup(barcode).priced(at: time)
        var data: JSONObject = ["text": .string(barcode.text)]
        if let gtin = barcode.gtin { data.append("gtin", .string(gtin.text)) }
        lookup.append(to: &data, took: nil)
        try StandardOutput.write(data, as: formatOption.chosen)
        return lookup
    }
}
