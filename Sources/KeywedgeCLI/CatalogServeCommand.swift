import ArgumentParser
import Barcodes
import CatalogService
import Dispatch
import Glibc
import HTTPService
import KeywedgeConfiguration
import KeywedgeDaemon
import Logging
import ServiceLifecycle
import WireText

struct CatalogServeCommand: AsyncParsableCommand, StopsSlowly {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer lookups in the catalog over HTTP.",
        discussion: """
            /openapi.json describes the requests. Other boxes need a token. With --feed, the \
            service also publishes a feed (keywedge catalog publish) for followers. On SIGTERM and \
            SIGINT it answers the requests that have arrived, and ends.
            """,
        examples: "keywedge catalog serve --listen 0.0.0.0:8690 --token-file catalog.token")

    @Option(
        help: ArgumentHelp(
            "The address to listen at, port 0 for any; by default 127.0.0.1:8690.",
            valueName: "host:port"),
        transform: parser(expecting: "HOST:PORT, as 127.0.0.1:8690") { ListenAddress($0) })
    var listen = ListenAddress.standard

    @Option(file: "The file with the token that clients send.")
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Serve the files of the feed in this folder, under /feed/.", valueName: "folder"),
        completion: .directory)
    var feed: String?

    @Option(file: "Serve over TLS with this certificate; PEM.")
    var certificate: String?

    @Option(file: "The certificate's key; PEM.")
    var certificateKey: String?

    @Option(
        help: "The maximum number of connections, by default 512; half may come from one address.",
        transform: numbers(2...100_000))
    var connections = 512

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        try require(
            (certificate == nil) == (certificateKey == nil),
            "--certificate and --certificate-key: expected both or neither")
    }

    /// The time allowed for stopping: five seconds to send responses to slow clients, plus one second.
    var stopGrace: DispatchTimeInterval { .seconds(6) }

    func run() async throws {
        let configuration = try configurationOption.load()
        let path = try catalogOption.file(of: configuration)
        let log = Logger(writingTo: BoundedOutput(descriptor: STDERR_FILENO))
        Self.allowOpenFiles(connections + 256)
        var server = try CatalogServer(
            catalog: path, feed: feed, at: listen,
            token: try tokenFile.map(BearerToken.read(from:)),
            identity: try certificate.map {
                try ServerIdentity(certificate: $0, key: certificateKey ?? "")
            },
            barcodes: BarcodeDecoder(settings: configuration.barcodes), log: log
        ) { url in
            StandardError.write("serving \(Escaping.line.escaped(path)) at \(url)")
        }
        server.limits = ConnectionLimits(total: connections, perPeer: connections / 2)
        try await serve(server, log)
    }

    private func serve(_ server: CatalogServer, _ log: Logger) async throws {
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
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    /// Raises this process's limit on open files to `count`, or to the maximum that the system permits.
    private static func allowOpenFiles(_ count: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(count)))
        setrlimit(resource, &limit)
    }
}
