import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI
import WireText

/// Servers that break off, stall, lie or flood, on loopback; what is asserted is what a developer
/// reads.
@Suite struct HostileServerTests {
    /// Calls ``Thing`` at a server with a script and gives the error.
    private func failure(
        within limit: Duration = .patience, responseBytes: Int = 1 << 20,
        _ script: @escaping StubServer.Script
    ) async throws -> (error: CallError, url: String) {
        try await StubServer.run(script: script) { server in
            let client = APIClient(transport: try patientTransport(responseBytes: responseBytes))
            let endpoint = Thing(at: server)
            return (
                try await WebAPITests.failure(of: endpoint, by: client, within: limit), server.url
            )
        }
    }

    /// Calls ``Thing`` at a server that never ends, and gives the error and the time it had.
    private func timeout(
        in phase: ConnectionError.Phase, _ script: @escaping StubServer.Script
    ) async throws -> (error: CallError, url: String, time: String) {
        for limit in Duration.rising {
            let (error, url) = try await failure(within: limit, script)
            if error.connectionError?.phase == phase {
                return (error, url, limit.text)
            }
        }
        throw StillWaiting(for: "the phase \(phase)")
    }

    @Test func silenceEndsWithTheDeadlineWhileTheResponseIsWaitedFor() async throws {
        let (error, url, time) = try await timeout(in: .head) { connection in
            _ = await connection.readRequest()
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the time of \(time) was up while the response was waited for; "
                + "the request was GET \(url)/things/1")
        #expect(error.connectionError?.serverMayHaveBeenReached == true)
    }

    @Test func aStallInTheHeadEndsWithTheDeadline() async throws {
        let (error, url, time) = try await timeout(in: .head) { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Le")
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the time of \(time) was up while the response was waited for; "
                + "the request was GET \(url)/things/1")
    }

    @Test func aStallInTheBodyEndsWithTheDeadline() async throws {
        let (error, url, time) = try await timeout(in: .body) { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{\"id\":")
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the time of \(time) was up while the response's content was read "
                + "(200 OK, 6 of 22 bytes had come); the request was GET \(url)/things/1")
        #expect(error.connectionError?.partial?.text == "{\"id\":")
    }

    @Test func aContentThatTricklesEndsWithTheDeadline() async throws {
        let (error, _, _) = try await timeout(in: .body) { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            // Ends when the client closes the connection.
            while true {
                try await connection.write(" ")
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        #expect(error.connectionError?.partial?.status.code == 200)
        #expect(error.connectionError?.phase == .body)
    }

    @Test func aServerThatReadsNothingIsToldWhileTheRequestIsSent() async throws {
        let (sentence, time) = try await StubServer.run(script: { _ in
            // Takes the connection and reads nothing of it until the test is over.
            try await Task.sleep(for: .patience)
        }) { server in
            let large = Payload([UInt8](repeating: 0, count: 32 << 20), contentType: nil)
            let request = Request(try Address(server.url), .post(large))
            let transport = try patientTransport()
            for time in Duration.rising {
                let error = await transport.output(for: request, within: time).connectionError
                if error?.phase == .write { return (error?.description, time) }
            }
            return (nil, .zero)
        }
        #expect(
            sentence?.hasSuffix(" was up while the request was sent") == true, "\(time)")
    }

    @Test func anAnswerThatComesBeforeTheWholeRequestIsRead() async throws {
        let output = try await StubServer.run(script: { connection in
            try await connection.write(
                "HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge")
            await connection.waitForClose()
        }) { server in
            let large = Payload([UInt8](repeating: 0, count: 32 << 20), contentType: nil)
            let request = Request(try Address(server.url), .post(large))
            return try await patientTransport().output(for: request, within: .patience)
        }
        #expect(output.response?.status.code == 413)
        #expect(output.response?.text == "large")
    }

    @Test func aCloseWithoutAnAnswerIsTold() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
        }
        #expect(
            error.description
                == "Thing: the server closed the connection while the response was waited for; "
                + "the request was GET \(url)/things/1")
    }

    @Test func aCloseInTheMiddleOfTheBodyIsTold() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 503 Nope\r\nContent-Length: 22\r\n\r\n{\"id\":")
        }
        #expect(
            error.description
                == "Thing: the server closed the connection while the response's content was read "
                + "(503 Service Unavailable, 6 of 22 bytes had come); the request was GET \(url)/things/1"
        )
    }

    @Test func aChunkedBodyThatIsCutOffIsTold() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n")
        }
        #expect(
            error.description
                == "Thing: the server closed the connection while the response's content was read "
                + "(200 OK, 5 bytes had come); the request was GET \(url)/things/1")
    }

    @Test func tenGigabytesAreEndedAtTheLimit() async throws {
        let (error, url) = try await failure(responseBytes: 100_000) { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n280000000\r\n")
            let block = [UInt8](repeating: 0x20, count: 1 << 16)
            // Ends when the client closes the connection.
            for _ in 0..<163_840 { try await connection.write(block) }
        }
        #expect(
            error.description
                == "Thing: the limit of 100000 bytes was passed while the response's content was "
                + "read; the request was GET \(url)/things/1")
        #expect((error.connectionError?.partial?.payload.count ?? .max) <= 100_000)
    }

    @Test func anAnnouncedTenGigabytesAreNotEvenRead() async throws {
        let (error, _) = try await failure(responseBytes: 100_000) { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
            await connection.waitForClose()
        }
        #expect(error.connectionError?.kind == .bodyTooLarge(limit: 100_000))
        #expect(error.connectionError?.partial?.payload == [])
    }

    @Test func tooShortALengthCutsTheJSON() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n"
                    + "{\"id\":1,\"name\":\"Mate\"}")
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the answer is no JSON: line 1, byte 10: expected '\"', found the end; it "
                + "is application/json and begins \"{\\\"id\\\":1,\\\"n\"; the request was "
                + "GET \(url)/things/1")
    }

    @Test func twoLengthsAreNoHTTP() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 22\r\n\r\n{}")
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the server sent what is no HTTP while the response was waited for: "
                + "unexpected content-length header; the request was GET \(url)/things/1")
    }

    @Test func aWrongChunkSizeIsNoHTTP() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n")
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the server sent what is no HTTP while the response's content was read "
                + "(200 OK, 0 bytes had come): invalid character in chunk size header; the "
                + "request was GET \(url)/things/1")
    }

    @Test func whatIsNoHTTPAtAllIsTold() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write("SSH-2.0-OpenSSH_9.2\r\n")
            await connection.waitForClose()
        }
        #expect(
            error.description
                == "Thing: the server sent what is no HTTP while the response was waited for: "
                + "invalid constant string; the request was GET \(url)/things/1")
    }

    @Test func endlessHeadersAreTold() async throws {
        let (error, url) = try await failure { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\n")
            let long = String(repeating: "x", count: 8000)
            for number in 0..<10_000 {
                try await connection.write("X-\(number): \(long)\r\n")
            }
        }
        #expect(
            error.description
                == "Thing: the limit for headers was passed while the response was waited for; "
                + "the request was GET \(url)/things/1")
    }
}
