import NIOCore
import NIOHTTP1

/// Holds the end of an answer back until all that came with it was seen, and lets no request onto a
/// connection that is of no use any more.
final class AnswerGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let shared: SharedOrder
    private var heldEnd: HTTPClientResponsePart?
    private var isRefusing = false
    private var refused: [EventLoopPromise<Void>] = []

    init(_ shared: SharedOrder) {
        self.shared = shared
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) { begin(context) }
        guard !isRefusing else {
            if let promise { refused.append(promise) }
            return
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch part {
        // One of 1xx is no answer's: that is still to come, with a head of its own.
        case .head(let head):
            if head.status.code >= 200 { shared.framing.take(head.headers) }
        case .body(let content): shared.framing.takeContent(of: content.readableBytes)
        case .end where shared.isParsing:
            heldEnd = part
            shared.order.end()
            return
        case .end: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        release(context)
        context.fireChannelReadComplete()
    }

    /// What stands behind an answer may be no HTTP, which is no fault of the answer.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard heldEnd != nil else { return context.fireErrorCaught(error) }
        _ = shared.order.receive(isUnheard: false)
    }

    func channelInactive(context: ChannelHandlerContext) {
        release(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        failRefused()
    }

    private func begin(_ context: ChannelHandlerContext) {
        let facts = SocketState(context.channel)
        let isReused = shared.order.isReused
        if shared.order.ask(hasUnread: isReused && facts.hasUnread) {
            shared.framing.begin()
            shared.confirmedBytes = isReused ? facts.confirmedBytes : nil
        } else {
            refuse(context)
        }
    }

    /// Hands the end of the answer on, upon which the next request may come at once.
    private func release(_ context: ChannelHandlerContext) {
        guard let end = heldEnd else { return }
        heldEnd = nil
        shared.order.settle()
        context.fireChannelRead(wrapInboundOut(end))
        if shared.order.isSpoilt, !isRefusing { context.close(promise: nil) }
    }

    /// Fails the request that is being written, once whoever writes it has returned.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefusing = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (gate, context) = bound.value
            context.fireErrorCaught(AnswerGuard.UnsentRequest())
            context.close(promise: nil)
            gate.failRefused()
        }
    }

    private func failRefused() {
        for promise in refused { promise.fail(AnswerGuard.UnsentRequest()) }
        refused = []
    }
}
