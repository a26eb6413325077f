package import Barcodes
import Catalog
import Glibc
package import HTTPService
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
import WireText

/// Serves an embedded catalog over HTTP, for other programs and registers.
package struct CatalogServer: Service {
    /// Connections that wait to be accepted; a burst of more would have to be sent anew.
    private static let backlog = 4096

    /// How many connections there may be, and how long nothing may move on one.
    var limits = ConnectionLimits()

    private let routes: CatalogRoutes
    private let token: BearerToken?
    private let address: ListenAddress
    private let identity: ServerIdentity?
    private let log: Logger
    private let onListening: @Sendable (String) -> Void

    /// Opens the catalog; serves the files of a published feed, too, if there is a folder for `feed`.
    ///
    /// Without a token only programs on this box are served, and without an identity there is no TLS.
    /// `onListening` is called once, with the service's URL without a path.
    ///
    /// - Throws: ``CatalogServerError/openToOthers(_:)``, `CatalogError`, or `SystemCallError` for the
    ///   folder.
    package init(
        catalog: String, feed: String? = nil, at address: ListenAddress, token: BearerToken?,
        identity: ServerIdentity? = nil, barcodes: BarcodeDecoder = BarcodeDecoder(), log: Logger,
        onListening: @escaping @Sendable (String) -> Void
    ) throws {
        guard token != nil || address.isLoopback else {
            throw CatalogServerError.openToOthers(address)
        }
        routes = try CatalogRoutes(
            catalog: catalog, feed: feed.map { try FeedFolder($0) }, decoder: barcodes)
        self.token = token
        self.address = address
        self.identity = identity
        self.log = log
        self.onListening = onListening
    }

    /// Sets how many connections there may be, half of them from one peer.
    package mutating func allow(connections: Int) {
        limits.total = connections
        limits.perPeer = connections / 2
    }

    /// Serves until the task is cancelled, or its service group shuts down: requests that have arrived
    /// are still answered.
    ///
    /// - Throws: ``CatalogServerError``.
    package func run() async throws {
        var quiet = log
        quiet.logLevel = .warning
        let application = Application(
            router: routes.router(behind: RequestGate(token: token, log: log)), server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(address.boundHost, port: address.port),
                backlog: Self.backlog),
            onServerRunning: { [onListening, address, identity] channel in
                let port = channel.localAddress?.port ?? address.port
                let scheme = identity == nil ? "http" : "https"
                let host = address.host.contains(":") ? "[\(address.host)]" : address.host
                onListening("\(scheme)://\(host):\(port)")
            }, logger: quiet)
        do {
            try await application.run()
        } catch let error as IOError {
            guard error.errnoCode != EADDRINUSE else { throw CatalogServerError.inUse(address) }
            let text = SystemCallError(operation: "listen", errno: error.errnoCode).text
            throw CatalogServerError.cannotListen(address, reason: text)
        } catch let error as SocketAddressError.UnknownHost {
            throw CatalogServerError.cannotListen(
                address, reason: "the name \(error.host) leads nowhere")
        }
    }

    private var server: HTTPServerBuilder {
        let connections = Connections(limits: limits)
        return HTTPServerBuilder { [identity, token] responder in
            try guardedChannel(
                connections, identity: identity,
                knows: { token.knows($0) }, respond: responder)
        }
    }
}

/// Why the service did not start.
package enum CatalogServerError: Error, Equatable, Sendable {
    /// Other boxes could reach it, and it has no token.
    case openToOthers(ListenAddress)
    case inUse(ListenAddress)
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
