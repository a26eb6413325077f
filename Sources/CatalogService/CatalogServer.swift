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

/// An HTTP service that gives other programs and registers access to an embedded catalog.
package struct CatalogServer: Service {
    /// The maximum number of connections that may wait to be accepted; further clients must try again.
    private static let backlog = 4096

    package var limits = ConnectionLimits()
    private let routes: CatalogRoutes
    private let token: BearerToken?
    private let address: ListenAddress
    private let identity: ServerIdentity?
    private let log: Logger
    private let onListening: @Sendable (String) -> Void

    /// Opens the catalog and, if `feed` is not nil, the feed folder at that path.
    ///
    /// Without a token, the address must be a loopback address. Without an identity, the service uses plain HTTP. As
    /// soon as it listens, the service calls `onListening` with its URL, for instance `http://127.0.0.1:8690`.
    package init(
        catalog: String, feed: String? = nil, at address: ListenAddress, token: BearerToken?,
        identity: ServerIdentity? = nil, barcodes: BarcodeDecoder = BarcodeDecoder(), log: Logger,
        onListening: @escaping @Sendable (String) -> Void
    ) throws {
        guard token != nil || address.isLoopback else {
            throw ListenError.openToOthers(
                address, reading: "the catalog", expected: "a token (--token-file)")
        }
        routes = try CatalogRoutes(
            catalog: catalog, feed: feed.map { try FeedFolder($0) }, decoder: barcodes)
        (self.token, self.address, self.identity) = (token, address, identity)
        (self.log, self.onListening) = (log, onListening)
    }

    /// Serves requests until the task is cancelled or the service group shuts down.
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
            guard error.errnoCode != EADDRINUSE else { throw ListenError.inUse("\(address)") }
            throw ListenError.system(
                SystemCallError(operation: "listen at", path: "\(address)", errno: error.errnoCode))
        } catch let error as SocketAddressError.UnknownHost {
            throw ListenError.unknownHost(address, reason: "the name \(error.host) leads nowhere")
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
