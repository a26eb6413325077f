package import HummingbirdCore
package import Logging
package import NIOCore

/// Connections that are counted, and can be closed ahead of everything else on them.
package struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    private let base: Base
    private let connections: Connections

    package init(_ base: Base, connections: Connections) {
        self.base = base
        self.connections = connections
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                ConnectionCounter(connections: connections))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    package func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// Stands next to the socket: counts the connection when it is there, and closes it when it is told.
private final class ConnectionCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connections: Connections

    init(connections: Connections) {
        self.connections = connections
    }

    func channelActive(context: ChannelHandlerContext) {
        connections.admit(context.channel)
        context.fireChannelActive()
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        if event is ConnectionEnd {
            context.close(promise: promise)
        } else {
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }
}
