import ArgumentParser
import Catalog
import CatalogFeeds
import KeywedgeConfiguration
import WebAPI
import WireText

struct CatalogPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Write the catalog as files that other boxes follow.",
        discussion: """
            The folder can be served by any web server, or copied to an object store. Only what has \
            changed since the last time is written anew, and nothing if nothing has. Readers see the \
            feed as it was or as it is, never in between.

            A key to sign with, and the key that followers trust:
              openssl genpkey -algorithm ed25519 -out feed.key
              openssl pkey -in feed.key -pubout -out feed.pub

            Example:
              keywedge catalog publish /srv/www/feed --sign feed.key
              keywedge catalog publish /srv/www/airport --scope airport
            """)

    @Argument(help: "The folder for the files; it is made if there is none.")
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Publish what that shop has, with its prices; else all products, with the common prices.",
            valueName: "name"), transform: CatalogScope.reading)
    var scope: CatalogScope?

    @Option(
        help: ArgumentHelp("Sign with this private key (Ed25519, PEM).", valueName: "file"))
    var sign: String?

    @Option(
        help: ArgumentHelp(
            "How long followers may rely on the feed without a new publication.", valueName: "time")
    )
    var valid = DurationArgument(.seconds(7 * 86_400))

    @Flag(help: "Publish a catalog without products although there were some.")
    var allowEmpty = false

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        try valid.check(in: .seconds(60) ... .seconds(366 * 86_400), as: "--valid")
    }

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let outcome = try orFail {
            try FeedPublisher(
                into: folder, signing: try sign.map(FeedKey.readPrivate), validity: valid.duration,
                now: HTTPDate.now.secondsSince1970
            ).publish(CatalogFile(path: path), scope: scope, allowingEmpty: allowEmpty)
        }
        StandardError.write(Self.sentence(outcome, in: Escaping.line.escaped(folder)))
    }

    private static func sentence(_ outcome: FeedPublisher.Outcome, in folder: String) -> String {
        switch outcome {
        case .published(let manifest, let changed, let removed):
            "keywedge: \(folder): \(changed.counted("product")) changed, \(removed) removed, "
                + "\(manifest.count) published; sequence \(manifest.sequence), revision \(manifest.revision)"
        case .unchanged(let manifest):
            "keywedge: \(folder): nothing has changed; sequence \(manifest.sequence), "
                + "revision \(manifest.revision)"
        case .renewed(let manifest):
            "keywedge: \(folder): nothing has changed; the manifest is valid anew, "
                + "sequence \(manifest.sequence), revision \(manifest.revision)"
        }
    }
}
