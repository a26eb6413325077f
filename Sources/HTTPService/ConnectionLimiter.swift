import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A handler that closes a connection if a request is slow or too large.
///
/// It also closes a connection after its first answer if the client sent no valid token. Hummingbird closes idle ones.
final class ConnectionLimiter: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Reading {
        case requests
        /// The handler reads the rest of the current request, and ignores later requests.
        case lastRequest
        case nothing
    }

    private let connections: Connections
    private let knows: @Sendable (_ authorization: String?) -> Bool
    private var isKnown = false
    private var reading = Reading.requests
    private var bodySize = 0
    private var unanswered = 0
    private var deadline: Scheduled<Void>?

    /// Creates a handler; `knows` returns whether an `Authorization` header allows a request.
    init(connections: Connections, knows: @escaping @Sendable (String?) -> Bool) {
        (self.connections, self.knows) = (connections, knows)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        expect(within: connections.limits.request, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
        // NIO leaves the kernel's timer armed for a cancelled task, so an idle process would wake up when that
        // task was due. A new task that is due earlier resets the timer.
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {}
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != .nothing else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(var request):
            bodySize = 0
            unanswered += 1
            if knows(request.headerFields[.authorization]) { isKnown = true }
            if !isKnown {
                // This makes the server close the connection after the answer.
                request.headerFields[.connection] = "close"
                part = .head(request)
            }
            if request.headerFields[.connection] == "close" { reading = .lastRequest }
            expect(within: connections.limits.request, context)
        case .body(let bytes): bodySize += bytes.readableBytes
        case .end:
            deadline?.cancel()
            if reading == .lastRequest { reading = .nothing }
            connections.keep(context.channel, true)
        }
        guard bodySize <= connections.limits.bodySize else { return context.channel.end() }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(var answer):
            if !isKnown {
                answer.headerFields[.connection] = "close"
                part = .head(answer)
            }
            if answer.headerFields[.connection] == "close" { reading = .nothing }
        case .end:
            unanswered -= 1
            if unanswered == 0 { connections.keep(context.channel, isKnown) }
            // A client that keeps its side open gets time to read the answer before the connection is closed.
            if reading == .nothing { expect(within: connections.limits.writing, context) }
        case .body: break
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    /// Closes the connection after the given time, unless ``deadline`` is cancelled or replaced before then.
    ///
    /// If data is still unsent at that time, the connection stays open and is checked again after the `writing` limit.
    private func expect(within time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            guard context.channel.pending == 0 else {
                return self.expect(within: self.connections.limits.writing, context)
            }
            context.channel.end()
        }
    }
}
