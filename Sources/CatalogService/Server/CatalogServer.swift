package import Barcodes
import Catalog
package import HTTPService
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import ServiceLifecycle

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

    let router: CatalogRouter
    private let access: AccessPolicy
    private let address: ListenAddress
    private let identity: ServerIdentity?
    private let log: Logger
    private let onListening: @Sendable (Place) -> Void

    /// Opens the catalog.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's file.
    ///   - address: Where to listen.
    ///   - token: What clients must show; nil for programs on this box alone.
    ///   - identity: What the service shows for TLS; nil for none.
    ///   - barcodes: How codes are read.
    ///   - version: The version of keywedge.
    ///   - log: Where it is said what goes wrong.
    ///   - onListening: Is told once where the service is.
    /// - Throws: ``CatalogServerError/openToOthers(_:)``, `CatalogError`.
    package init(
        catalog: String, at address: ListenAddress, token: BearerToken?,
        identity: ServerIdentity? = nil,
        barcodes: BarcodeDecoder = BarcodeDecoder(), version: String, log: Logger,
        onListening: @escaping @Sendable (Place) -> Void
    ) throws {
        access = AccessPolicy(token: token)
        guard token != nil || address.isLoopback else {
            throw CatalogServerError.openToOthers(address)
        }
        router = try CatalogRouter(
            path: catalog, decoder: barcodes, access: access, version: version, log: log)
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
        let application = Application(
            responder: CatalogResponder(router: router), server: server,
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
