import NIOCore

/// Hands the bytes of one connection to the script, and tells when it begins and ends.
final class StubHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let begin: (any Channel, AsyncStream<ByteBuffer>) -> Void
    private let chunks: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    init(_ begin: @escaping (any Channel, AsyncStream<ByteBuffer>) -> Void) {
        self.begin = begin
        (chunks, continuation) = AsyncStream.makeStream()
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context.channel, chunks)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
