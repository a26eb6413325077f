package import HummingbirdCore
package import Logging
package import NIOCore

/// Connections that are counted, and can be closed ahead of everything else on them; what is asked on
/// one is answered on the thread that reads it.
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
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
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

extension HTTP1Channel.Configuration {
    /// Bytes of the header of a request.
    private static let headerSize = 64 << 10

    /// Connections that are bounded in all that a client can make large or long.
    ///
    /// - Parameters:
    ///   - limits: How long nothing may move on one.
    ///   - connections: All connections.
    ///   - knows: Whether the value of an `Authorization` header, or that there is none, tells a client
    ///     of the service.
    /// - Returns: The configuration of a connection.
    package static func guarded(
        limits: ConnectionLimits, connections: Connections,
        knows: @escaping @Sendable (_ authorization: String?) -> Bool
    ) -> Self {
        var decoding = DecoderConfiguration()
        decoding.maxHeaderFieldSize = headerSize
        decoding.maxHeaderListSize = headerSize
        decoding.maxHeaderFieldCount = 100
        return Self(
            additionalChannelHandlers: [
                ConnectionLimiter(limits: limits, connections: connections, knows: knows)
            ], httpDecoderConfiguration: decoding)
    }
}
