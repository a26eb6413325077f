package import Barcodes
import Catalog
import Glibc
package import HTTPService
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import ServiceLifecycle
import WireText

/// Serves an embedded catalog over HTTP, for other programs and registers.
package struct CatalogServer: Service {
    /// Where the service is.
    package struct Place: Hashable, Sendable {
        /// Its URL without a path, such as `http://127.0.0.1:8690`.
        package let url: String
        /// Its port.
        package let port: Int
    }

    /// How many connections there may be, and how long nothing may move on one.
    var limits = ConnectionLimits()

    private let routes: CatalogRoutes
    private let access: AccessPolicy
    private let address: ListenAddress
    private let identity: ServerIdentity?
    private let log: Logger
    private let onListening: @Sendable (Place) -> Void

    /// Opens the catalog.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's file.
    ///   - feed: The folder of a published feed, whose files are served as well; nil for none.
    ///   - address: Where to listen.
    ///   - token: What clients must show; nil for programs on this box alone.
    ///   - identity: What the service shows for TLS; nil for none.
    ///   - barcodes: How codes are read.
    ///   - log: Where it is said what goes wrong.
    ///   - onListening: Is told once where the service is.
    /// - Throws: ``CatalogServerError/openToOthers(_:)``, `CatalogError`, or `SystemCallError` for the
    ///   folder.
    package init(
        catalog: String, feed: String? = nil, at address: ListenAddress, token: BearerToken?,
        identity: ServerIdentity? = nil, barcodes: BarcodeDecoder = BarcodeDecoder(), log: Logger,
        onListening: @escaping @Sendable (Place) -> Void
    ) throws {
        access = AccessPolicy(token: token)
        guard token != nil || address.isLoopback else {
            throw CatalogServerError.openToOthers(address)
        }
        routes = try CatalogRoutes(
            catalog: catalog, feed: feed.map { try FeedFolder($0) }, decoder: barcodes)
        self.address = address
        self.identity = identity
        self.log = log
        self.onListening = onListening
    }

    /// Sets how many connections there may be, half of them from one peer.
    ///
    /// - Parameter connections: How many.
    package mutating func allow(connections: Int) {
        limits.total = connections
        limits.perPeer = connections / 2
    }

    /// Serves until the task is cancelled, or the service group it runs in shuts down: then what
    /// was asked is still answered.
    ///
    /// - Throws: ``CatalogServerError``.
    package func run() async throws {
        var quiet = log
        quiet.logLevel = .warning
        let gate = RequestGate(access: access, failures: FailureLog(log))
        let application = Application(
            router: routes.router(behind: gate), server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(address.boundHost, port: address.port),
                backlog: ServiceLimits.backlog),
            onServerRunning: { [onListening, address, identity] channel in
                let port = channel.localAddress?.port ?? address.port
                let scheme = identity == nil ? "http" : "https"
                let host = address.host.contains(":") ? "[\(address.host)]" : address.host
                onListening(Place(url: "\(scheme)://\(host):\(port)", port: port))
            }, logger: quiet)
        do {
            try await application.run()
        } catch let error as IOError {
            throw error.errnoCode == Self.addressInUse
                ? CatalogServerError.inUse(address)
                : .cannotListen(address, reason: Self.reason(error))
        } catch let error as SocketAddressError.UnknownHost {
            throw CatalogServerError.cannotListen(
                address, reason: "the name \(error.host) leads nowhere")
        }
    }

    private var server: HTTPServerBuilder {
        let connections = Connections(limits: limits)
        let configuration = HTTP1Channel.Configuration.guarded(
            limits: limits, connections: connections, knows: access.knows)
        return HTTPServerBuilder { [identity, configuration] responder in
            let plain = HTTP1Channel(responder: responder, configuration: configuration)
            guard let identity else { return GuardedChannel(plain, connections: connections) }
            return GuardedChannel(
                try TLSChannel(plain, tlsConfiguration: identity.configuration),
                connections: connections)
        }
    }
}

/// Why the service did not start.
package enum CatalogServerError: Error, Equatable, Sendable {
    /// Others could reach it, and it has no token to tell who may ask.
    case openToOthers(ListenAddress)
    /// Somebody else listens there.
    case inUse(ListenAddress)
    /// The system does not let it listen there, for its reason.
    case cannotListen(ListenAddress, reason: String)
}

extension CatalogServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .openToOthers(let address):
            "Others could read the catalog at \(address); expected a token (--token-file), "
                + "or a loopback address, such as 127.0.0.1:\(address.port)."
        case .inUse(let address):
            "Cannot listen at \(address): another program does; expected a free port."
        case .cannotListen(let address, let reason): "Cannot listen at \(address): \(reason)."
        }
    }
}

extension CatalogServer {
    /// The error number of a port that is taken.
    static var addressInUse: CInt { EADDRINUSE }

    /// The system's words for an error.
    static func reason(_ error: IOError) -> String {
        SystemCallError(operation: "listen", errno: error.errnoCode).text
    }
}
