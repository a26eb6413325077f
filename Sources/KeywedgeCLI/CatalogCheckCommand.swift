import ArgumentParser
import Catalog
import CatalogService
import Events
import HTTPService
import KeywedgeConfiguration
import KeywedgeDaemon
import WebAPI
import WireText

struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find wrong check digits and shared codes, or try the catalogs over HTTP.",
        discussion: """
            Each finding is a line; with any, the command exits with 1. With --against, the catalog \
            is compared with the one that another keywedge serves, and each product that differs \
            is named; nothing is changed. With --endpoint, each \
            catalog over HTTP is tried: name, connection, TLS, authentication, codes it has and \
            one it has not. What was read is shown, and for what fails, the setting to write. Name \
            two codes that it has, with their prices: one alone cannot tell a catalog that does \
            not look at the code.

            Example:
              keywedge catalog check --catalog catalog.sqlite
              keywedge catalog check --against https://catalog.lan:8690 --token-file catalog.token
              keywedge catalog check --endpoint openfoodfacts --known 3017620422003
              keywedge catalog check --endpoint stock --known 4006381333931=1.99 --known MILK=0.89
            """)

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
        help: ArgumentHelp("Compare with the catalog that is served there.", valueName: "url"))
    var against: Address?

    @Option(
        help: ArgumentHelp(
            "With --against: the token that is shown to it; one line.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "With --against: trust the authorities in this PEM file instead of the system's.",
            valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "With --against: compare with what this shop has; else what the token is for.",
            valueName: "name"), transform: CatalogScope.reading)
    var scope: CatalogScope?

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        guard endpoint || (names.isEmpty && known.isEmpty && unknown == nil) else {
            throw ValidationError("names of catalogs, --known and --unknown need --endpoint")
        }
        guard against != nil || (tokenFile == nil && ca == nil && scope == nil) else {
            throw ValidationError("--token-file, --ca and --scope need --against")
        }
        guard against == nil || !endpoint else {
            throw ValidationError("--against and --endpoint: expected one of them")
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
            let catalog = try EmbeddedCatalog(path: path)
            try catalog.check { finding in
                count += 1
                try output.write(Array("\(finding)\n".utf8))
            }
            try output.flush()
            return try catalog.count()
        }
        try end(products, count)
    }

    /// Compares with another catalog; what differs is a line each.
    private func compare(_ path: String, with url: Address) async throws {
        var output = DescriptorWriter.standardOutput()
        var count = 0
        do {
            let follower = CatalogFollower(
                of: url, token: try tokenFile.map(BearerToken.read(from:)), as: scope,
                over: try CatalogFollower.transport(authorities: ca))
            let found = try await follower.compareAll(EmbeddedCatalog(path: path)) { difference in
                count += 1
                try output.write(Array("\(difference)\n".utf8))
            }
            try output.flush()
            StandardError.write(
                "keywedge: compared with revision \(Escaping.line.escaped(found.revision))")
            try end(found.products, count)
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
