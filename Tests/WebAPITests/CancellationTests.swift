import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Tests that a call can be cancelled in each phase, and that its connection is closed.
@Suite struct CancellationTests {
    /// The size of content that does not fit into the buffers of a connection, in bytes.
    private static let large = 64 << 20

    /// Makes a client, and returns it with the outputs of its transport.
    ///
    /// A cancelled call waits for its transport only for a moment, so the call's own output may lack the phase.
    private func client() throws -> (client: APIClient, outputs: AsyncStream<Output>) {
        let (outputs, end) = AsyncStream<Output>.makeStream()
        let network = try patientTransport(responseBytes: 2 * Self.large)
        let transport = StubTransport { request, limit in
            let output = await network.output(for: request, within: limit)
            end.yield(output)
            return output
        }
        return (APIClient(transport: transport), outputs)
    }

    /// Starts a call, cancels it when the server has run `begin`, and returns its error and that of its transport.
    ///
    /// Without TLS, it first waits until the server sees that the connection is closed.
    private func cancelled(
        scheme: String = "http", sending method: MethodAndPayload = .get,
        _ begin: @escaping @Sendable (StubConnection) async throws -> Void = { _ in }
    ) async throws -> (call: CallError, connection: ConnectionError?) {
        let (signs, sign) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        return try await StubServer.run(script: { connection in
            try await begin(connection)
            sign.yield()
            // Reads nothing more before the call has ended.
            for await _ in ends {}
            await connection.waitForClose()
            sign.yield()
        }) { server in
            let (client, outputs) = try client()
            let address = try Address("\(scheme)://127.0.0.1:\(server.port)")
            let endpoint = AnyResponse(to: Request(address, method))
            let call = Task { try await failure(of: endpoint, by: client, within: .patience) }
            var sign = signs.makeAsyncIterator()
            await sign.next()
            call.cancel()
            let error = try await call.value
            end.finish()
            #expect(error.reason == .cancelled)
            #expect(error.attempts.last?.output.connectionError?.kind == .cancelled)
            // During a TLS handshake, the client closes the connection only when the time limit is over.
            if scheme == "http" { await sign.next() }
            var output = outputs.makeAsyncIterator()
            return (error, await output.next()?.connectionError)
        }
    }

    @Test func whileTheResponseIsWaitedFor() async throws {
        let (error, connection) = try await cancelled { _ = await $0.readRequest() }
        #expect(connection?.phase == .head)
        #expect(
            error.description.hasPrefix("AnyResponse: the call was cancelled; the request was GET ")
        )
    }

    @Test func whileTheContentIsRead() async throws {
        let (_, connection) = try await cancelled { connection in
            _ = await connection.readRequest()
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.large + 1)\r\n\r\n"
            // When this is written, the client has read most of it.
            try await connection.write(Array(head.utf8) + [UInt8](repeating: 0, count: Self.large))
        }
        #expect(connection?.phase == .body)
    }

    @Test func whileTheRequestIsWritten() async throws {
        let large = Payload([UInt8](repeating: 0, count: Self.large), contentType: nil)
        let (_, connection) = try await cancelled(sending: .post(large)) { _ = await $0.readHead() }
        #expect(connection?.phase == .write)
    }

    @Test func whileTLSIsSetUp() async throws {
        let (_, connection) = try await cancelled(scheme: "https")
        #expect(connection?.serverMayHaveBeenReached == false)
    }

    @Test func whileTheConnectionIsMade() async throws {
        let backlog = try #require(FullBacklog())
        let (client, outputs) = try client()
        let request = Request(try Address("http://127.0.0.1:\(backlog.port)"))
        let call = Task {
            try await failure(of: AnyResponse(to: request), by: client, within: .patience)
        }
        try await backlog.waitForClient()
        call.cancel()
        #expect(try await call.value.reason == .cancelled)
        var output = outputs.makeAsyncIterator()
        #expect(await output.next()?.connectionError?.phase == .connect)
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
