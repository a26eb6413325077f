import ArgumentParser
import Catalog
import CatalogFeeds
import Events
import KeywedgeConfiguration
import WebAPI
import WireText

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

    @Argument(help: "The feed: an address or a folder.")
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
            // Random waits spread followers that started at the same time.
            let wait = max(interval * Double.random(in: 0.8...1.2), asked)
            guard (try? await Task.sleep(for: wait)) != nil else { return }
        }
    }

    /// The extra wait before the next attempt; random, but never shorter than the server demands.
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
    /// Whether the catalog changed.
    fileprivate var isChange: Bool {
        if case .unchanged = self { false } else { true }
    }
}

extension FeedFollower.Outcome {
    /// Whether the publisher should have published the feed again by now.
    fileprivate var isExpired: Bool { state.expires.seconds < HTTPDate.now.secondsSince1970 }
}
