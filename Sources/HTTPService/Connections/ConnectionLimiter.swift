import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Closes connections that cost and are of no use: those where nothing moves any more, those whose
/// requests have content without end, and those without a token once they have had one answer.
///
/// It only carries out what ``ConnectionTiming`` decides.
package final class ConnectionLimiter: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private typealias Clock = ContinuousClock

    private let knows: @Sendable (_ authorization: String?) -> Bool
    private let bodyLimit: Int
    private let connections: Connections
    private var timing: ConnectionTiming<Clock.Instant>
    private var look: (at: Clock.Instant, task: Scheduled<Void>)?
    private var bodySize = 0
    private var taking = Taking.requests
    /// Whether the last answer is written.
    private var hasEnded = false

    /// Whether another request is taken.
    private enum Taking {
        case requests
        /// The one that is coming is the last.
        case lastOne
        /// What follows is dropped.
        case nothing
    }

    /// Makes a guard.
    ///
    /// - Parameters:
    ///   - limits: How long nothing may move.
    ///   - connections: All connections.
    ///   - knows: Whether the value of an `Authorization` header, or that there is none, tells a
    ///     client of the service.
    package init(
        limits: ConnectionLimits, connections: Connections,
        knows: @escaping @Sendable (_ authorization: String?) -> Bool
    ) {
        self.knows = knows
        bodyLimit = limits.bodySize
        self.connections = connections
        timing = ConnectionTiming(limits: limits, at: Clock.now)
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        decide(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        look?.task.cancel()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        look?.task.cancel()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard taking != .nothing else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(var request):
            bodySize = 0
            let isKnown = knows(request.headerFields[.authorization])
            timing.requestBegan(isKnown: isKnown, at: Clock.now)
            connections.ask(context.channel, isKnown: isKnown)
            if !timing.isKnown {
                // The server closes the connection behind the answer.
                request.headerFields[.connection] = "close"
                part = .head(request)
            }
            if request.headerFields[.connection] == "close" { taking = .lastOne }
        case .body(let bytes): bodySize += bytes.readableBytes
        case .end:
            timing.requestEnded()
            if taking == .lastOne { taking = .nothing }
        }
        guard bodySize <= bodyLimit else { return end(context) }
        context.fireChannelRead(wrapInboundOut(part))
    }

    package func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        // A request that was pipelined may have been taken before the answer ahead said that it is the last.
        guard !hasEnded else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(var answer):
            let isStream = answer.status == .ok && answer.headerFields[.contentLength] == nil
            if isStream { timing.streamBegan() }
            if !timing.isKnown {
                answer.headerFields[.connection] = "close"
                part = .head(answer)
            }
            guard answer.headerFields[.connection] == "close" else { break }
            timing.lastAnswerBegan()
            if taking == .requests { taking = timing.isReading ? .lastOne : .nothing }
        case .end:
            hasEnded = timing.isEnding
            let time = timing.answered(at: Clock.now)
            if timing.isAtRest { connections.rest(context.channel) }
            schedule(context, at: time)
        case .body: break
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        // A stream is looked at only while its client is behind; else a look is due already.
        if look == nil, !context.channel.isWritable { decide(context) }
        context.fireChannelWritabilityChanged()
    }

    private func pending(_ context: ChannelHandlerContext) -> Int {
        let option = ChannelOptions.bufferedWritableBytes
        return (try? context.channel.syncOptions?.getOption(option)) ?? 0
    }

    private func decide(_ context: ChannelHandlerContext) {
        switch timing.verdict(at: Clock.now, pending: pending(context)) {
        case .close: end(context)
        case .look(let time): schedule(context, at: time)
        case .rest: break
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
