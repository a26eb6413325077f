import HTTPService

/// Decides who may ask.
struct AccessPolicy: Sendable {
    /// What must be shown; nil where programs on the same box may ask.
    let token: BearerToken?

    /// Lets a request in, or says why not.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isOpen: Whether everybody may have what it asks for.
    /// - Throws: The problem.
    func check(_ request: ServiceRequest, isOpen: Bool) throws(ProblemDetails) {
        guard request.hosts.count == 1 else { throw .notOneHost(request.hosts.count) }
        guard let token else {
            // A page in a browser on this box can send requests here, under a name that its owner
            // has lead to this address; the name gives it away.
            guard request.hosts.allSatisfy(Self.isLoopback) else { throw .wrongHost }
            return
        }
        guard !isOpen else { return }
        guard let shown = request.authorization else { throw .noToken }
        guard token.isShown(in: shown) else { throw .wrongToken }
    }

    /// Whether the value of an `Authorization` header tells a client of this service; without a token,
    /// every program on the box is one.
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
