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
        abstract: "Find codes that cannot be right, or try the catalogs over HTTP.",
        discussion: """
            Wrong check digits, codes of several products, and numbers that have lost zeros are \
            found. Each finding is a line; with any, the command exits with 1. With --against, the \
            catalog is compared with a feed, and each product that differs is named. With --migrate, a \
            catalog that an older keywedge wrote is converted first. With --endpoint, each \
            catalog over HTTP is tried: name, connection, TLS, authentication, codes it has and \
            one it has not. What was read is shown, and for what fails, the setting to write. Name \
            two codes that it has, with their prices: one alone cannot tell a catalog that does \
            not look at the code.

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
            With --endpoint: a code that the catalog has, and its price, which is compared; may be \
            repeated. Else one of its documentation, or two of the embedded catalog.
            """, valueName: "code[=price]"))
    var known: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --endpoint: a code that the catalog has not; else one that nothing has.",
            valueName: "code"))
    var unknown: String?

    @Option(
        help: ArgumentHelp(
            "Compare with the feed at this address or in this folder.", valueName: "place"))
    var against: String?

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
            return try await trial.run()
        }
        let path = try catalogOption.file(of: configuration)
        if let against { return try await compare(path, with: against) }
        var output = DescriptorWriter.standardOutput()
        var count = 0
        let products = try orFail {
            let catalog = try CatalogFile(
                path: path, access: migrate ? .changing : .reading, busyTimeout: .seconds(5))
            try catalog.check { finding in
                count += 1
                try output.write(Array("\(finding)\n".utf8))
            }
            try output.flush()
            return try catalog.count()
        }
        try end(products, count)
    }

    /// Compares with a feed; each product that differs is a line.
    private func compare(_ path: String, with place: String) async throws {
        var output = DescriptorWriter.standardOutput()
        var count = 0
        do {
            let follower = try feedOptions.follower(of: place, into: path)
            let manifest = try await follower.compare { id, difference in
                count += 1
                let line = "The product \(id.quoted()) \(difference.rawValue).\n"
                try output.write(Array(line.utf8))
            }
            try output.flush()
            StandardError.write("keywedge: compared with revision \(manifest.revision)")
            try end(manifest.count, count)
        } catch let code as ExitCode {
            throw code
        } catch {
            throw Failure.unlessCancelled(error)
        }
    }

    private func end(_ products: Int, _ count: Int) throws {
        StandardError.write("keywedge: \(products.counted("product")), \(count.counted("finding"))")
        if count > 0 { throw ExitCode(Ending.Code.failed) }
    }
}
