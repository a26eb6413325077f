import ArgumentParser
import Catalog
import CatalogFeeds
import Diagnosis
import KeywedgeConfiguration
import WebAPI
import WireText

struct CatalogPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Write the catalog as files that other boxes follow.",
        discussion: """
            Any web server can serve the folder, or you copy it to an object store. Only changed files \
            are written again, and none if nothing has changed. Readers see the old feed or the new \
            one, never a mix.

            A key to sign with, and the key that followers trust:
              openssl genpkey -algorithm ed25519 -out feed.key
              openssl pkey -in feed.key -pubout -out feed.pub

            Example:
              keywedge catalog publish /srv/www/feed --sign feed.key
              keywedge catalog publish /srv/www/airport --scope airport
            """)

    @Argument(help: "The folder for the files; it is created if it does not exist.")
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Publish this shop's products and prices; by default all products with common prices.",
            valueName: "name"), transform: CatalogScope.reading)
    var scope: CatalogScope?

    @Option(
        help: ArgumentHelp("Sign with this private key (Ed25519, PEM).", valueName: "file"))
    var sign: String?

    @Option(
        help: ArgumentHelp(
            "How long followers may rely on the feed without a new publication; by default 7d.",
            valueName: "time"), transform: durations(.seconds(60) ... .seconds(366 * 86_400)))
    var valid = Duration.seconds(7 * 86_400)

    @Flag(help: "Publish a catalog without products, even if the last one had some.")
    var allowEmpty = false

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let key = try sign.map(FeedKey.readPrivate)
        let outcome: FeedPublisher.Outcome
        do {
            outcome = try FeedPublisher(
                into: folder, signing: key, validity: valid, now: HTTPDate.now.secondsSince1970
            ).publish(CatalogFile(path: path), scope: scope, allowingEmpty: allowEmpty)
        } catch let error as FeedError {
            throw Failure(error, of: folder, Remedy(publishing: error, of: path, into: folder))
        }
        try report(outcome)
    }

    private func report(_ outcome: FeedPublisher.Outcome) throws {
        let (manifest, changed, removed, words) =
            switch outcome {
            case .published(let manifest, let changed, let removed):
                (
                    manifest, changed, removed,
                    "\(changed.counted("product")) changed, \(removed) removed, "
                        + "\(manifest.count) published;"
                )
            case .unchanged(let manifest): (manifest, 0, 0, "nothing has changed;")
            case .renewed(let manifest):
                (manifest, 0, 0, "nothing has changed; the manifest was renewed,")
            }
        try formatOption.report(
            [
                "folder": .string(folder), "changed": .integer(Int64(changed)),
                "removed": .integer(Int64(removed)), "count": .integer(Int64(manifest.count)),
                "sequence": .integer(Int64(manifest.sequence)),
                "revision": .string("\(manifest.revision)"),
            ],
            "\(Escaping.line.escaped(folder)): \(words) sequence \(manifest.sequence), "
                + "revision \(manifest.revision)", configurationOption.quiet)
    }
}
