import NIOCore
import NIOHTTPTypes

/// Closes connections that cost and are of no use: those where nothing moves any more, and those
/// whose requests have content without end.
///
/// It stands behind an `IdleStateHandler`, which tells it that nothing was read and nothing was taken
/// by the client for a while.
final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limit: Int
    private var bodySize = 0

    /// Makes a guard.
    ///
    /// - Parameter limit: How many bytes of content a request may have.
    init(limit: Int) {
        self.limit = limit
    }

    /// Counts the content of a request.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: bodySize = 0
        case .body(let bytes): bodySize += bytes.readableBytes
        case .end: break
        }
        guard bodySize <= limit else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    /// Closes a connection where nothing moves.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        context.close(promise: nil)
    }
}
