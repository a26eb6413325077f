import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing
import WebAPI

/// Tests calls that get no connection.
@Suite struct ConnectionPhaseTests {
    @Test func aPortWithoutAServerIsRefused() async throws {
        let nobody = try RefusingPort()
        let client = APIClient(transport: try patientTransport())
        let endpoint = AnyResponse(to: Request(try Address(nobody.url)))
        let error = try await failure(of: endpoint, by: client)
        #expect(
            error.description
                == "AnyResponse: the connection was refused; the request was GET \(nobody.url)/")
        #expect(error.connectionError?.phase == .connect)
        #expect(error.connectionError?.serverMayHaveBeenReached == false)
        withExtendedLifetime(nobody) {}
    }

    @Test func aNameThatLeadsNowhereIsTold() async throws {
        let nobody = try RefusingPort()
        let transport = try patientTransport()
        for (url, sentence, phase) in [
            ("http://localhost:\(nobody.port)", "the connection was refused", "connect"),
            // RFC 6761, section 6.4: such names do not exist.
            ("http://shop.invalid/x", "the host's name is unknown", "dns"),
        ] {
            let request = Request(try Address(url))
            let error = await transport.output(for: request, within: .patience).connectionError
            #expect(error?.description == sentence && error?.phase.rawValue == phase)
        }
        withExtendedLifetime(nobody) {}
    }

    @Test func aServerThatTakesNoConnectionIsTold() async throws {
        let backlog = try #require(FullBacklog())
        let transport = try patientTransport(connect: .milliseconds(300))
        let request = Request(try Address("http://127.0.0.1:\(backlog.port)"))
        let error = await transport.output(for: request, within: .patience).connectionError
        #expect(error?.description == "the time of 300ms was up while the connection was made")
        #expect(error?.serverMayHaveBeenReached == false)
        withExtendedLifetime(backlog) {}
    }

    @Test func anErrorOfAnEarlierConnectionIsNotTakenForAnother() async throws {
        for _ in 0..<20 {
            var nobody: RefusingPort? = try RefusingPort()
            let port = try #require(nobody?.port)
            let transport = try patientTransport()
            let request = Request(try Address("http://127.0.0.1:\(port)"))
            let first = await transport.output(for: request, within: .patience).connectionError
            #expect(first?.kind == .refused)
            nobody = nil
            // The system may have given the port to another socket by now.
            guard let backlog = FullBacklog(port: port) else { continue }
            let second = await transport.output(for: request, within: .milliseconds(300))
            #expect(second.connectionError?.kind == .timedOut(after: .milliseconds(300)))
            withExtendedLifetime(backlog) {}
            return
        }
        throw StillWaiting(for: "a port that stays free")
    }

    @Test func noTimeAtAllIsNoRequest() async throws {
        let transport = StubTransport([])
        let request = Request(try Address("http://shop.example"))
        let error = try await failure(
            of: AnyResponse(to: request), by: APIClient(transport: transport), within: .zero)
        #expect(error.reason == .noTime)
        #expect(error.attempts.isEmpty && transport.requests.isEmpty)
    }

    @Test func aTransportThatWasShutDownSaysSo() async throws {
        let transport = try patientTransport()
        await transport.shutdown()
        let request = Request(try Address("http://shop.example"))
        let error = await transport.output(for: request, within: .patience).connectionError
        #expect(
            error?.description == "the transport was shut down while the connection was made")
    }

    @Test func aSocketThatIsNotThereIsNotConnectedTo() async throws {
        let folder = try TemporaryFolder()
        let transport = AsyncHTTPClientTransport(socket: folder.path("none"))
        let request = Request(try Address("http://localhost/"))
        let output = await transport.output(for: request, within: .patience)
        #expect(output.connectionError?.phase == .connect)
    }
}
