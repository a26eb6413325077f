import NIOCore
import NIOPosix
import TestFolders
import Testing

import WebAPI

/// The transport to a service on this box.
@Suite(.timeLimit(.minutes(2))) struct UnixSocketTransportTests {
    @Test func whoConnectsAndGetsNoAnswerIsToldSo() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("socket")
        // It takes connections, and says nothing on them.
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(unixDomainSocketPath: path).get()
        let limit = Duration.milliseconds(300)
        let transport = UnixSocketTransport(path: path)
        let request = Request(try Address("http://localhost/v1/status"))
        let output = await transport.output(for: request, within: limit)
        try await server.close()
        let error = try #require(output.connectionError)
        #expect(error.kind == .timedOut(after: limit) && error.phase == .head)
        #expect("\(error)" == "the time of 300ms was up while the response was waited for")
    }

    @Test func aSocketThatIsNotThereIsNotConnectedTo() async throws {
        let folder = try TemporaryFolder()
        let transport = UnixSocketTransport(path: folder.path("none"))
        let request = Request(try Address("http://localhost/"))
        let output = await transport.output(for: request, within: .seconds(10))
        #expect(output.connectionError?.phase == .connect)
    }
}
