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

    /// Parses bytes so that it is seen where an answer has something behind it.
    ///
    /// The head goes first, for it may tell how long the content is. Where it does not, the last byte
    /// is parsed by itself: an answer that ends before it has something behind it.
    private func parse(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var rest = bytes
        shared.isParsing = true
        defer { shared.isParsing = false }
        if shared.framing.awaitsHead,
            let length = AnswerFraming.lengthOfHead(in: rest.readableBytesView)
        {
            parse(length, of: &rest, context)
        }
        if !shared.framing.holds(rest.readableBytes) {
            parse(rest.readableBytes - 1, of: &rest, context)
        }
        parse(rest.readableBytes, of: &rest, context)
    }

    /// Parses the first of the bytes; what stands behind the end of an answer is not parsed.
    private func parse(_ count: Int, of bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard count > 0, let first = bytes.readSlice(length: count) else { return }
        guard !shared.order.hasEnded else {
            _ = shared.order.receive(isUnheard: false)
            return
        }
        guard !shared.order.isSpoilt else { return }
        context.fireChannelRead(wrapInboundOut(first))
    }

    /// Whether the server's system had nothing of the request yet.
    private func isUnheard(_ context: ChannelHandlerContext) -> Bool {
        guard shared.order.isBeginning, let before = shared.confirmedBytes else { return false }
        return SocketFacts(context.channel).confirmedBytes == before
    }
}
