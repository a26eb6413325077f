import NIOCore
import Synchronization

/// Limits for the number of connections, and for how long one may stay without progress.
package struct ConnectionLimits: Equatable, Sendable {
    package var total: Int
    /// The limit for one peer; several registers may share a router's address.
    package var perPeer: Int
    /// The time limit for the first request of a connection to arrive, and for the content of any request.
    package var request: Duration
    /// How long a client may stop reading an answer; its connection is closed within twice this time.
    package var writing: Duration
    /// How long a connection may stay without a request: longer than clients keep one for reuse, so that they
    /// do not send a request into a connection that is closing.
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

/// The connections of a service, on all threads.
///
/// When there are too many, connections that have presented the token or wait for an answer stay. A new
/// connection replaces the oldest of the others, or is refused if there are no others. So a crowd without a
/// token can neither lock a register out nor cost it its connection.
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

    /// Counts a new connection until it closes, and closes the one that must make room for it.
    func admit(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let leaving = state.withLock { makeRoom(for: channel, in: &$0) }
        leaving?.end()
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.entries[id] = nil } }
    }

    /// Adds a connection; returns the one that must be closed, which may be the new one.
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

    /// Sets whether a connection has presented the token or waits for an answer.
    func keep(_ channel: any Channel, _ isKept: Bool) {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.isKept = isKept }
    }

    /// Closes each connection as soon as it has no request.
    package func endWhenIdle() {
        for entry in state.withLock({ Array($0.entries.values) }) {
            entry.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    package func endAll() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.channel.end() }
    }
}

/// The other end of a connection, for the purpose of limits.
///
/// It is the address, or for IPv6 the network (/64), because one host owns all of its addresses. Link-local addresses
/// (fe80::/10) count individually, because all hosts share that network. An IPv4 address inside IPv6 counts as IPv4.
///
/// Rule: RFC 4291, sections 2.5.4, 2.5.5.2 and 2.5.6.
struct Peer: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The peer with an address; all without an IP address are the same peer.
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
