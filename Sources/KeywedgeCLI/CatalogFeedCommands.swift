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
        commandName: "publish", abstract: "Write the catalog as files that other boxes follow.",
        discussion: """
            Any web server can serve the folder, or you can copy it to an object store. Readers \
            see the old feed or the new one, never a mix.

            A key to sign with, and the key that followers trust:
              openssl genpkey -algorithm ed25519 -out feed.key
              openssl pkey -in feed.key -pubout -out feed.pub
            """,
        examples: "keywedge catalog publish /srv/www/feed --sign feed.key")

    @Argument(
        help: "The folder for the files; it is created if it does not exist.",
        completion: .directory)
    var folder: String

    @Option(
        help:
            "Publish this shop's products and prices; by default all products with common prices.",
        transform: CatalogScope.reading)
    var scope: CatalogScope?

    @Option(file: "Sign with this private key (Ed25519, PEM).")
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
        let (manifest, changed, removed) =
            switch outcome {
            case .published(let manifest, let changed, let removed): (manifest, changed, removed)
            case .unchanged(let manifest), .renewed(let manifest): (manifest, 0, 0)
            }
        let words =
            switch outcome {
            case .published:
                "\(changed.counted("product")) changed, \(removed) removed, \(manifest.count) published;"
            case .unchanged: "nothing has changed;"
            case .renewed: "nothing has changed; the manifest was renewed,"
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
        commandName: "follow", abstract: "Keep the catalog equal to a published feed.",
        discussion: """
            Applies all changes in one transaction, while lookups continue. Removes products that \
            the feed does not contain; put this box's own products into a second embedded catalog. \
            Refuses a feed that is older, wrong or, with --trust, not signed; the catalog then \
            stays unchanged.
            """,
        examples: "keywedge catalog follow https://office.example/feed --every 60s")

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

    /// Updates the catalog from the feed at intervals until the task is cancelled.
    private func keepUp(
        _ path: String, by follower: FeedFollower, every interval: Duration
    ) async throws {
        var last = ""
        // Wait longer after each failure, except when a file could not be fetched from the web.
        var backoff = Backoff(first: interval * 2, longest: max(interval * 2, .seconds(3600)))
        while true {
            var asked = Duration.zero
            do {
                let outcome = try await follower.follow()
                let news = outcome.isExpired ? "expired" : "followed"
                if outcome.isChange || last != news { try report(outcome, of: path) }
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
                if case FeedError.web(_, _, let wait, _) = error {
                    // Respect the wait that the server asks for.
                    asked = min(wait ?? .zero, .seconds(86_400)) * Double.random(in: 1...1.25)
                } else {
                    asked = backoff.next()
                }
            }
            // Random waits spread the requests of followers that started at the same time.
            let wait = max(interval * Double.random(in: 0.8...1.2), asked)
            guard (try? await Task.sleep(for: wait)) != nil else { return }
        }
    }

    private func report(_ outcome: FeedFollower.Outcome, of path: String) throws {
        let (state, summary, isChange) = (outcome.state, outcome.summary, outcome.isChange)
        if case .full(let problem?) = outcome.way {
            configurationOption.quiet.say(
                "all products were read, not only what has changed. \(problem)")
        }
        let changes =
            isChange
            ? "\(summary.added) added, \(summary.updated) updated, \(summary.removed) removed"
            : "nothing has changed"
        try formatOption.report(
            [
                "catalog": .string(path), "changed": .bool(isChange),
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
            StandardError.write("the feed has expired at \(state.expires); its prices may be old")
        }
    }
}

extension FeedFollower.Outcome {
    fileprivate var isChange: Bool { if case .unchanged = way { false } else { true } }

    fileprivate var isExpired: Bool { state.expires.seconds < HTTPDate.now.secondsSince1970 }
}

struct FeedOptions: ParsableArguments {
    @Option(file: "Accept only a feed signed with this key: a public key in PEM.")
    var trust: String?

    @Option(file: "The file with the token for the server; one line.")
    var tokenFile: String?

    @Option(file: "Trust the authorities in this PEM file instead of the system's.")
    var ca: String?

    var isEmpty: Bool { trust == nil && tokenFile == nil && ca == nil }

    func follower(of place: String, into path: String) throws -> FeedFollower {
        FeedFollower(
            of: try source(place), trusting: try trust.map(FeedKey.readPublic), into: path,
            now: { HTTPDate.now.secondsSince1970 })
    }

    private func source(_ place: String) throws -> FeedSource {
        guard place.contains("://") else {
            if tokenFile == nil, ca == nil { return .folder(place) }
            throw Failure("--token-file and --ca are for addresses; \(place.quoted()) is a folder")
        }
        let address = try Address(place)
        var tls = TLSOptions()
        // The limit is generous: the system's file of certificate authorities has about 200,000 bytes.
        if let ca { tls.trust = .only([try SmallFile.read(ca, limit: 1 << 20)]) }
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
    /// Converts a `FeedError` to a failure, and any other error by ``unlessCancelled(_:)``.
    static func following(_ feed: String, into catalog: String, _ error: any Error) -> any Error {
        guard let error = error as? FeedError else { return unlessCancelled(error) }
        return Failure(error, of: feed, Remedy(following: error, from: feed, into: catalog))
    }

    /// Creates a failure from a feed's error and a remedy.
    init(_ error: FeedError, of feed: String, _ remedy: Remedy?) {
        switch error {
        case .file, .web: self.init("\(error)", remedy)
        default: self.init("\(Escaping.line.escaped(feed)): \(error)", remedy)
        }
    }
}
