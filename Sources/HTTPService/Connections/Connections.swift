import NIOCore
import Synchronization

/// The connections of a service, on whatever threads they are.
package final class Connections: Sendable {
    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let state: Mutex<State>

    package init(limits: ConnectionLimits) {
        state = Mutex(State(table: ConnectionTable(limits: limits)))
    }

    /// Takes a new connection in, and closes another where there are too many.
    func admit(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let peer = Peer(channel.remoteAddress)
        let leaving = state.withLock { state in
            state.channels[id] = channel
            return state.table.admit(id, from: peer).flatMap {
                state.channels.removeValue(forKey: $0)
            }
        }
        leaving?.triggerUserOutboundEvent(ConnectionEnd.now, promise: nil)
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                state.channels[id] = nil
                state.table.remove(id)
            }
        }
    }

    /// Closes the connections on which nothing is asked.
    package func endWhereAtRest() {
        let resting = state.withLock { state in
            state.table.resting.compactMap { state.channels[$0] }
        }
        for channel in resting { end(channel) }
    }

    /// Closes all connections.
    package func endAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { end(channel) }
    }

    private func end(_ channel: any Channel) {
        channel.triggerUserOutboundEvent(ConnectionEnd.now, promise: nil)
    }

    /// Notes that a request has come; `isKnown` where it shows the token.
    func ask(_ channel: any Channel, isKnown: Bool) {
        state.withLock { $0.table.ask(ObjectIdentifier(channel), isKnown: isKnown) }
    }

    /// Notes that all requests were answered.
    func rest(_ channel: any Channel) {
        state.withLock { $0.table.rest(ObjectIdentifier(channel)) }
    }
}

/// Says that a connection is to be closed, whatever is on its way.
enum ConnectionEnd: Sendable {
    /// At once, without a farewell that TLS would wait for.
    case now
}
