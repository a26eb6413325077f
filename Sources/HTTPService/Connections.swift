import NIOCore
import Synchronization

/// Limits on the number of connections, the time spent waiting for clients, and the size of requests.
package struct ConnectionLimits: Equatable, Sendable {
    package var total: Int
    /// The maximum number of connections from one client; an IPv6 client is usually a whole /64 network.
    package var perPeer: Int
    /// The time limit for the header of a connection's first request, and for the content of each request.
    package var request: Duration
    /// How long a client may pause while reading an answer.
    package var writing: Duration
    /// How long a connection may stay open without a request.
    ///
    /// Keywedge's clients close unused connections sooner, so that they send no request on a closing connection.
    package var idle: Duration
    /// The size limit for a request's content, in bytes.
    package var bodySize = 64 << 10

    package init(
        total: Int = 512, perPeer: Int = 256, request: Duration = .seconds(5),
        writing: Duration = .seconds(10), idle: Duration = .seconds(90)
    ) {
        (self.total, self.perPeer) = (total, perPeer)
        (self.request, self.writing, self.idle) = (request, writing, idle)
    }
}

/// All connections of a service.
///
/// If there are too many, a new connection replaces the oldest one that has not presented the token and is not waiting
/// for an answer. If there is no such connection, the new one is refused. Clients without the token can therefore
/// neither prevent a register from connecting nor end its connection.
package final class Connections: Sendable {
    private struct Entry {
        let channel: any Channel
        let peer: Peer
        let order: Int
        var isKept = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var order = 0
    }

    let limits: ConnectionLimits
    private let state = Mutex(State())

    package init(limits: ConnectionLimits) { self.limits = limits }

    var count: Int { state.withLock { $0.entries.count } }

    /// Counts a new connection until it closes; if there are too many, closes an older one or the new one.
    func admit(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let leaving = state.withLock { makeRoom(for: channel, in: &$0) }
        leaving?.end()
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.entries[id] = nil } }
    }

    /// Records a new connection if there is room for it, or if an older connection can be closed to make room.
    ///
    /// - Returns: The connection to close: an older one, or the new one if there is no room; nil to close none.
    private func makeRoom(for channel: any Channel, in state: inout State) -> (any Channel)? {
        let peer = Peer(channel.remoteAddress)
        let isCrowd = state.entries.values.count { $0.peer == peer } >= limits.perPeer
        var leaving: (any Channel)?
        if isCrowd || state.entries.count >= limits.total {
            let others = state.entries.values.lazy
                .filter { !$0.isKept && (!isCrowd || $0.peer == peer) }
            leaving = others.min { $0.order < $1.order }?.channel
            guard let leaving else { return channel }
            state.entries[ObjectIdentifier(leaving)] = nil
        }
        state.entries[ObjectIdentifier(channel)] = Entry(
            channel: channel, peer: peer, order: state.order)
        state.order += 1
        return leaving
    }

    /// Sets whether a connection is protected from being replaced by new connections.
    func keep(_ channel: any Channel, _ isKept: Bool) {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.isKept = isKept }
    }

    /// Closes each connection as soon as no request is in progress on it.
    package func endWhenIdle() {
        for entry in state.withLock({ Array($0.entries.values) }) {
            entry.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    package func endAll() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.channel.end() }
    }
}

/// The identity of a client, used to limit the number of its connections.
///
/// An IPv4 client is identified by its address, and an IPv6 client by its /64 network, because one host can use all
/// addresses of that network. A link-local client (fe80::/10) is identified by its address, because all hosts on the
/// link share that network. An IPv4-mapped IPv6 address counts as the IPv4 address.
///
/// Rule: RFC 4291, sections 2.5.4, 2.5.5.2 and 2.5.6.
struct Peer: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates a peer from an address; all clients without an IP address are the same peer.
    init(_ address: SocketAddress?) {
        let address = LoopbackAddress.bytes(of: address?.ipAddress ?? "") ?? []
        let isWithinIPv6 = address.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF])
        if address.count < 16 || isWithinIPv6 {
            bytes = Array(address.suffix(4))
        } else {
            let isOnTheLink = address[0] == 0xFE && address[1] & 0xC0 == 0x80
            bytes = isOnTheLink ? address : Array(address.prefix(8))
        }
    }
}
