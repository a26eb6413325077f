import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections that cost and are of no use: those where nothing moves any more, and those
/// whose requests have content without end.
///
/// It only carries out what ``ConnectionTiming`` decides.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private typealias Clock = ContinuousClock

    private let doorkeeper: Doorkeeper
    private let connections: Connections
    private var timing: ConnectionTiming<Clock.Instant>
    private var look: (at: Clock.Instant, task: Scheduled<Void>)?
    private var bodySize = 0

    /// Makes a guard.
    ///
    /// - Parameters:
    ///   - limits: How long nothing may move.
    ///   - doorkeeper: Knows the token.
    ///   - connections: All connections.
    init(limits: ConnectionLimits, doorkeeper: Doorkeeper, connections: Connections) {
        self.doorkeeper = doorkeeper
        self.connections = connections
        timing = ConnectionTiming(limits: limits, at: Clock.now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        decide(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        look?.task.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        look?.task.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            bodySize = 0
            let isKnown = doorkeeper.knows(request.headerFields[.authorization])
            timing.requestBegan(isKnown: isKnown, at: Clock.now)
            connections.ask(context.channel, isKnown: isKnown)
        case .body(let bytes): bodySize += bytes.readableBytes
        case .end: timing.requestEnded()
        }
        guard bodySize <= ServiceLimits.bodySize else { return end(context) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            let time = timing.answered(at: Clock.now)
            if timing.isAtRest { connections.rest(context.channel) }
            schedule(context, at: time)
        }
        context.write(data, promise: promise)
    }

    private func decide(_ context: ChannelHandlerContext) {
        let option = ChannelOptions.bufferedWritableBytes
        let pending = (try? context.channel.syncOptions?.getOption(option)) ?? 0
        switch timing.verdict(at: Clock.now, pending: pending) {
        case .close: end(context)
        case .look(let time): schedule(context, at: time)
        }
    }

    /// Sees to it that it is decided again by then; sooner does no harm.
    private func schedule(_ context: ChannelHandlerContext, at time: Clock.Instant) {
        if let look {
            guard time < look.at else { return }
            look.task.cancel()
        }
        let wait = TimeAmount(Clock.now.duration(to: time))
        let task = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { [self] in
            look = nil
            decide(context)
        }
        look = (time, task)
    }

    private func end(_ context: ChannelHandlerContext) {
        context.channel.triggerUserOutboundEvent(ConnectionEnd.now, promise: nil)
    }
}
