import NIOCore

/// Lets only those bytes of a connection through that belong to an answer that is awaited.
final class ByteGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let shared: SharedOrder

    init(_ shared: SharedOrder) {
        self.shared = shared
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard bytes.readableBytes > 0 else { return }
        let wasIdle = !shared.order.hasEnded && !shared.order.isSpoilt
        switch shared.order.receive(isUnheard: isUnheard(context)) {
        case .pass: parse(bytes, context)
        case .drop: if wasIdle { context.close(promise: nil) }
        case .refuse: context.fireErrorCaught(ConnectionGuard.UnaskedAnswer())
        }
    }

    /// Parses the last byte by itself: an answer that ends before it has something behind it.
    private func parse(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var last = bytes
        shared.isParsing = true
        defer { shared.isParsing = false }
        if bytes.readableBytes > 1, let others = last.readSlice(length: bytes.readableBytes - 1) {
            context.fireChannelRead(wrapInboundOut(others))
            if shared.order.hasEnded {
                _ = shared.order.receive(isUnheard: false)
                return
            }
        }
        context.fireChannelRead(wrapInboundOut(last))
    }

    /// Whether the server's system had nothing of the request yet.
    private func isUnheard(_ context: ChannelHandlerContext) -> Bool {
        guard shared.order.isBeginning, let before = shared.confirmedBytes else { return false }
        return SocketFacts(context.channel).confirmedBytes == before
    }
}
