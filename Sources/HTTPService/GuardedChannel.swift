package import HummingbirdCore
import HummingbirdTLS
package import Logging
package import NIOCore

/// A channel that adds a ``ConnectionGuard`` to each connection.
package struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    fileprivate let base: Base
    fileprivate let connections: Connections

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ConnectionGuard(connections))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    package func handle(value: Base.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Returns a channel that sets up connections, with TLS if `identity` is given, and answers requests with `respond`.
///
/// `knows` returns whether a request with this `Authorization` header is allowed; nil stands for a missing header.
package func guardedChannel(
    _ connections: Connections, identity: ServerIdentity?,
    knows: @escaping @Sendable (_ authorization: String?) -> Bool,
    respond: @escaping HTTPChannelHandler.Responder
) throws -> any ServerChildChannel {
    let plain = HTTP1Channel(
        responder: respond,
        configuration: .init(
            additionalChannelHandlers: [
                ConnectionLimiter(connections: connections, knows: knows)
            ], idleTimeout: TimeAmount(connections.limits.idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 64 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100
            )))
    guard let identity else { return GuardedChannel(base: plain, connections: connections) }
    return GuardedChannel(
        base: try TLSChannel(plain, tlsConfiguration: identity.configuration),
        connections: connections)
}

/// A handler that counts a connection and closes it if the client stops reading.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let connections: Connections
    private var written = 0
    private var watch: Scheduled<Void>?

    init(_ connections: Connections) { self.connections = connections }

    func channelActive(context: ChannelHandlerContext) {
        connections.admit(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch?.cancel()
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if watch == nil { watchReader(context) }
    }

    /// Closes the connection if the client reads none of the waiting data within the time limit.
    private func watchReader(_ context: ChannelHandlerContext) {
        watch = nil
        let left = context.channel.pending
        guard left > 0 else { return }
        let taken = written - left
        let time = TimeAmount(connections.limits.writing)
        watch = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let left = context.channel.pending
            guard left > 0, written - left == taken else { return watchReader(context) }
            context.close(promise: nil)
        }
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is ConnectionEnd else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.close(promise: promise)
    }
}

/// An event that closes a connection immediately, without waiting for the end of the TLS session.
private struct ConnectionEnd: Sendable {}

extension Channel {
    /// Closes the connection immediately, and drops unsent data.
    func end() { triggerUserOutboundEvent(ConnectionEnd(), promise: nil) }

    /// The number of bytes that are waiting to be sent; use this only on the channel's event loop.
    var pending: Int {
        (try? syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0
    }
}

/// An executor that runs tasks on an event loop's thread, so that the same thread reads and answers requests.
///
/// An event loop sleeps until data arrives. Swift's own thread pool would wake up every second, and passing a request
/// to the pool and back would take longer than answering it.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(_ loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
