import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI
import WireText

/// Tests the errors that a developer sees when a server on loopback breaks off, stalls, lies or floods.
@Suite struct HostileServerTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// Calls ``Thing`` on a server that runs a script, and returns the error.
    private func failure(
        within limit: Duration = .patience, responseBytes: Int = 1 << 20,
        _ script: @escaping StubServer.Script
    ) async throws -> CallError {
        try await StubServer.run(script: script) { server in
            let client = APIClient(transport: try patientTransport(responseBytes: responseBytes))
            return try await WebAPITests.failure(of: Thing(at: server), by: client, within: limit)
        }
    }

    /// Cases: the bytes that a server sends before it falls silent, the phase of the timeout, and the message.
    @Test(arguments: [
        ("", ConnectionError.Phase.head, "while the response was waited for"),
        ("HTTP/1.1 200 OK\r\nContent-Le", .head, "while the response was waited for"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{\"id\":", .body,
            "while the response's content was read (200 OK, 6 of 22 bytes had come)"
        ),
    ])
    func silenceEndsWithTheTime(
        sent: String, phase: ConnectionError.Phase, sentence: String
    ) async throws {
        for limit in Duration.rising {
            let error = try await failure(within: limit) { connection in
                _ = await connection.readRequest()
                try await connection.write(sent)
                await connection.waitForClose()
            }
            guard error.connectionError?.phase == phase else { continue }
            #expect(error.reasonText == "the time of \(limit.text) was up \(sentence)")
            #expect(error.connectionError?.serverMayHaveBeenReached == true)
            #expect(error.connectionError?.partial?.text == (phase == .body ? "{\"id\":" : nil))
            return
        }
        throw StillWaiting(for: "the phase \(phase)")
    }

    @Test func aServerThatReadsNothingIsToldWhileTheRequestIsSent() async throws {
        let sentence = try await StubServer.run(script: { _ in
            // Accepts the connection, but reads nothing from it until the test is over.
            try await Task.sleep(for: .patience)
        }) { server in
            let large = Payload([UInt8](repeating: 0, count: 32 << 20), contentType: nil)
            let request = Request(try Address(server.url), .post(large))
            let transport = try patientTransport()
            for time in Duration.rising {
                let error = await transport.output(for: request, within: time).connectionError
                if error?.phase == .write { return error?.description }
            }
            return nil
        }
        #expect(sentence?.hasSuffix(" was up while the request was sent") == true)
    }

    @Test func anAnswerThatComesBeforeTheWholeRequestIsRead() async throws {
        let output = try await StubServer.run(script: { connection in
            // Reads the head first, because the client rejects an answer that arrives before any request.
            _ = await connection.readHead()
            try await connection.write(
                "HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge")
            await connection.waitForClose()
        }) { server in
            let large = Payload([UInt8](repeating: 0, count: 32 << 20), contentType: nil)
            let request = Request(try Address(server.url), .post(large))
            return try await patientTransport().output(for: request, within: .patience)
        }
        #expect(output.response?.status.code == 413 && output.response?.text == "large")
    }

    /// Cases: the bytes that a server sends before it closes the connection, and the message.
    @Test(arguments: [
        ("", "while the response was waited for"),
        (
            "HTTP/1.1 503 Nope\r\nContent-Length: 22\r\n\r\n{\"id\":",
            "while the response's content was read "
                + "(503 Service Unavailable, 6 of 22 bytes had come)"
        ),
        (
            chunked + "5\r\n{\"id\"\r\n",
            "while the response's content was read (200 OK, 5 bytes had come)"
        ),
    ])
    func aCloseIsTold(sent: String, sentence: String) async throws {
        let error = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(sent)
        }
        #expect(error.reasonText == "the server closed the connection \(sentence)")
    }

    /// Cases: the bytes that a server sends on a connection that stays open, and the message.
    @Test(arguments: [
        (
            ok + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n"
                + "{\"id\":1,\"name\":\"Mate\"}",
            "the answer is not JSON: line 1, byte 10: expected '\"', found the end; it "
                + "is application/json and begins \"{\\\"id\\\":1,\\\"n\""
        ),
        (
            ok + "Content-Length: 1\r\nContent-Length: 22\r\n\r\n{}",
            "the server did not answer with HTTP while the response was waited for: "
                + "unexpected content-length header"
        ),
        (
            chunked + "xyz\r\n{}\r\n0\r\n\r\n",
            "the server did not answer with HTTP while the response's content was read "
                + "(200 OK, 0 bytes had come): invalid character in chunk size header"
        ),
        (
            "SSH-2.0-OpenSSH_9.2\r\n",
            "the server did not answer with HTTP while the response was waited for: "
                + "invalid constant string"
        ),
    ])
    func whatIsWrongIsTold(sent: String, sentence: String) async throws {
        let error = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(sent)
            await connection.waitForClose()
        }
        #expect(error.reasonText == sentence)
    }

    @Test func tenGigabytesAreEndedAtTheLimit() async throws {
        let error = try await failure(responseBytes: 100_000) { connection in
            _ = await connection.readRequest()
            try await connection.write(Self.chunked + "280000000\r\n")
            let block = [UInt8](repeating: 0x20, count: 1 << 16)
            // The loop ends when the client closes the connection.
            for _ in 0..<163_840 { try await connection.write(block) }
        }
        #expect(
            error.reasonText
                == "the limit of 100000 bytes was passed while the response's content was read")
        #expect((error.connectionError?.partial?.payload.count ?? .max) <= 100_000)
    }

    @Test func anAnnouncedTenGigabytesAreNotEvenRead() async throws {
        let error = try await failure(responseBytes: 100_000) { connection in
            _ = await connection.readRequest()
            try await connection.write(Self.ok + "Content-Length: 10737418240\r\n\r\n")
            await connection.waitForClose()
        }
        #expect(error.connectionError?.kind == .bodyTooLarge(limit: 100_000))
        #expect(error.connectionError?.partial?.payload == [])
    }

    @Test func endlessHeadersAreTold() async throws {
        let error = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(Self.ok)
            let long = String(repeating: "x", count: 8000)
            for number in 0..<10_000 { try await connection.write("X-\(number): \(long)\r\n") }
        }
        #expect(
            error.reasonText
                == "the limit for headers was passed while the response was waited for")
    }
}
