import HTTPTypes
import NIOCore
import NIOPosix

/// A policy that decides which redirects a client follows.
///
/// A client can follow any redirect of a `GET` or `HEAD` request. For other methods, it can follow a redirect only
/// within the same origin and with status 307 or 308, which preserve the method.
public enum RedirectPolicy: Hashable, Sendable {
    /// Follow no redirects; return each one like any other response.
    case refuse
    /// Follow redirects to the same origin, up to this many in a row.
    case sameOrigin(maximum: Int)
    /// Follow redirects to any origin, up to this many in a row.
    ///
    /// Only `GET` and `HEAD` requests are sent to another origin. They carry no header fields from the original request
    /// or from interceptors. Redirects from `https` to `http` are never followed. A redirect to this machine or to a
    /// private network is followed only if the call's first request also went to such a host.
    case anyOrigin(maximum: Int)
}

/// A redirect that was not followed, and the reason.
public struct RefusedRedirect: Hashable, Sendable, CustomStringConvertible {
    /// The origin that the redirect leads to; nil if the `Location` header is missing or invalid.
    public let target: Origin?
    /// Why the redirect was not followed; the text contains neither the target's path nor its query.
    public let reason: String

    /// The end of a sentence about the redirect, such as `leads to https://example.com, which is not followed: …`.
    ///
    /// The target's path and query are left out, because they could contain secrets.
    public var description: String {
        guard let target else { return "leads nowhere: its Location is missing or not a URL" }
        return "leads to \(target), which is not followed: \(reason)"
    }
}

struct OutgoingRequest {
    let request: Request
    /// Whether any redirect so far led to another origin.
    var leftOrigin = false
}

extension RedirectPolicy {
    enum Decision {
        case follow(OutgoingRequest)
        /// The redirect is not followed; the call returns it as the response.
        case refuse(RefusedRedirect)
    }

    /// Decides whether to follow a redirect; returns nil if the response is not a redirect.
    ///
    /// `start` is the origin of the call's first request; `isPrivate` returns true for origins in a private network.
    ///
    /// Rule: RFC 9110, section 15.4. After 301, 302 or 303, other clients turn a `POST` into a `GET`. The policy
    /// refuses such a redirect, because a `GET` is a different request.
    func decision(
        on response: Response, to outgoing: OutgoingRequest, from start: Origin, followed: Int,
        isPrivate: (Origin) async -> Bool
    ) async -> Decision? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        guard let reference = response.headers[.location],
            let target = try? outgoing.request.location.resolving(reference)
        else { return .refuse(RefusedRedirect(target: nil, reason: "it does not say where to go")) }
        let (from, to) = (outgoing.request.url.origin, target.address.origin)
        var reason = obstacle(
            from: from, to: to, outgoing.request.methodAndPayload, response.status.code, followed)
        if reason == nil, to != start, await isPrivate(to) {
            reason =
                await isPrivate(start)
                ? nil : "redirects from the Internet to a private network are always refused"
        }
        if let reason { return .refuse(RefusedRedirect(target: to, reason: reason)) }
        let isSame = from == to
        // A query item that is secret in our request is also secret when the server repeats it.
        let queries = target.queries.map { $0.marked(like: outgoing.request.queries) }
        return .follow(
            OutgoingRequest(
                request: Request(
                    Location(address: target.address, queries: queries),
                    headers: isSame ? outgoing.request.headers : [:],
                    outgoing.request.methodAndPayload),
                leftOrigin: outgoing.leftOrigin || !isSame))
    }

    /// Returns the reason to refuse a redirect, or nil to follow it; does not check for private networks.
    private func obstacle(
        from: Origin, to: Origin, _ method: MethodAndPayload, _ status: Int, _ followed: Int
    ) -> String? {
        let asksOnly = method == .get || method == .head
        return if allowed.count == 0 {
            "redirects are refused"
        } else if from.scheme == .https, to.scheme == .http {
            "redirects from https to http are always refused"
        } else if from != to, !allowed.anywhere {
            "redirects to another scheme, host or port are refused"
        } else if !asksOnly, status <= 303 {
            "it would turn the \(method.method) into a GET without its content"
        } else if from != to, !asksOnly {
            "a \(method.method) is not sent to another host"
        } else {
            followed < allowed.count
                ? nil : "\(allowed.count) redirects in a row were followed already"
        }
    }

    /// How many redirects to follow in a row, and whether they may lead to other origins.
    private var allowed: (count: Int, anywhere: Bool) {
        switch self {
        case .refuse: (0, false)
        case .sameOrigin(let maximum): (maximum, false)
        case .anyOrigin(let maximum): (maximum, true)
        }
    }
}

/// The hosts that are not on the public Internet: this machine and those in private networks.
enum PrivateNetwork {
    /// Whether a host has an address outside the public Internet; false if the lookup fails.
    static func contains(_ origin: Origin) async -> Bool {
        let (host, port) = (origin.unbracketedHost, origin.port)
        let resolver = NIORandomizedDNSResolver(loop: MultiThreadedEventLoopGroup.singleton.any())
        // The resolver answers both queries with one lookup.
        let (six, four) = (
            resolver.initiateAAAAQuery(host: host, port: port),
            resolver.initiateAQuery(host: host, port: port)
        )
        guard let found = try? await six.and(four).get() else { return false }
        return (found.0 + found.1).contains { contains(bytes(of: $0)) }
    }

    /// Whether an IP address of 4 or 16 bytes is outside the public Internet; true for multicast addresses, too.
    ///
    /// Rule: the IANA special-purpose address registries for IPv4 and IPv6.
    static func contains(_ address: [UInt8]) -> Bool {
        guard address.count == 16 else { return containsIPv4(address) }
        let zeros = address.prefix { $0 == 0 }.count
        switch (address[0], address[1]) {
        // Unique local (RFC 4193), link-local, multicast.
        case (0xFC...0xFD, _), (0xFE, 0x80...0xBF), (0xFF, _): return true
        // 6to4 and NAT64 contain an IPv4 address.
        case (0x20, 0x02): return containsIPv4(Array(address[2..<6]))
        case (0x00, 0x64): return containsIPv4(Array(address[12...]))
        // Loopback, unspecified, IPv4-mapped or IPv4-compatible.
        default:
            let isMapped = zeros == 10 && address[10...11] == [0xFF, 0xFF]
            return zeros >= 15 || (isMapped || zeros >= 12) && containsIPv4(Array(address[12...]))
        }
    }

    private static func containsIPv4(_ address: [UInt8]) -> Bool {
        guard address.count == 4 else { return false }
        return switch (address[0], address[1]) {
        case (0, _), (10, _), (127, _), (224...255, _), (100, 64...127), (169, 254), (172, 16...31),
            (192, 168), (198, 18...19):
            true
        case (192, 0): address[2] == 0
        default: false
        }
    }

    private static func bytes(of address: SocketAddress) -> [UInt8] {
        switch address {
        // The offsets of sin_addr and sin6_addr on Linux.
        case .v4(let four): withUnsafeBytes(of: four.address) { Array($0[4..<8]) }
        case .v6(let six): withUnsafeBytes(of: six.address) { Array($0[8..<24]) }
        case .unixDomainSocket: []
        }
    }
}
