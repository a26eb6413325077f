import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Tests that a call can be cancelled in each phase, and that its connection is closed.
@Suite struct CancellationTests {
    /// Starts a call, cancels it when the server has run `begin`, and returns the error; without TLS, first
    /// waits until the server sees that the connection is closed.
    private func cancelled(
        scheme: String = "http", sending method: MethodAndPayload = .get,
        _ begin: @escaping @Sendable (StubConnection) async throws -> Void = { _ in }
    ) async throws -> CallError {
        let (signs, sign) = AsyncStream<Void>.makeStream()
        return try await StubServer.run(script: { connection in
            try await begin(connection)
            sign.yield()
            await connection.waitForClose()
            sign.yield()
        }) { server in
            let client = APIClient(transport: try patientTransport())
            let address = try Address("\(scheme)://127.0.0.1:\(server.port)")
            let endpoint = AnyResponse(to: Request(address, method))
            let call = Task { try await failure(of: endpoint, by: client, within: .patience) }
            var sign = signs.makeAsyncIterator()
            await sign.next()
            call.cancel()
            let error = try await call.value
            #expect(error.reason == .cancelled)
            #expect(error.attempts.last?.output.connectionError?.kind == .cancelled)
            // During a TLS handshake, the client closes the connection only when the time limit is over.
            if scheme == "http" { await sign.next() }
            return error
        }
    }

    @Test func whileTheResponseIsWaitedFor() async throws {
        let error = try await cancelled { _ = await $0.readRequest() }
        #expect(error.attempts.last?.output.connectionError?.phase == .head)
        #expect(
            error.description.hasPrefix("AnyResponse: the call was cancelled; the request was GET ")
        )
    }

    @Test func whileTheContentIsRead() async throws {
        let error = try await cancelled { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{\"id\":")
        }
        #expect([.head, .body].contains(error.attempts.last?.output.connectionError?.phase))
    }

    @Test func whileTheRequestIsWritten() async throws {
        let large = Payload([UInt8](repeating: 0, count: 64 << 20), contentType: nil)
        _ = try await cancelled(sending: .post(large))
    }

    @Test func whileTLSIsSetUp() async throws {
        let error = try await cancelled(scheme: "https")
        #expect(error.attempts.last?.output.connectionError?.serverMayHaveBeenReached == false)
    }

    @Test func whileTheConnectionIsMade() async throws {
        let backlog = try #require(FullBacklog())
        let client = APIClient(transport: try patientTransport())
        let request = Request(try Address("http://127.0.0.1:\(backlog.port)"))
        let call = Task {
            try await failure(of: AnyResponse(to: request), by: client, within: .patience)
        }
        call.cancel()
        #expect(try await call.value.reason == .cancelled)
        withExtendedLifetime(backlog) {}
    }

    @Test func beforeItBegan() async throws {
        let transport = StubTransport([])
        let request = Request(try Address("http://shop.invalid"))
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await failure(
                of: AnyResponse(to: request), by: APIClient(transport: transport))
        }
        let error = try await call.value
        #expect(error.reason == .cancelled)
        #expect(error.attempts.isEmpty && transport.requests.isEmpty)
    }

    @Test func whileTheNextAttemptIsWaitedFor() async throws {
        let clock = ManualClock()
        let request = Request(try Address("http://shop.invalid"))
        let client = APIClient(
            transport: StubTransport([.noResponse(ConnectionError(.refused, during: .connect))]),
            retries: RetryPolicy { _ in .retry(after: .seconds(1)) }, clock: clock)
        let call = Task { try await failure(of: AnyResponse(to: request), by: client) }
        await clock.waitForSleepers()
        call.cancel()
        let error = try await call.value
        #expect(error.reason == .cancelled)
        #expect(error.attempts.count == 1)
    }
}
