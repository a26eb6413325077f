public import ArgumentParser
import Catalog
import CatalogService
import HTTPService
import KeywedgeConfiguration
import KeywedgeDaemon
public import WebAPI
import WireText

struct CatalogSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Take over what has changed in the catalog of another keywedge.",
        discussion: """
            The first time, all products are read, as one file where there are many, and after that \
            only what has changed. It is all or nothing, and lookups go on meanwhile. A product of \
            the service replaces one with the same id here, and goes when it is gone there; products that only this catalog has stay.

            Example:
              keywedge catalog sync https://catalog.lan:8690 --token-file /etc/keywedge/catalog.token
            """)

    @Argument(help: "Where the other keywedge serves its catalog.")
    var url: Address

    @Option(help: ArgumentHelp("The token that is shown to it; one line.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Trust the authorities in this PEM file instead of the system's.", valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "Take over what this shop has; else what the token is for.", valueName: "name"),
        transform: CatalogScope.reading)
    var scope: CatalogScope?

    @Flag(help: "Read all products again, also those that are not said to have changed.")
    var anew = false

    @Flag(help: "Take all products of the service away here where it has none any more.")
    var allowEmpty = false

    @Option(
        help: ArgumentHelp(
            "Go on: take what changes when it changes, and look after this time, as 30s, anyway.",
            valueName: "time"))
    var watch: DurationArgument?

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        try watch?.check(in: .seconds(1) ... .seconds(86_400), as: "--watch")
    }

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let follower = try orFail {
            CatalogFollower(
                of: url, token: try tokenFile.map(BearerToken.read(from:)), as: scope,
                over: try CatalogFollower.transport(authorities: ca))
        }
        guard let watch else {
            do {
                let result = try await follower.synchronise(
                    path: path, anew: anew, allowingEmpty: allowEmpty)
                return Self.tell(result, of: path)
            } catch {
                throw Failure.unlessCancelled(error)
            }
        }
        await keepUp(path, by: follower, every: watch.duration)
    }

    /// Synchronises again and again until a signal ends it; that it fails is told once, as long as
    /// it is for the same reason.
    private func keepUp(
        _ path: String, by follower: CatalogFollower, every interval: Duration
    ) async {
        var isAnew = anew
        var lastFailure = ""
        var lastComparison: String?
        var wait = interval
        repeat {
            wait = interval
            do {
                let result = try await follower.synchronise(
                    path: path, anew: isAnew, allowingEmpty: allowEmpty,
                    waiting: lastFailure.isEmpty ? interval : nil)
                if result.isWhole || result.summary.changes > 0 || result.differingRanges > 0
                    || !lastFailure.isEmpty || result.comparisonProblem != lastComparison
                {
                    Self.tell(result, of: path)
                }
                lastComparison = result.comparisonProblem
                isAnew = false
                lastFailure = ""
                // The service waits for a change itself, or has not been asked to; it is asked again at
                // once, but for a moment in which more may come.
                if result.hasWaited != false { wait = min(interval, .seconds(1)) }
            } catch is CancellationError {
                return
            } catch {
                let message = Failure(error).message
                if message != lastFailure { StandardError.write(message) }
                lastFailure = message
                // What a service may ask for is a day at the most, as is the interval.
                let asked = (error as? SyncError)?.wait() ?? .zero
                wait = max(interval, min(asked, .seconds(86_400)))
            }
        } while (try? await Task.sleep(for: wait)) != nil
    }

    private static func tell(_ result: SyncResult, of path: String) {
        if let problem = result.snapshotProblem {
            StandardError.write(
                "keywedge: the catalog was read page by page; as a file it is of no use: "
                    + "\(Escaping.line.escaped(problem))")
        }
        if result.differingRanges > 0 {
            StandardError.write(
                "keywedge: \(Escaping.line.escaped(path)) differed from the service at the same "
                    + "revision, in \(result.differingRanges.counted("range")) of ids; all was read "
                    + "again")
        }
        if let problem = result.comparisonProblem {
            StandardError.write(
                "keywedge: \(Escaping.line.escaped(path)) was not compared with the service. "
                    + Escaping.line.escaped(problem))
        }
        StandardError.write(sentence(result, of: path))
    }

    private static func sentence(_ result: SyncResult, of path: String) -> String {
        let summary = result.summary
        return "keywedge: \(Escaping.line.escaped(path)): \(summary.added) added, "
            + "\(summary.updated) updated, \(summary.removed) removed"
            + (result.isWhole ? ", \(summary.unchanged) unchanged" : "")
            + "; at revision \(Escaping.line.escaped(result.revision))"
    }
}

extension FollowSummary {
    fileprivate var changes: Int { added + updated + removed }
}

extension Address: ExpressibleByArgument {
    /// Reads an address as `https://catalog.lan:8690`.
    public init?(argument: String) {
        guard let address = try? Address(argument) else { return nil }
        self = address
    }
}
