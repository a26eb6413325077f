import ArgumentParser
import Barcodes
import CatalogService
import Dispatch
import Glibc
package import HTTPService
import KeywedgeConfiguration
import KeywedgeDaemon
import Logging
import ServiceLifecycle
import Synchronization
import WireText

struct CatalogServeCommand: ParsableCommand, TakesTheMainThread {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer lookups in the catalog over HTTP.",
        discussion: """
            /openapi.json describes the requests. Other boxes can ask only with a token. With \
            --feed, the service also gives a feed (keywedge catalog publish) to its followers. \
            SIGTERM and SIGINT end it in order: requests that have arrived are answered.

            Example:
              keywedge catalog serve --listen 0.0.0.0:8690 --token-file /etc/keywedge/catalog.token
            """)

    @Option(help: ArgumentHelp("Where to listen; port 0 for any.", valueName: "host:port"))
    var listen = ListenAddress.standard

    @Option(
        help: ArgumentHelp("The token that clients must show; one line.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Serve the files of the feed in this folder, under /feed/.", valueName: "folder"))
    var feed: String?

    @Option(help: ArgumentHelp("Serve over TLS with this certificate; PEM.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's key; PEM.", valueName: "file"))
    var certificateKey: String?

    @Option(
        help: ArgumentHelp(
            "How many connections there may be, half of them from one address.",
            valueName: "count"))
    var connections = 512

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("--certificate and --certificate-key: expected both or neither")
        }
        guard (2...100_000).contains(connections) else {
            throw ValidationError("--connections: expected 2 to 100000, got \(connections)")
        }
    }

    func run() throws {
        // Before anything that could start a thread: threads inherit which signals they take.
        let (signals, signalled) = AsyncStream<Int32>.makeStream()
        try orFail { try EndingSignals.watch { signalled.yield($0) } }
        let configuration = try configurationOption.load()
        let path = try catalogOption.file(of: configuration)
        let isForJournal = getenv("JOURNAL_STREAM") != nil
        let log = Logger(label: "keywedge") { _ in
            StandardErrorLog(
                isForJournal: isForJournal, output: BoundedOutput(descriptor: STDERR_FILENO))
        }
        OpenFiles.allow(connections + Self.otherFiles)
        var server = try orFail {
            try CatalogServer(
                catalog: path, feed: feed, at: listen,
                token: try tokenFile.map(BearerToken.read(from:)),
                identity: try identity,
                barcodes: BarcodeDecoder(settings: configuration.barcodes), log: log
            ) { url in
                StandardError.write(
                    "keywedge: serving \(Escaping.line.escaped(path)) at \(url)")
            }
        }
        server.allow(connections: connections)
        try orFail { try Self.run(server, until: signals, log: log) }
    }

    /// Files that are open beside connections: the catalog's, what is given as a file, the log.
    private static let otherFiles = 256

    /// Serves until a signal ends it; who is slow to take an answer then has five seconds.
    private static func run(
        _ server: CatalogServer, until signals: AsyncStream<Int32>, log: Logger
    ) throws {
        var quiet = log
        quiet.logLevel = .critical
        var lifecycle = ServiceGroupConfiguration(
            services: [
                .init(
                    service: server, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup)
            ], logger: quiet)
        lifecycle.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: lifecycle)
        Task { for await _ in signals { await group.triggerGracefulShutdown() } }
        let failure = Mutex<(any Error)?>(nil)
        let end = DispatchSemaphore(value: 0)
        Task {
            do {
                try await group.run()
            } catch {
                failure.withLock { $0 = error }
            }
            end.signal()
        }
        end.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private var identity: ServerIdentity? {
        get throws {
            guard let certificate, let certificateKey else { return nil }
            return try ServerIdentity(certificate: certificate, key: certificateKey)
        }
    }
}

extension ListenAddress: ExpressibleByArgument {
    /// Reads an address as `127.0.0.1:8690`.
    package init?(argument: String) {
        self.init(argument)
    }

    /// The address as help shows it.
    package var defaultValueDescription: String { description }
}
