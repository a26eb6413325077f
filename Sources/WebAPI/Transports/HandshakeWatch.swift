import NIOCore
import NIOTLS

/// Tells when TLS is set up on a connection, or why not.
final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let established: EventLoopPromise<Void>

    init(_ established: EventLoopPromise<Void>) {
        self.established = established
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { established.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        established.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        established.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
