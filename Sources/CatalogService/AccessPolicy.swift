import HTTPService
import HTTPTypes
import Hummingbird

/// Decides who may ask.
struct AccessPolicy: Sendable {
    /// What clients must show; nil if all programs on this box may ask.
    var token: BearerToken?

    /// Lets a request in, or says why not.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isOpen: Whether everybody may have what it asks for.
    /// - Throws: The problem.
    func check(_ request: Request, isOpen: Bool) throws(ProblemDetails) {
        let hosts = request.head.hosts
        guard hosts.count == 1 else { throw .notOneHost(hosts.count) }
        guard token != nil else {
            // A web page can send requests here under a name of its own that it has pointed at this
            // address; the name gives it away.
            guard hosts.allSatisfy(Self.isLoopback) else { throw .wrongHost }
            return
        }
        guard !isOpen else { return }
        guard let shown = request.headers[.authorization] else { throw .noToken }
        guard knows(shown) else { throw .wrongToken }
    }

    /// Whether the value of an `Authorization` header identifies a client of this service; without a
    /// token, every program on the box is one.
    func knows(_ authorization: String?) -> Bool {
        guard let token else { return true }
        return authorization.map(token.isShown) ?? false
    }

    /// Whether a host, with or without port, is this box under any of its inner names.
    static func isLoopback(_ authority: String) -> Bool {
        guard let end = authority.utf8.lastIndex(of: UInt8(ascii: ":")),
            !authority.utf8[end...].contains(UInt8(ascii: "]"))
        else { return LoopbackAddress.isOne(authority) }
        return LoopbackAddress.isOne(String(authority.utf8[..<end]) ?? "")
    }
}
