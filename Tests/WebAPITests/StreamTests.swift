import KeywedgeTestKit
import NIOCore
import NIOPosix
import TestFolders
import TestWaiting
import Testing
import WebAPI

/// Tests bodies that are read while they arrive.
@Suite struct StreamTests {
    private func client(_ server: StubServer) throws -> APIClient {
        APIClient(baseURL: BaseURL(server.url), transport: try patientTransport())
    }

    @Test func aBodyComesInPiecesWithoutAnEnd() async throws {
        let (wishes, wish) = AsyncStream<Void>.makeStream()
        try await StubServer.run(script: { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for await _ in wishes { try await connection.write("1\r\nx\r\n") }
        }) { server in
            let stream = try await client(server).stream(Call<Void>("/events"), within: .patience)
            var pieces = stream.body.makeAsyncIterator()
            for _ in 0..<3 {
                wish.yield()
                #expect(try await pieces.next() == Array("x".utf8))
            }
            wish.finish()
            let error = await #expect(throws: ConnectionError.self) {
                while try await pieces.next() != nil {}
            }
            #expect(error?.kind == .closed && error?.phase == .body)
        }
    }

    @Test func aRefusalIsAnErrorWithWhatTheServerSaid() async throws {
        try await StubServer.answering({ _ in .json(#"{"detail":"no such consumer"}"#, status: 404)
        }) {
            server in
            let error = await #expect(throws: CallError.self) {
                try await client(server).stream(Call<Void>("/events"), within: .patience)
            }
            #expect(
                error?.reasonText == #"the server answered 404 Not Found: "no such consumer""#)
            #expect(error?.attempts.count == 1)
        }
    }

    /// A call ends at its time limit even if the service never ends its answer.
    @Test func aDribblingBodyOverAUnixSocketEndsWithTheTime() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("socket")
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Dribble())
                }
            }
            .bind(unixDomainSocketPath: path).get()
        let transport = AsyncHTTPClientTransport(socket: path)
        let request = Request(try Address("http://localhost/v1/status"))
        var phase: ConnectionError.Phase?
        for limit in Duration.rising where phase != .body {
            let error = await transport.output(for: request, within: limit).connectionError
            #expect(error?.kind == .timedOut(after: limit))
            phase = error?.phase
        }
        #expect(phase == .body)
        try await server.close()
    }
}

/// Answers with content that never ends.
private final class Dribble: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(head), promise: nil)
        let loop = context.eventLoop
        let channel = context.channel
        let dribble = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
            channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in dribble.cancel() }
    }
}
