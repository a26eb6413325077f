import Glibc
package import HTTPService
package import Logging
import Synchronization
import WireText

/// The settings of the daemon's HTTP interface: where it listens, and who may use it.
package struct ListenSettings: Equatable, Sendable {
    /// The path of the socket that the systemd unit creates.
    package static let standardSocket = "/run/keywedge/keywedge.sock"

    package var socket: String
    /// The TCP address to listen on besides the socket; nil for none.
    package var http: ListenAddress?
    /// Further host names that requests may use, besides the TCP address and names such as `localhost`.
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
    enum Place: CaseIterable { case socket, http }

    /// A listening socket; ``identity`` is the daemon's TLS certificate, or nil without TLS.
    struct Listener {
        let descriptor: Int32
        let identity: ServerIdentity?
    }

    /// The access rules of new settings; a reload reads them first and applies them later.
    package struct Access: Sendable {
        fileprivate let settings: ListenSettings
        fileprivate let policies: [Place: EventAccessPolicy]

        /// Reads the token file that the settings name; throws `TokenError`.
        package init(_ settings: ListenSettings, log: Logger) throws {
            InterfaceSockets.warn(about: settings, log)
            self.settings = settings
            var policies: [Place: EventAccessPolicy] = [:]
            for place in settings.places { policies[place] = try .init(settings, place) }
            self.policies = policies
        }
    }

    private struct State {
        var settings: ListenSettings
        var policies: [Place: EventAccessPolicy] = [:]
        /// The results of the initializer's attempts to listen.
        ///
        /// ``opened(_:)`` uses each result once; later calls try to listen again.
        var made: [Place: Result<Listener, any Error>] = [:]
        /// Why the interface cannot listen at the socket or the TCP address; no entry if it can.
        var troubles: [Place: String] = [:]
        /// The path of the socket file to remove at shutdown; nil if the service manager created the socket.
        var file: String?
    }

    private let state: Mutex<State>
    private let handedOver: [Int32]
    private let log: Logger

    /// Reads the files that the settings name, and creates the sockets.
    ///
    /// If the service manager passed a unix socket, the interface uses it instead of the path in the settings. Logs a
    /// warning if other users can read the token.
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
            let result = Result { try make(place) }
            state.withLock { $0.made[place] = result }
        }
    }

    var places: [Place] { state.withLock { $0.settings.places } }

    /// The access rules of the socket or the TCP address; the interface reads them before it listens.
    func policy(of place: Place) -> EventAccessPolicy {
        state.withLock { $0.policies[place] ?? EventAccessPolicy(onSocket: $0.settings) }
    }

    /// Applies new rules to all later requests; open connections and event streams continue.
    package func use(_ access: Access) {
        state.withLock { state in
            state.settings = access.settings
            state.policies.merge(access.policies) { $1 }
        }
    }

    /// The state of the socket and, if configured, of the TCP address; `trouble` is nil if the daemon listens there.
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
        let policy = try EventAccessPolicy(settings, place)
        let identity = place == .http ? try ServerIdentity(of: settings) : nil
        let descriptor =
            if place == .http, let http = settings.http {
                try ListeningSocket.tcp(at: http)
            } else {
                try unixSocket(at: settings.socket)
            }
        state.withLock { $0.policies[place] = policy }
        return Listener(descriptor: descriptor, identity: identity)
    }

    private func unixSocket(at path: String) throws(ListenError) -> Int32 {
        if let made = try Self.unixSocket(among: handedOver) { return made }
        let made = try ListeningSocket.unix(at: path)
        state.withLock { $0.file = path }
        return made
    }

    /// Removes the socket file; later calls do nothing, because the file may then belong to another daemon.
    package func removeFile() {
        if let path = state.withLock({ $0.file.take() }) { unlink(path) }
    }

    /// Whether the service manager passed a listening socket, to which clients may already have connected.
    package static func haveClients(_ handedOver: [Int32]) -> Bool {
        handedOver.contains(where: isListening)
    }

    /// The listening unix socket among the descriptors from the service manager; nil if no descriptor is listening.
    ///
    /// Throws if several descriptors are listening, or if the only one is not a unix socket. Descriptors that are not
    /// listening are ignored; they may be FIFOs, for example for standard output.
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
    /// Reads the certificate and key files that the settings name; nil if they name none.
    init?(of settings: ListenSettings) throws(ServerIdentityError) {
        guard let certificate = settings.certificateFile, let key = settings.keyFile else {
            return nil
        }
        try self.init(certificate: certificate, key: key)
    }
}
