import Glibc
import NIOCore
import NIOPosix

/// A server that gives every request the same answer.
enum Server {
    static let content =
        #"{"id":4006381333931,"name":"Fine liner, blue","price":"2.49","stock":17}"#

    /// Serves on a port that the system chooses and prints it; ends when standard input ends.
    static func run() async throws {
        let listener = try await ServerBootstrap(
            group: MultiThreadedEventLoopGroup(numberOfThreads: 1)
        )
        .serverChannelOption(.backlog, value: 1024)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Answerer())
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
        print(listener.localAddress?.port ?? 0)
        fflush(nil)
        while readLine() != nil {}
        try await listener.close()
    }
}

/// Answers each time that a request's head ends.
private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let answer = ByteBuffer(
        string: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(Server.content.utf8.count)\r\n\r\n\(Server.content)")

    private var seen = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            let isNext = byte == (seen.isMultiple(of: 2) ? 0x0D : 0x0A)
            seen = isNext ? seen + 1 : (byte == 0x0D ? 1 : 0)
            if seen == 4 {
                seen = 0
                context.writeAndFlush(wrapOutboundOut(Self.answer), promise: nil)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
