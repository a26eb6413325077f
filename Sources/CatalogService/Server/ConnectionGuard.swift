import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections that cost and are of no use: those where nothing moves any more, those whose
/// requests have content without end, and those without a token once they have had one answer.
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
    private var course = Course.open

    /// Whether another request is taken.
    private enum Course {
        case open
        /// The one that is being answered shows no token: it is the last.
        case ending
        /// It has come to its end; what follows is dropped.
        case ended
    }

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
        guard course != .ended else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(var request):
            bodySize = 0
            let isKnown = doorkeeper.knows(request.headerFields[.authorization])
            timing.requestBegan(isKnown: isKnown, at: Clock.now)
            connections.ask(context.channel, isKnown: isKnown)
            guard !isKnown else { break }
            course = .ending
            // The server closes the connection behind the answer.
            request.headerFields[.connection] = "close"
            part = .head(request)
        case .body(let bytes): bodySize += bytes.readableBytes
        case .end:
            timing.requestEnded()
            if course == .ending { course = .ended }
        }
        guard bodySize <= ServiceLimits.bodySize else { return end(context) }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(var answer) where course != .open:
            answer.headerFields[.connection] = "close"
            part = .head(answer)
        case .end:
            let time = timing.answered(at: Clock.now)
            if timing.isAtRest { connections.rest(context.channel) }
            schedule(context, at: time)
        case .head, .body: break
        }
        context.write(wrapOutboundOut(part), promise: promise)
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
