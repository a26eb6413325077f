public import Barcodes
import Catalog
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
public import ServiceLifecycle

/// Serves an embedded catalog over HTTP, for the other registers of the shop.
public struct CatalogServer: Service {
    /// Where the service is.
    public struct Place: Hashable, Sendable {
        /// Its URL without a path, such as `http://127.0.0.1:8690`.
        public let url: String
        /// Its port.
        public let port: Int
    }

    /// After how long without movement a connection is closed: longer than clients keep one open
    /// for their next request, so that they do not send it into a closing one.
    var stillness = Duration.seconds(90)

    private let desk: CatalogDesk
    private let address: ListenAddress
    private let identity: ServerIdentity?
    private let log: Logger
    private let onListening: @Sendable (Place) -> Void

    /// Opens the catalog.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's file; one of an older keywedge is brought up to date.
    ///   - address: Where to listen.
    ///   - token: What clients must show; nil for programs on this box alone.
    ///   - identity: What the service shows for TLS; nil for none.
    ///   - barcodes: How codes are read.
    ///   - version: The version of keywedge.
    ///   - log: Where it is said what goes wrong.
    ///   - onListening: Is told once where the service is.
    /// - Throws: ``CatalogServerError/openToOthers(_:)``; `CatalogError`.
    public init(
        catalog: String, at address: ListenAddress, token: BearerToken?,
        identity: ServerIdentity? = nil, barcodes: BarcodeDecoder = BarcodeDecoder(),
        version: String, log: Logger, onListening: @escaping @Sendable (Place) -> Void
    ) throws {
        guard token != nil || address.isLoopback else {
            throw CatalogServerError.openToOthers(address)
        }
        try Self.upgrade(catalog)
        desk = try CatalogDesk(
            path: catalog, decoder: barcodes, doorkeeper: Doorkeeper(token: token),
            version: version, log: log)
        self.address = address
        self.identity = identity
        self.log = log
        self.onListening = onListening
    }

    /// Serves until the task is cancelled, or the service group it runs in shuts down: then what
    /// was asked is still answered.
    ///
    /// - Throws: ``CatalogServerError``.
    public func run() async throws {
        var quiet = log
        quiet.logLevel = .warning
        let application = Application(
            responder: CatalogResponder(desk: desk), server: try server,
            configuration: ApplicationConfiguration(
                address: .hostname(address.boundHost, port: address.port),
                availableConnectionsDelegate: .maximum(ServiceLimits.connections, logger: quiet)),
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
        get throws {
            var decoding = HTTP1Channel.Configuration.DecoderConfiguration()
            decoding.maxHeaderFieldSize = ServiceLimits.headerSize
            decoding.maxHeaderListSize = ServiceLimits.headerSize
            decoding.maxHeaderFieldCount = 100
            let plain = HTTPServerBuilder.http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        IdleStateHandler(allTimeout: TimeAmount(stillness)),
                        ConnectionGuard(limit: ServiceLimits.bodySize),
                    ], httpDecoderConfiguration: decoding))
            guard let identity else { return plain }
            return try .tls(plain, tlsConfiguration: identity.configuration)
        }
    }

    /// Brings the file of an older keywedge up to date, which alone can tell what has changed.
    private static func upgrade(_ path: String) throws {
        do {
            _ = try EmbeddedCatalog(path: path).revision()
        } catch CatalogError.untracked {
            _ = try EmbeddedCatalog(path: path, access: .writing)
        }
    }
}
