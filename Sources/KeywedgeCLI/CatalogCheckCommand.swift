import ArgumentParser
import Catalog
import CatalogFeeds
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find codes that must be wrong, or try the catalogs over HTTP.",
        discussion: """
            Finds wrong check digits, codes that belong to several products, and numbers that have \
            lost zeros. Each finding is a line; if there are any, the exit code is 1. With \
            --against, compares the catalog with a feed and names each product that differs. With \
            --migrate, first converts a catalog that an older keywedge wrote. With --endpoint, \
            tries each catalog over HTTP: name, connection, TLS, authentication, codes it knows \
            and one it does not. It prints what it read and, if an answer shows why a step failed, \
            the setting to write. Name two codes that the catalog knows, with their prices: a single code cannot \
            reveal a catalog that ignores the code.

            Example:
              keywedge catalog check --catalog catalog.sqlite
              keywedge catalog check --against https://office.example/feed
              keywedge catalog check --endpoint openfoodfacts --known 3017620422003
              keywedge catalog check --endpoint stock --known 4006381333931=1.99 --known MILK=0.89
            """)

    @Flag(help: "Convert a catalog that an older keywedge wrote, so that this one can read it.")
    var migrate = false

    @Flag(help: "Try the configured catalogs over HTTP, all or those named.")
    var endpoint = false

    @Argument(help: ArgumentHelp("With --endpoint: catalogs to try.", valueName: "name"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            With --endpoint: a code that the catalog knows, and its price to compare; may be \
            repeated. The default is one from the catalog's documentation, or two from the \
            embedded catalog.
            """, valueName: "code[=price]"))
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
        guard endpoint || (names.isEmpty && known.isEmpty && unknown == nil) else {
            throw ValidationError("names of catalogs, --known and --unknown need --endpoint")
        }
        guard against != nil || feedOptions.isEmpty else {
            throw ValidationError("--trust, --token-file and --ca need --against")
        }
        guard against == nil || !endpoint else {
            throw ValidationError("--against and --endpoint: expected one of them")
        }
        guard !endpoint || !migrate else {
            throw ValidationError("--migrate and --endpoint: expected one of them")
        }
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        if endpoint {
            let trial = EndpointTrials(
                configuration: configuration, names: names, known: known, unknown: unknown,
                embedded: try? catalogOption.file(of: configuration))
            return try await trial.run(
                as: formatOption.chosen(else: .pretty), configurationOption.quiet)
        }
        let path = try catalogOption.file(of: configuration)
        if let against { return try await compare(path, with: against) }
        var output = DescriptorWriter.standardOutput()
        var count = 0
        let catalog = try CatalogFile(
            path: path, access: migrate ? .changing : .reading, busyTimeout: .seconds(5))
        try catalog.check { finding in
            count += 1
            try write(["message": .string("\(finding)")], "\(finding)", to: &output)
        }
        try output.flush()
        try end(catalog.count(), count, in: path)
    }

    /// Compares the catalog with a feed, and prints a line for each product that differs.
    private func compare(_ path: String, with place: String) async throws {
        var output = DescriptorWriter.standardOutput()
        var count = 0
        do {
            let follower = try feedOptions.follower(of: place, into: path)
            let manifest = try await follower.compare { id, difference in
                count += 1
                let json: JSONObject = [
                    "product": .string(id), "difference": .string(difference.rawValue),
                ]
                try write(json, "The product \(id.quoted()) \(difference.rawValue).", to: &output)
            }
            try output.flush()
            configurationOption.quiet.say("compared with revision \(manifest.revision)")
            try end(manifest.count, count, in: path)
        } catch {
            throw error is ExitCode ? error : Failure.following(place, into: path, error)
        }
    }

    private func write(
        _ json: JSONObject, _ line: String, to output: inout DescriptorWriter
    ) throws {
        try formatOption.chosen(else: .pretty).write(json, [line], to: &output)
    }

    private func end(_ products: Int, _ count: Int, in path: String) throws {
        configurationOption.quiet.say(
            "\(Escaping.line.escaped(path)): \(products.counted("product")), "
                + "\(count.counted("finding"))")
        if count > 0 { throw ExitCode(Ending.Code.failed) }
    }
}
