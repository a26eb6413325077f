import ArgumentParser
import CatalogFeeds
import Events
import KeywedgeConfiguration
import WebAPI
import WireText

struct CatalogFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Keep the catalog exactly as a published feed.",
        discussion: """
            What has changed is taken in one transaction, all or nothing, and lookups go on \
            meanwhile. Products that the feed does not have go: those of this box alone belong in a \
            second embedded catalog. A cut download resumes. An older feed, a wrong file and, with \
            --trust, a missing or wrong signature are refused, and the catalog stays as it was.

            Example:
              keywedge catalog follow https://office.example/feed --trust feed.pub --every 60s
              keywedge catalog follow /media/stick/feed
            """)

    @Argument(help: "Where the feed is: an address, or a folder.")
    var source: String

    @Option(
        help: ArgumentHelp(
            "Go on until a signal, and look again after about this time, as 60s; else once.",
            valueName: "time"))
    var every: DurationArgument?

    @OptionGroup var feedOptions: FeedOptions
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        try every?.check(in: .seconds(1) ... .seconds(86_400), as: "--every")
    }

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let follower = try feedOptions.follower(of: source, into: path)
        guard let every else {
            do {
                return Self.report(try await follower.follow(), of: path)
            } catch {
                throw Failure.unlessCancelled(error)
            }
        }
        await keepUp(path, by: follower, every: every.duration)
    }

    /// Follows until a signal ends it; reports a failure once as long as it has the same reason.
    private func keepUp(
        _ path: String, by follower: FeedFollower, every interval: Duration
    ) async {
        var last = ""
        // What is wrong with the feed itself is not fetched again and again.
        var backoff = Backoff(first: interval * 2, longest: max(interval * 2, .seconds(3600)))
        while true {
            var asked = Duration.zero
            do {
                let outcome = try await follower.follow()
                let news = outcome.isExpired ? "expired" : "followed"
                if outcome.way.isChange || last != news { Self.report(outcome, of: path) }
                last = news
                backoff.reset()
            } catch is CancellationError {
                return
            } catch {
                let message = Failure(error).message
                if message != last { StandardError.write(message) }
                last = message
                asked = Self.wait(after: error, &backoff)
            }
            // Followers that start together do not stay together.
            let wait = max(interval * Double.random(in: 0.8...1.2), asked)
            guard (try? await Task.sleep(for: wait)) != nil else { return }
        }
    }

    /// How long to leave the feed alone beyond the usual time; each follower a little longer than asked.
    private static func wait(after error: any Error, _ backoff: inout Backoff) -> Duration {
        guard case FeedError.web(_, _, let wait) = error else { return backoff.next() }
        return min(wait ?? .zero, .seconds(86_400)) * Double.random(in: 1...1.25)
    }

    private static func report(_ outcome: FeedFollower.Outcome, of path: String) {
        let state = outcome.state
        let path = Escaping.line.escaped(path)
        if case .full(let problem?) = outcome.way {
            StandardError.write(
                "keywedge: all products were read, not only what has changed. \(problem)")
        }
        let changes =
            switch outcome.way {
            case .unchanged: "nothing has changed"
            default:
                "\(outcome.added) added, \(outcome.updated) updated, \(outcome.removed) removed"
            }
        StandardError.write(
            "keywedge: \(path): \(changes); sequence \(state.sequence), revision \(state.revision)")
        if outcome.isExpired {
            StandardError.write(
                "keywedge: the feed has expired at \(state.expires); its prices may be old")
        }
    }
}

extension FeedFollower.Way {
    /// Whether the catalog was written to.
    fileprivate var isChange: Bool {
        if case .unchanged = self { false } else { true }
    }
}

extension FeedFollower.Outcome {
    /// Whether the publisher should have published again by now.
    fileprivate var isExpired: Bool { state.expires.seconds < HTTPDate.now.secondsSince1970 }
}
