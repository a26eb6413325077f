import Catalog
import HTTPService

/// Decides who may ask, and for what.
struct AccessPolicy: Sendable {
    /// What must be shown to see everything; nil for none.
    var token: BearerToken?
    /// What may be shown to see what one shop has; nil for none.
    var scopes: ScopeTokens?

    /// Whether clients must show a token; where not, all programs on the same box may ask.
    var wantsToken: Bool { token != nil || scopes != nil }

    /// Lets a request in, or says why not.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isOpen: Whether everybody may have what it asks for.
    /// - Returns: What it may see.
    /// - Throws: The problem.
    func check(_ request: ServiceRequest, isOpen: Bool) throws(ProblemDetails) -> Permission {
        guard request.hosts.count == 1 else { throw .notOneHost(request.hosts.count) }
        guard wantsToken else {
            // A page in a browser on this box can send requests here, under a name that its owner
            // has lead to this address; the name gives it away.
            guard request.hosts.allSatisfy(Self.isLoopback) else { throw .wrongHost }
            return .everything
        }
        guard !isOpen else { return .everything }
        guard let shown = request.authorization else { throw .noToken }
        guard let permission = permission(of: shown) else { throw .wrongToken }
        return permission
    }

    /// Whether the value of an `Authorization` header tells a client of this service; without a token,
    /// every program on the box is one.
    func knows(_ authorization: String?) -> Bool {
        !wantsToken || authorization.flatMap(permission) != nil
    }

    /// What the value of an `Authorization` header gives a right to; nil for nothing.
    private func permission(of authorization: String) -> Permission? {
        if token?.isShown(in: authorization) == true { return .everything }
        return scopes?.scope(shownIn: authorization).map { .scope($0) }
    }

    /// Whether a host, with or without port, is this box under any of its inner names.
    static func isLoopback(_ authority: String) -> Bool {
        guard let end = authority.utf8.lastIndex(of: UInt8(ascii: ":")),
            !authority.utf8[end...].contains(UInt8(ascii: "]"))
        else { return LoopbackAddress.isOne(authority) }
        return LoopbackAddress.isOne(String(authority.utf8[..<end]) ?? "")
    }
}

/// What of the catalog a client may see.
enum Permission: Hashable, Sendable {
    /// All articles with the common prices, and what any shop has.
    case everything
    /// What one shop has.
    case scope(CatalogScope)

    /// As which shop a request is answered.
    ///
    /// - Parameter asked: The shop that it names; nil for none.
    /// - Returns: The shop; nil for all articles.
    /// - Throws: The problem, where that is not for this client.
    func scope(asked: CatalogScope?) throws(ProblemDetails) -> CatalogScope? {
        switch self {
        case .everything: return asked
        case .scope(let own):
            guard asked == nil || asked == own else { throw .otherScope }
            return own
        }
    }
}
