import HTTPService
import HTTPTypes
import Hummingbird
import Synchronization
import WireText

/// The rules of a listener, which a reload replaces.
final class CurrentAccess: Sendable {
    private let current: Mutex<EventAccessPolicy>

    init(_ policy: EventAccessPolicy) { current = Mutex(policy) }

    var policy: EventAccessPolicy {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Decides who may ask: programs, and pages of the origins that are listed.
struct EventAccessPolicy: Sendable {
    /// Whom a listener is open to.
    enum Listener: Sendable {
        /// Whoever may open the socket's file.
        case unixSocket
        /// Who asks under one of these names, in small letters.
        case tcp(Set<String>)
    }

    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")

    /// What must be shown; nil where nothing must.
    let token: BearerToken?
    /// Whom the listener is open to.
    let listener: Listener
    /// The origins of pages that may ask, in small letters.
    let origins: Set<String>

    /// Makes the rules of a listener.
    init(token: BearerToken?, listener: Listener, origins: [String]) {
        self.token = token
        self.listener = listener
        self.origins = Set(origins.map { $0.lowercased() })
    }

    /// The names under which an address is asked.
    ///
    /// A page can lead a name of its own to this box, but not one of these.
    ///
    /// - Parameters:
    ///   - address: Where it listens.
    ///   - hosts: Other names.
    /// - Returns: The names, without ports.
    static func names(of address: ListenAddress, hosts: [String]) -> Set<String> {
        let literal = address.host.contains(":") ? "[\(address.host)]" : address.host
        let names =
            [literal] + hosts
            + (address.isLoopback ? ["localhost", "127.0.0.1", "[::1]"] : [])
        return Set(names.map { $0.lowercased() })
    }

    /// Lets a request in, or says why not.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - port: The port on which it came; nil for a unix socket.
    ///   - isOpen: Whether everybody may have what it asks for, as far as tokens go.
    /// - Returns: The origin that the answer is for; nil for a program.
    /// - Throws: The problem.
    func check(
        _ request: Request, port: Int?, isOpen: Bool
    ) throws(ProblemDetails) -> String? {
        let hosts = request.hosts
        guard hosts.count == 1 else { throw .notOneHost(hosts.count) }
        if case .tcp(let names) = listener {
            guard hosts.allSatisfy({ Self.isOne($0.lowercased(), of: names, port: port) }) else {
                throw .otherHost
            }
        }
        let origin = try origin(of: request)
        // A browser asks for leave without the token.
        if !isOpen, request.method != .options { try token.check(request) }
        return origin
    }

    /// Whether requests that were let in may change something.
    ///
    /// Every user of this box reaches a loopback address, so there it takes the token.
    var allowsChanges: Bool {
        if case .unixSocket = listener { true } else { token != nil }
    }

    private static func isOne(_ host: String, of names: Set<String>, port: Int?) -> Bool {
        guard let port, [80, 443].contains(port), names.contains(host) else {
            return names.contains { host == "\($0):\(port ?? 0)" }
        }
        return true
    }

    private func origin(of request: Request) throws(ProblemDetails) -> String? {
        let named = request.headers[values: .origin]
        guard let origin = named.first else {
            // A browser does not name the origin of a page that puts this in as a script or a frame.
            let site = Self.fetchSite.flatMap { request.headers[$0] } ?? "none"
            guard site == "none" || site == "same-origin" else { throw .otherOrigin }
            return nil
        }
        guard named.count == 1 else { throw .otherOrigin }
        if isOwn(origin.lowercased(), of: request) { return nil }
        guard origins.contains(origin.lowercased()) else { throw .otherOrigin }
        return origin
    }

    /// Whether an origin is that of the live page, which browsers name when it asks for its own scripts.
    ///
    /// The host of the request is one of the names here by now, so no other page has this origin.
    private func isOwn(_ origin: String, of request: Request) -> Bool {
        guard case .tcp = listener, let host = request.hosts.first?.lowercased() else {
            return false
        }
        return ["http://\(host)", "https://\(host)"].contains(origin)
    }
}

extension ProblemDetails {
    static let onlyForReading = Self(
        .forbidden, "read-only",
        "This address has no token and is for reading; expected the unix socket, or "
            + "listen.token_file.")

    static let otherHost = Self(
        .misdirectedRequest, "wrong-host",
        "The request is for another host; expected the address or one of listen.hosts.")

    static let otherOrigin = Self(
        .forbidden, "wrong-origin", "The page that asks is of no origin in listen.origins.")
}
