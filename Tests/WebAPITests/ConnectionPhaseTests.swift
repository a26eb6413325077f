import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Connections that are not made.
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

    @Test func aNameWithoutAPortThatListensIsRefused() async throws {
        let nobody = try RefusingPort()
        let transport = try patientTransport()
        let request = Request(try Address("http://localhost:\(nobody.port)"))
        let error = await transport.output(for: request, within: .patience).connectionError
        #expect(error?.description == "the connection was refused")
        withExtendedLifetime(nobody) {}
    }

    @Test func aNameThatIsUnknownIsTold() async throws {
        // RFC 6761, section 6.4: nobody has such a name.
        let transport = try patientTransport()
        let request = Request(try Address("http://shop.invalid/x"))
        let error = await transport.output(for: request, within: .patience).connectionError
        #expect(error?.description == "the host's name is unknown")
        #expect(error?.phase == .dns)
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
            // Another socket may have been given the port meanwhile.
            guard let backlog = FullBacklog(port: port) else { continue }
            let second = await transport.output(for: request, within: .milliseconds(300))
            #expect(second.connectionError?.kind == .timedOut(after: .milliseconds(300)))
            withExtendedLifetime(backlog) {}
            return
        }
        throw StillWaiting(for: "a port that stays free")
    }

    @Test func noTimeAtAllIsNoRequest() async throws {
        let error = try await StubServer.answering({ _ in .thing }) { server in
            let client = APIClient(transport: try patientTransport())
            let error = try await failure(of: Thing(at: server), by: client, within: .zero)
            #expect(server.connections == 0)
            return error
        }
        #expect(error.reason == .noTime)
        #expect(error.attempts.isEmpty)
    }

    @Test func aTransportThatWasShutDownSaysSo() async throws {
        let error = try await StubServer.answering({ _ in .thing }) { server in
            let transport = try patientTransport()
            await transport.shutdown()
            let request = Request(try Address(server.url))
            return await transport.output(for: request, within: .patience).connectionError
        }
        #expect(
            error?.description == "the transport was shut down while the connection was made")
    }
}
