import Glibc
import HTTPTypes
import NIOPosix

/// Whether redirects are followed.
///
/// `GET` and `HEAD` follow them; any other method follows only 307 and 308, which keep it, and only
/// within the origin.
public enum RedirectPolicy: Hashable, Sendable {
    /// None is; a redirect is a response like any other.
    case refuse
    /// Those to the same origin are, up to this many in a row.
    case sameOrigin(maximum: Int)
    /// Those to any origin are, up to this many in a row.
    ///
    /// To another origin only `GET` and `HEAD` continue, and they carry none of the headers, nor anything
    /// an interceptor would add. From `https` to `http` none is followed; nor is one to this machine
    /// or a private network, unless the call began there.
    case anyOrigin(maximum: Int)
}

/// A redirect that was not followed, and why.
public struct RefusedRedirect: Hashable, Sendable, CustomStringConvertible {
    /// Why a redirect is not followed.
    public enum Reason: Hashable, Sendable {
        /// None is to be.
        case notAllowed
        /// It leads to another scheme, host or port, and that is not allowed.
        case otherOrigin
        /// It leads to another scheme, host or port, where no content of ours goes; with the method.
        case contentElsewhere(method: String)
        /// It leads from `https` to `http`.
        case unencrypted
        /// It leads to this machine or a private network, and the call began elsewhere.
        case privateNetwork
        /// It would turn a method such as `POST` into a `GET` that says nothing of the question.
        case otherMethod(String)
        /// As many in a row as are allowed were followed.
        case tooMany(Int)
        /// It does not say where to go, or not by a URL.
        case noTarget
    }

    /// Where it leads; nil if it does not say.
    public let target: Origin?
    /// Why it is not followed.
    public let reason: Reason

    /// The end of a sentence, which shows neither the path nor the query: they may hold secrets.
    public var description: String {
        guard let target else { return "leads nowhere: its Location is missing or no URL" }
        return "leads to \(target), which is not followed: \(reason)"
    }
}

extension RefusedRedirect.Reason: CustomStringConvertible {
    /// The reason as a clause.
    public var description: String {
        switch self {
        case .notAllowed: "redirects are refused"
        case .otherOrigin: "redirects to another scheme, host or port are refused"
        case .contentElsewhere(let method): "a \(method) is not sent to another host"
        case .unencrypted: "redirects from https to http always are refused"
        case .privateNetwork: "redirects from the Internet to a private network always are refused"
        case .otherMethod(let method): "it would turn the \(method) into a GET without its question"
        case .tooMany(let count): "\(count) redirects in a row were followed already"
        case .noTarget: "it does not say where to go"
        }
    }
}

/// One request on its way through redirects.
struct OutgoingRequest {
    /// What is sent.
    let request: Request

    /// Whether it goes elsewhere than the first request did; from there on nothing of ours goes
    /// along, not even where a redirect leads back.
    let leftOrigin: Bool

    init(request: Request, leftOrigin: Bool = false) {
        self.request = request
        self.leftOrigin = leftOrigin
    }
}

extension RedirectPolicy {
    /// What is done about a redirect.
    enum Decision {
        /// This request is sent.
        case follow(OutgoingRequest)
        /// The redirect is the answer.
        case refuse(RefusedRedirect)
    }

    /// Decides whether a redirect is followed; nil for a response that is none.
    ///
    /// `start` is where the call began, and `isPrivate` says of an origin whether it is in a private
    /// network.
    ///
    /// Rule: RFC 9110, section 15.4. For 301, 302 and 303 clients turn a `POST` into a `GET`. It
    /// would ask something else, so it is not sent.
    func decision(
        on response: Response, to outgoing: OutgoingRequest, from start: Origin, followed: Int,
        isPrivate: (Origin) async -> Bool
    ) async -> Decision? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        guard let reference = response.headers[.location],
            let target = try? outgoing.request.location.resolving(reference)
        else { return .refuse(RefusedRedirect(target: nil, reason: .noTarget)) }
        let (from, to) = (outgoing.request.url.origin, target.address.origin)
        var reason = obstacle(
            from: from, to: to, outgoing.request.methodAndPayload, response.status.code, followed)
        if reason == nil, to != start, await isPrivate(to) {
            reason = await isPrivate(start) ? nil : .privateNetwork
        }
        if let reason { return .refuse(RefusedRedirect(target: to, reason: reason)) }
        let isSame = from == to
        // What was secret in our query is so in the server's that repeats it.
        let queries = target.queries.map { $0.marked(like: outgoing.request.queries) }
        return .follow(
            OutgoingRequest(
                request: Request(
                    Location(address: target.address, queries: queries),
                    headers: isSame ? outgoing.request.headers : [:],
                    outgoing.request.methodAndPayload),
                leftOrigin: outgoing.leftOrigin || !isSame))
    }

    private func obstacle(
        from: Origin, to: Origin, _ method: MethodAndPayload, _ status: Int, _ followed: Int
    ) -> RefusedRedirect.Reason? {
        let asksOnly = method == .get || method == .head
        if maximum == 0 { return .notAllowed }
        if from.scheme == .https, to.scheme == .http { return .unencrypted }
        if from != to, !mayLeaveOrigin { return .otherOrigin }
        if !asksOnly, status <= 303 { return .otherMethod(method.method) }
        if from != to, !asksOnly { return .contentElsewhere(method: method.method) }
        return followed < maximum ? nil : .tooMany(maximum)
    }

    private var maximum: Int {
        switch self {
        case .refuse: 0
        case .sameOrigin(let maximum), .anyOrigin(let maximum): maximum
        }
    }

    private var mayLeaveOrigin: Bool {
        if case .anyOrigin = self { true } else { false }
    }
}

/// Which addresses are not on the Internet: this machine's own, and those of the networks around it.
enum PrivateNetwork {
    /// Whether a host is such an address, or a name of one.
    static func contains(_ origin: Origin) async -> Bool {
        let host = origin.unbracketedHost
        let found = try? await NIOThreadPool.singleton.runIfActive { Self.addresses(of: host) }
        return found?.contains { Self.contains($0) } ?? false
    }

    /// Whether an address of 4 or 16 bytes is one.
    ///
    /// Rule: IANA, "Special-Purpose Address Registry" for IPv4 and IPv6; multicast.
    static func contains(_ address: [UInt8]) -> Bool {
        guard address.count == 16 else { return containsIPv4(address) }
        let zeros = address.prefix { $0 == 0 }.count
        switch (address[0], address[1]) {
        // Unique local (RFC 4193), link-local, multicast.
        case (0xFC...0xFD, _), (0xFE, 0x80...0xBF), (0xFF, _): return true
        // 6to4 and NAT64 hold an address of IPv4.
        case (0x20, 0x02): return containsIPv4(Array(address[2..<6]))
        case (0x00, 0x64): return containsIPv4(Array(address[12...]))
        // Loopback, unspecified, and an address of IPv4, mapped or not.
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

    private static func addresses(of host: String) -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: \.pointee.ai_next).compactMap { bytes(of: $0.pointee) }
    }

    private static func bytes(of information: addrinfo) -> [UInt8]? {
        guard let pointer = UnsafeRawPointer(information.ai_addr) else { return nil }
        switch information.ai_family {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: address) { Array($0) }
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: address) { Array($0) }
        default: return nil
        }
    }
}
