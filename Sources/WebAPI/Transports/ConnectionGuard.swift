import NIOCore
import NIOHTTP1

/// Ends connections on which an answer comes that was not asked for.
///
/// It stands at two places of a connection: before the parser, where it sees bytes, and behind it,
/// where it sees which of them end an answer.
enum ConnectionGuard {
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
