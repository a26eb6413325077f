import Glibc
import NIOCore
import Synchronization

/// How many connections there may be, and how long one may stay on which nothing moves.
package struct ConnectionLimits: Equatable, Sendable {
    /// Connections at a time.
    package var total: Int
    /// Connections at a time from one peer; several registers may share a router's address.
    package var perPeer: Int
    /// How long the first request of a connection may take to arrive, and the content of any.
    package var request: Duration
    /// How long a client may take nothing of an answer; it is closed before twice this time is over.
    package var writing: Duration
    /// How long a connection may stay without a request: longer than clients keep one for their next
    /// request, so that they do not send it into a closing one.
    package var idle: Duration
    /// How many bytes the content of a request may have.
    package var bodySize = 64 << 10

    package init(
        total: Int = 512, perPeer: Int = 256, request: Duration = .seconds(5),
        writing: Duration = .seconds(10), idle: Duration = .seconds(90)
    ) {
        (self.total, self.perPeer) = (total, perPeer)
        (self.request, self.writing, self.idle) = (request, writing, idle)
    }
}

/// The connections of a service, on whatever threads they are.
///
/// If there are too many, a connection that has shown the token stays, and so does one that waits for an
/// answer. A new one replaces the oldest of the others, or is refused if there are none. So a crowd
/// without a token can neither keep a register out nor cost one its connection.
package final class Connections: Sendable {
    private struct Entry {
        let channel: any Channel
        let peer: Peer
        let order: Int
        var isKept = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var counts: [Peer: Int] = [:]
        var order = 0

        mutating func remove(_ id: ObjectIdentifier) {
            guard let entry = entries.removeValue(forKey: id) else { return }
            let count = counts[entry.peer, default: 1] - 1
            counts[entry.peer] = count == 0 ? nil : count
        }
    }

    let limits: ConnectionLimits
    private let state = Mutex(State())

    package init(limits: ConnectionLimits) { self.limits = limits }

    var count: Int { state.withLock { $0.entries.count } }

    /// Counts a new connection in until it closes; the one that has to go for it is closed.
    func admit(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let leaving = state.withLock { makeRoom(for: channel, in: &$0) }
        leaving?.end()
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.remove(id) } }
    }

    /// Enters a connection; returns the one that has to go, which may be itself.
    private func makeRoom(for channel: any Channel, in state: inout State) -> (any Channel)? {
        let peer = Peer(channel.remoteAddress)
        let isCrowd = state.counts[peer, default: 0] >= limits.perPeer
        var leaving: (any Channel)?
        if isCrowd || state.entries.count >= limits.total {
            let others = state.entries.values.lazy
                .filter { !$0.isKept && (!isCrowd || $0.peer == peer) }
            guard let oldest = others.min(by: { $0.order < $1.order }) else { return channel }
            leaving = oldest.channel
            state.remove(ObjectIdentifier(oldest.channel))
        }
        state.entries[ObjectIdentifier(channel)] = Entry(
            channel: channel, peer: peer, order: state.order)
        state.order += 1
        state.counts[peer, default: 0] += 1
        return leaving
    }

    /// Sets whether a connection has shown the token or waits for an answer.
    func keep(_ channel: any Channel, _ isKept: Bool) {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.isKept = isKept }
    }

    /// Closes all connections.
    package func endAll() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.channel.end() }
    }
}

/// Who is at the other end of a connection, as far as limits are concerned.
///
/// It is the address; for IPv6 its network (/64), since one host has all addresses of that. Link-local
/// addresses (fe80::/10) count one by one, as all hosts share that network. An IPv4 address within
/// IPv6 counts as itself.
///
/// Rule: RFC 4291, sections 2.5.4, 2.5.5.2 and 2.5.6.
struct Peer: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The peer at an address; all without an IP address are one peer.
    init(_ address: SocketAddress?) {
        var (four, six) = (in_addr(), in6_addr())
        let text = address?.ipAddress ?? ""
        guard inet_pton(AF_INET6, text, &six) == 1 else {
            let isOne = inet_pton(AF_INET, text, &four) == 1
            bytes = isOne ? withUnsafeBytes(of: &four) { Array($0) } : []
            return
        }
        let address = withUnsafeBytes(of: &six) { Array($0) }
        if address[..<10].allSatisfy({ $0 == 0 }), address[10...11] == [0xFF, 0xFF] {
            bytes = Array(address[12...])
        } else {
            let isOnTheLink = address[0] == 0xFE && address[1] & 0xC0 == 0x80
            bytes = isOnTheLink ? address : Array(address[..<8])
        }
    }
}
