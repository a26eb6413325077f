import NIOCore
import NIOHTTP1

/// Ends connections on which an answer comes that was not asked for.
///
/// It stands at two places of a connection: before the parser, where it sees bytes, and behind it,
/// where it sees which of them end an answer.
enum AnswerGuard {
    /// The request was not written, for the connection was of no use any more.
    struct UnsentRequest: Error {}

    /// What came was sent before the request arrived that it seemed to answer.
    struct UnaskedAnswer: Error {}

    /// Whether a request was given to a connection that was of no use any more, so that nothing of it
    /// was sent.
    ///
    /// - Parameters:
    ///   - error: Why the request failed.
    ///   - phase: How far it got.
    /// - Returns: Whether it can be given to another connection without harm.
    static func isUnsent(_ error: any Error, phase: ConnectionError.Phase?) -> Bool {
        if error is UnsentRequest { return true }
        // AsyncHTTPClient chose the connection just before it was closed.
        guard phase == nil, let error = error as? ChannelError else { return false }
        return error == .ioOnClosedChannel
    }

    /// Puts the guard into a connection on which nothing was sent yet.
    ///
    /// - Parameter channel: The connection, as AsyncHTTPClient has set it up.
    /// - Returns: Fails where it is set up otherwise.
    static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit {
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let shared = SharedOrder()
                let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
                let decoder = try pipeline.handler(
                    type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(ByteGate(shared), position: .before(encoder))
                try pipeline.addHandler(AnswerGate(shared), position: .after(decoder))
            }
        }
    }
}

/// What the two places have in common.
final class SharedOrder {
    var order = AnswerOrder()
    var framing = AnswerFraming()
    /// Whether bytes are being parsed.
    var isParsing = false
    /// How much of what was sent had arrived when the request was written.
    var confirmedBytes: UInt64?
}

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
        case .refuse: context.fireErrorCaught(AnswerGuard.UnaskedAnswer())
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
        return SocketState(context.channel).confirmedBytes == before
    }
}
