import ArgumentParser
import Catalog
import CatalogFeeds
import Diagnosis
import Events
import HTTPService
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

    @Argument(
        help: "The folder for the files; it is created if it does not exist.",
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Publish this shop's products and prices; by default all products with common prices.",
            valueName: "name"), transform: CatalogScope.reading)
    var scope: CatalogScope?

    @Option(
        help: ArgumentHelp("Sign with this private key (Ed25519, PEM).", valueName: "file"),
        completion: .file())
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

struct CatalogFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Keep the catalog equal to a published feed.",
        discussion: """
            Applies all changes in one transaction, while lookups continue. Removes products that \
            the feed does not contain; keep products of this box alone in a second embedded \
            catalog. An interrupted download resumes. An older feed, a wrong file and, with \
            --trust, a missing or wrong signature are refused, and the catalog stays unchanged.

            Example:
              keywedge catalog follow https://office.example/feed --trust feed.pub --every 60s
              keywedge catalog follow /media/stick/feed
            """)

    @Argument(help: "The feed: an address or a folder.", completion: .directory)
    var source: String

    @Option(
        help: ArgumentHelp(
            "Run until a signal, and check about this often, as 60s; by default once.",
            valueName: "time"), transform: durations(.seconds(1) ... .seconds(86_400)))
    var every: Duration?

    @OptionGroup var feedOptions: FeedOptions
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let follower = try feedOptions.follower(of: source, into: path)
        guard let every else {
            do {
                return try report(try await follower.follow(), of: path)
            } catch {
                throw Failure.following(source, into: path, error)
            }
        }
        try await keepUp(path, by: follower, every: every)
    }

    /// Follows the feed until a signal arrives; reports a repeated failure only once.
    private func keepUp(
        _ path: String, by follower: FeedFollower, every interval: Duration
    ) async throws {
        var last = ""
        // If the feed itself is wrong, wait longer each time instead of fetching it again and again.
        var backoff = Backoff(first: interval * 2, longest: max(interval * 2, .seconds(3600)))
        while true {
            var asked = Duration.zero
            do {
                let outcome = try await follower.follow()
                let news = outcome.isExpired ? "expired" : "followed"
                if outcome.way.isChange || last != news { try report(outcome, of: path) }
                last = news
                backoff.reset()
            } catch is CancellationError {
                return
            } catch let error as OutputError {
                throw error
            } catch {
                let message = "\(Failure.following(source, into: path, error))"
                if message != last { StandardError.write(message) }
                last = message
                asked = Self.wait(after: error, &backoff)
            }
            // Random waits spread the requests of followers that started at the same time.
            let wait = max(interval * Double.random(in: 0.8...1.2), asked)
            guard (try? await Task.sleep(for: wait)) != nil else { return }
        }
    }

    /// The minimum wait before the next attempt after an error.
    ///
    /// After a failed web request, it is the wait that the server asked for, or zero. After any other error, such as
    /// a wrong feed, it grows each time.
    private static func wait(after error: any Error, _ backoff: inout Backoff) -> Duration {
        guard case FeedError.web(_, _, let wait, _) = error else { return backoff.next() }
        return min(wait ?? .zero, .seconds(86_400)) * Double.random(in: 1...1.25)
    }

    private func report(_ outcome: FeedFollower.Outcome, of path: String) throws {
        let (state, summary) = (outcome.state, outcome.summary)
        if case .full(let problem?) = outcome.way {
            configurationOption.quiet.say(
                "all products were read, not only what has changed. \(problem)")
        }
        let changes =
            outcome.way.isChange
            ? "\(summary.added) added, \(summary.updated) updated, \(summary.removed) removed"
            : "nothing has changed"
        try formatOption.report(
            [
                "catalog": .string(path), "changed": .bool(outcome.way.isChange),
                "added": .integer(Int64(summary.added)),
                "updated": .integer(Int64(summary.updated)),
                "removed": .integer(Int64(summary.removed)),
                "sequence": .integer(Int64(state.sequence)),
                "revision": .string("\(state.revision)"),
                "expires": .string("\(state.expires)"), "expired": .bool(outcome.isExpired),
            ],
            "\(Escaping.line.escaped(path)): \(changes); sequence \(state.sequence), "
                + "revision \(state.revision)", configurationOption.quiet)
        if outcome.isExpired {
            StandardError.write(
                "the feed has expired at \(state.expires); its prices may be old")
        }
    }
}

extension FeedFollower.Way {
    fileprivate var isChange: Bool {
        if case .unchanged = self { false } else { true }
    }
}

extension FeedFollower.Outcome {
    fileprivate var isExpired: Bool { state.expires.seconds < HTTPDate.now.secondsSince1970 }
}

struct FeedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Accept only a feed signed with this key: a public key in PEM.", valueName: "file"),
        completion: .file())
    var trust: String?

    @Option(
        help: ArgumentHelp("The file with the token for the server; one line.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Trust the authorities in this PEM file instead of the system's.", valueName: "file"),
        completion: .file())
    var ca: String?

    var isEmpty: Bool { trust == nil && tokenFile == nil && ca == nil }

    /// The maximum size of the `--ca` file in bytes, four times the size of the system's CA bundle.
    private static let authoritiesSize = 1 << 20

    func follower(of place: String, into path: String) throws -> FeedFollower {
        FeedFollower(
            of: try source(place), trusting: try trust.map(FeedKey.readPublic), into: path,
            now: { HTTPDate.now.secondsSince1970 })
    }

    private func source(_ place: String) throws -> FeedSource {
        guard place.contains("://") else {
            guard tokenFile == nil, ca == nil else {
                throw Failure(
                    "--token-file and --ca are for addresses; \(place.quoted()) is a folder")
            }
            return .folder(place)
        }
        let address = try Address(place)
        var tls = TLSOptions()
        if let ca { tls.trust = .only([try SmallFile.read(ca, limit: Self.authoritiesSize)]) }
        let transport = try AsyncHTTPClientTransport(
            tls: tls, limits: TransportLimits(responseBytes: WebFeed.largestAnswer))
        let token = try tokenFile.map { try BearerToken.read(from: $0).headerValue }
        return .web(try WebFeed(at: address, over: transport, authorization: token))
    }
}

extension BearerToken {
    static func read(from file: String) throws -> BearerToken {
        let token = try BearerToken(file: file)
        if let warning = warning(about: file) { StandardError.write("\(warning)") }
        return token
    }
}

extension Failure {
    /// Adds the feed's location and a remedy to an error that occurred while following or comparing the feed.
    static func following(_ feed: String, into catalog: String, _ error: any Error) -> any Error {
        guard let error = error as? FeedError else { return unlessCancelled(error) }
        return Failure(error, of: feed, Remedy(following: error, from: feed, into: catalog))
    }

    /// Adds the feed's location to an error, unless the error already names one of the feed's files.
    init(_ error: FeedError, of feed: String, _ remedy: Remedy?) {
        switch error {
        case .file, .web: self.init("\(error)", remedy)
        default: self.init("\(Escaping.line.escaped(feed)): \(error)", remedy)
        }
    }
}
