import Glibc
package import HTTPService
package import Logging
import Synchronization
import WireText

/// The settings of the daemon's HTTP interface: where it listens, and who may use it.
package struct ListenSettings: Equatable, Sendable {
    package static let standardSocket = "/run/keywedge/keywedge.sock"
    package var socket: String
    /// The TCP address to listen on besides the socket; nil for none.
    package var http: ListenAddress?
    /// Host names that requests may use in addition to the TCP address and names such as `localhost`.
    package var hosts: [String] = []
    /// The origins of web pages that may send requests, such as `https://pos.example`.
    package var origins: [String] = []
    /// The file with the token that clients of `http` must send; nil if they need none.
    package var tokenFile: String?
    /// The file with the TLS certificate for `http`; nil without TLS.
    package var certificateFile: String?
    package var keyFile: String?

    package init(socket: String = standardSocket) { self.socket = socket }
}

/// The listening sockets of the daemon's HTTP interface, and their access rules.
///
/// The daemon creates the sockets before anything else, so that clients can connect early and wait for their responses.
/// If creating one fails, the daemon still starts, and the interface tries again later.
package final class InterfaceSockets: Sendable {
    enum Place { case socket, http }

    struct Listener {
        let descriptor: Int32
        /// The TLS certificate; nil without TLS.
        let identity: ServerIdentity?
    }

    /// Access rules that a reload has prepared but not yet applied.
    package struct Access: Sendable {
        fileprivate let settings: ListenSettings
        fileprivate let http: EventAccessPolicy

        /// Creates the access rules; throws `TokenError` if the token file cannot be used.
        package init(_ settings: ListenSettings, log: Logger) throws {
            InterfaceSockets.warn(about: settings, log)
            self.settings = settings
            http = try EventAccessPolicy(settings, .http)
        }
    }

    private struct State {
        var settings: ListenSettings
        /// The access rules of the TCP address; nil until the interface can listen there.
        var http: EventAccessPolicy?
        /// The sockets or errors from the initializer, kept until ``opened(_:)`` uses them.
        var made: [Place: Result<Listener, any Error>] = [:]
        /// The reason why the interface cannot listen, for each place at which it fails.
        var troubles: [Place: String] = [:]
        /// The path of the socket file to remove at shutdown; nil if the service manager created the socket.
        var file: String?
    }

    private let state: Mutex<State>
    private let handedOver: [Int32]
    private let log: Logger

    /// Reads the files that the settings name, and creates the sockets.
    ///
    /// If the service manager passed a unix socket, the interface uses it instead of the path in the settings.
    ///
    /// - Throws: ``ListenError`` if the settings are wrong; failures to create a socket do not throw.
    package init(_ settings: ListenSettings, handedOver: [Int32], log: Logger) throws(ListenError) {
        if let http = settings.http, !http.isLoopback,
            settings.tokenFile == nil || settings.certificateFile == nil
        {
            throw .openToOthers(
                http, reading: "events",
                expected: "listen.token_file, listen.certificate_file and listen.key_file")
        }
        guard UnixSocket.address(of: settings.socket) != nil else {
            throw .pathTooLong(settings.socket)
        }
        state = Mutex(State(settings: settings))
        (self.handedOver, self.log) = (handedOver, log)
        Self.warn(about: settings, log)
        for place in places {
            let listener = Result { try make(place) }
            state.withLock { $0.made[place] = listener }
        }
    }

    var places: [Place] { state.withLock { $0.settings.places } }

    func policy(of place: Place) -> EventAccessPolicy {
        state.withLock { state in
            let http = place == .http ? state.http : nil
            return http ?? EventAccessPolicy(onSocket: state.settings)
        }
    }

    /// Applies new rules to all later requests; open connections and event streams continue.
    package func use(_ access: Access) {
        state.withLock { ($0.settings, $0.http) = (access.settings, access.http) }
    }

    /// The state of the socket and, if configured, of the TCP address.
    var status: [DaemonStatus.Place] {
        state.withLock { state in
            state.settings.places.map {
                .init(state.settings.name(of: $0), trouble: state.troubles[$0])
            }
        }
    }

    /// Returns the listening socket; if it cannot be created yet, logs the reason and returns nil.
    func opened(_ place: Place) -> Listener? {
        do {
            let made = state.withLock { $0.made.removeValue(forKey: place) }
            let listener = try made?.get() ?? make(place)
            let (trouble, name) = state.withLock {
                ($0.troubles.removeValue(forKey: place), $0.settings.name(of: place))
            }
            if trouble != nil { log.notice("interface: programs can connect to \(name) now") }
            return listener
        } catch {
            let text = "\(error)"
            let last = state.withLock { $0.troubles.updateValue(text, forKey: place) }
            if last != text { log.warning("interface: \(text)") }
            return nil
        }
    }

    private func make(_ place: Place) throws -> Listener {
        let settings = state.withLock(\.settings)
        guard place == .http, let http = settings.http else {
            let given = try Self.unixSocket(among: handedOver)
            let descriptor = try given ?? ListeningSocket.unix(at: settings.socket)
            if given == nil { state.withLock { $0.file = settings.socket } }
            return Listener(descriptor: descriptor, identity: nil)
        }
        let policy = try EventAccessPolicy(settings, place)
        let identity = try ServerIdentity(of: settings)
        let descriptor = try ListeningSocket.tcp(at: http)
        state.withLock { $0.http = policy }
        return Listener(descriptor: descriptor, identity: identity)
    }

    /// Removes the socket file unless the service manager created it; later calls do nothing.
    package func removeFile() {
        if let path = state.withLock({ $0.file.take() }) { unlink(path) }
    }

    /// Whether the service manager passed a listening socket, to which clients may already have connected.
    package static func haveClients(_ handedOver: [Int32]) -> Bool {
        handedOver.contains(where: isListening)
    }

    /// Returns the listening unix socket among the descriptors from the service manager; nil if none is listening.
    ///
    /// Ignores descriptors that are not listening; they may be FIFOs, for example for standard output.
    private static func unixSocket(among handedOver: [Int32]) throws(ListenError) -> Int32? {
        let listening = handedOver.filter(isListening)
        guard let descriptor = listening.first else { return nil }
        guard listening.count == 1, option(SO_DOMAIN, of: descriptor) == AF_UNIX else {
            throw .unusableHandover(listening.count)
        }
        return descriptor
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        option(SO_ACCEPTCONN, of: descriptor) == 1
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func warn(about settings: ListenSettings, _ log: Logger) {
        if let file = settings.tokenFile, let warning = BearerToken.warning(about: file) {
            log.warning("\(warning)")
        }
    }
}

extension ListenSettings {
    fileprivate var places: [InterfaceSockets.Place] { http == nil ? [.socket] : [.socket, .http] }

    fileprivate func name(of place: InterfaceSockets.Place) -> String {
        place == .socket ? socket : http?.description ?? ""
    }
}

extension ServerIdentity {
    /// Reads the certificate and key files that the settings name; nil unless the settings name both.
    init?(of settings: ListenSettings) throws(ServerIdentityError) {
        guard let certificate = settings.certificateFile, let key = settings.keyFile else {
            return nil
        }
        try self.init(certificate: certificate, key: key)
    }
}
