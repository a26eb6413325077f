import ArgumentParser
import Barcodes
import Catalog
import CatalogFeeds
import Diagnosis
import HTTPCatalog
import KeywedgeConfiguration
import WireText

struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find codes that must be wrong, or try the catalogs over HTTP.",
        discussion: """
            Finds wrong check digits, codes that belong to several products, and numbers that have \
            lost zeros; if there are any, the exit code is 1. With --endpoint, tries each catalog \
            over HTTP, and prints what it read and, if an answer shows why a step failed, the \
            setting to write. Name two codes that the catalog knows, with their prices: with one, \
            a catalog that ignores the code goes unnoticed.
            """,
        examples: "keywedge catalog check --against https://office.example/feed",
        "keywedge catalog check --endpoint stock --known 4006381333931=1.99 --known MILK=0.89")

    @Flag(help: "Convert a catalog that an older keywedge wrote, so that this one can read it.")
    var migrate = false

    @Flag(help: "Try the configured catalogs over HTTP, all or those named.")
    var endpoint = false

    @Argument(help: ArgumentHelp("With --endpoint: catalogs to try.", valueName: "name"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --endpoint: a code that the catalog knows, and its price; may be repeated.",
            valueName: "code[=price]"))
    var known: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --endpoint: a code that the catalog does not know; by default an unused one.",
            valueName: "code"))
    var unknown: String?

    @Option(
        help: ArgumentHelp(
            "Compare with the feed at this address or in this folder.", valueName: "place"))
    var against: String?

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var feedOptions: FeedOptions
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        try require(
            endpoint || (names.isEmpty && known.isEmpty && unknown == nil),
            "names of catalogs, --known and --unknown need --endpoint")
        try require(
            against != nil || feedOptions.isEmpty, "--trust, --token-file and --ca need --against")
        try require(against == nil || !endpoint, "--against and --endpoint: expected one of them")
        try require(!endpoint || !migrate, "--migrate and --endpoint: expected one of them")
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        if endpoint {
            let trial = EndpointTrials(
                configuration: configuration, names: names, known: known, unknown: unknown,
                embedded: try? catalogOption.file(of: configuration))
            return try await trial.run(formatOption, configurationOption.quiet)
        }
        let path = try catalogOption.file(of: configuration)
        if let against { return try await compare(path, with: against) }
        var count = 0
        let catalog = try CatalogFile(
            path: path, access: migrate ? .changing : .reading, busyTimeout: .seconds(5))
        try catalog.check { finding in
            count += 1
            try formatOption.print(["message": .string("\(finding)")], ["\(finding)"])
        }
        try end(catalog.count(), count, in: path)
    }

    private func compare(_ path: String, with place: String) async throws {
        var count = 0
        do {
            let follower = try feedOptions.follower(of: place, into: path)
            let manifest = try await follower.compare { id, difference in
                count += 1
                try formatOption.print(
                    ["product": .string(id), "difference": .string(difference.rawValue)],
                    ["The product \(id.quoted()) \(difference.rawValue)."])
            }
            configurationOption.quiet.say("compared with revision \(manifest.revision)")
            try end(manifest.count, count, in: path)
        } catch {
            throw error is ExitCode ? error : Failure.following(place, into: path, error)
        }
    }

    private func end(_ products: Int, _ count: Int, in path: String) throws {
        configurationOption.quiet.say(
            "\(Escaping.line.escaped(path)): \(products.counted("product")), "
                + "\(count.counted("finding"))")
        if count > 0 { throw ExitCode(Ending.Code.failed) }
    }
}

/// Tests of HTTP catalogs, for `catalog check --endpoint` and `doctor`.
struct EndpointTrials {
    let configuration: Configuration
    /// The names of the catalogs to test; empty to test all of them.
    var names: [String] = []
    /// Codes that the catalogs should find, each with an optional price, such as `4006381333931=1.99`.
    var known: [String] = []
    var unknown: String?
    /// The path of the embedded catalog, which provides sample codes; nil to use none.
    let embedded: String?
    var credentialsFolder = Credentials.folder

    func run(_ format: ObjectFormatOption, _ quiet: QuietOption) async throws {
        let catalogs = try chosen()
        let unit = await UnitState.asked()
        var failures = 0
        for catalog in catalogs {
            let report = await check(of: catalog, unit).run()
            try Task.checkCancellation()
            if report.worst == .fails { failures += 1 }
            let (name, url) = (catalog.declaration.name, catalog.declaration.url)
            try format.print(
                report.json(["catalog": .string(name), "url": .string(url)]),
                [Escaping.sentence.escaped("\(name)  \(url)")]
                    + report.findings.flatMap(\.lines) + [""])
        }
        quiet.say("\(catalogs.count.counted("catalog")) tried, \(failures) failed")
        if failures > 0 { throw ExitCode(Ending.Code.failed) }
    }

    func check(of catalog: HTTPCatalogConfiguration, _ unit: UnitState?) -> EndpointCheck {
        var check = EndpointCheck(
            catalog, codes: codes(for: catalog.declaration.name),
            opening: CatalogFactory(credentialsFolder: credentialsFolder) {
                StandardError.write($0)
            })
        check.decoder = BarcodeDecoder(settings: configuration.barcodes)
        check.deadline = configuration.catalog.deadline
        check.unit = unit.map { UnitNetwork($0) }
        return check
    }

    private func chosen() throws -> [HTTPCatalogConfiguration] {
        let all = configuration.catalog.sources.compactMap { source in
            if case .http(let catalog) = source { catalog } else { nil }
        }
        guard !all.isEmpty else {
            throw Failure(
                "no catalog over HTTP is configured; expected one in catalog.sources (docs/catalog-http.md)"
            )
        }
        guard !names.isEmpty else { return all }
        return try names.map { name in
            if let catalog = all.first(where: { $0.declaration.name == name }) { return catalog }
            throw Failure(
                "no catalog over HTTP is called", name, known: all.map(\.declaration.name))
        }
    }

    private func codes(for catalog: String) -> EndpointCodes {
        var codes = known.map(EndpointCodes.Known.init(reading:))
        if codes.isEmpty, let documented = EndpointCodes.documented[catalog] {
            codes.append(EndpointCodes.Known(documented))
        }
        let samples = embedded.flatMap { try? CatalogFile(path: $0).sampleCodes() } ?? []
        for sample in samples where codes.count < 2 && !codes.contains(where: { $0.code == sample })
        {
            codes.append(EndpointCodes.Known(sample, isGuess: true))
        }
        return EndpointCodes(known: codes, unknown: unknown)
    }
}
