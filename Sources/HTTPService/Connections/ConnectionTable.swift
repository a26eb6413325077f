import Glibc
import NIOCore

/// Which connections there are, and which of them goes where there are too many.
///
/// A new connection always comes in. Where its peer, or all together, have as many as they may, one
/// of theirs goes: the oldest that has shown no token, else the one that has had nothing to do for
/// longest, else the one whose request was asked longest ago. So nobody without a token can keep a
/// register with one out.
struct ConnectionTable<ID: Hashable> {
    private struct Entry {
        let peer: Peer
        var isKnown = false
        var isBusy = false
        var order: Int

        /// Whether it goes before another.
        func goesBefore(_ other: Entry) -> Bool {
            (isKnown ? 1 : 0, isKnown && isBusy ? 1 : 0, order)
                < (other.isKnown ? 1 : 0, other.isKnown && other.isBusy ? 1 : 0, other.order)
        }
    }

    private let limits: ConnectionLimits
    private var entries: [ID: Entry] = [:]
    private var counts: [Peer: Int] = [:]
    private var order = 0

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// How many connections there are.
    var count: Int { entries.count }

    /// The connections on which nothing is asked.
    var resting: [ID] { entries.filter { !$0.value.isBusy }.map(\.key) }

    /// Takes a new connection in.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - peer: Who is at its other end.
    /// - Returns: A connection that goes for it, and is no longer in the table.
    mutating func admit(_ id: ID, from peer: Peer) -> ID? {
        let isCrowd = counts[peer, default: 0] >= limits.perPeer
        var leaving: ID?
        if isCrowd || entries.count >= limits.total {
            leaving =
                entries.lazy.filter { !isCrowd || $0.value.peer == peer }
                .min { $0.value.goesBefore($1.value) }?.key
        }
        if let leaving { remove(leaving) }
        entries[id] = Entry(peer: peer, order: next())
        counts[peer, default: 0] += 1
        return leaving
    }

    /// Notes that a request has come; `isKnown` where it shows the token.
    mutating func ask(_ id: ID, isKnown: Bool) {
        guard var entry = entries[id] else { return }
        if isKnown { entry.isKnown = true }
        entry.isBusy = true
        entry.order = entry.isKnown ? next() : entry.order
        entries[id] = entry
    }

    /// Notes that all requests were answered.
    mutating func rest(_ id: ID) {
        guard var entry = entries[id] else { return }
        entry.isBusy = false
        entry.order = entry.isKnown ? next() : entry.order
        entries[id] = entry
    }

    /// Takes a connection out; one that is not there any more does no harm.
    mutating func remove(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        let count = counts[entry.peer, default: 1] - 1
        counts[entry.peer] = count == 0 ? nil : count
    }

    private mutating func next() -> Int {
        order += 1
        return order
    }
}

/// Who is at the other end of a connection, as far as limits go.
///
/// It is the address; of IPv6 the network it is in (/64), since a host has all addresses of that.
/// On the link (fe80::/10) each address is one of its own, for all hosts share the network there.
/// An IPv4 address within IPv6 is itself.
///
/// Rule: RFC 4291, sections 2.5.4, 2.5.5.2 and 2.5.6.
struct Peer: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Takes the peer from an address; one without an address of IP is one peer with all such.
    init(_ address: SocketAddress?) {
        let text = address?.ipAddress ?? ""
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = Self.network(of: withUnsafeBytes(of: &six) { Array($0) })
        } else {
            bytes = []
        }
    }

    private static func network(of address: [UInt8]) -> [UInt8] {
        let isMapped = address[..<10].allSatisfy { $0 == 0 } && address[10...11] == [0xFF, 0xFF]
        if isMapped { return Array(address[12...]) }
        let isOnTheLink = address[0] == 0xFE && address[1] & 0xC0 == 0x80
        return isOnTheLink ? address : Array(address[..<8])
    }
}
