import NIOCore
import NIOPosix
import TestFolders
import TestWaiting
import Testing
import WebAPI

/// The transport to a service on this box.
@Suite(.timeLimit(.minutes(15))) struct UnixSocketTransportTests {
    @Test func whoConnectsAndGetsNoAnswerIsToldSo() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("socket")
        // It takes connections, and says nothing on them.
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(unixDomainSocketPath: path).get()
        let transport = AsyncHTTPClientTransport(socket: path)
        let request = Request(try Address("http://localhost/v1/status"))
        var errors: [ConnectionError?] = []
        for limit in Duration.rising where errors.last??.phase != .head {
            errors.append(await transport.output(for: request, within: limit).connectionError)
            #expect(errors.last??.kind == .timedOut(after: limit))
        }
        try await server.close()
        let error = try #require(errors.last ?? nil)
        #expect(error.phase == .head)
        #expect("\(error)".hasSuffix(" was up while the response was waited for"))
    }

    @Test func aSocketThatIsNotThereIsNotConnectedTo() async throws {
        let folder = try TemporaryFolder()
        let transport = AsyncHTTPClientTransport(socket: folder.path("none"))
        let request = Request(try Address("http://localhost/"))
        let output = await transport.output(for: request, within: .patience)
        #expect(output.connectionError?.phase == .connect)
    }
}
