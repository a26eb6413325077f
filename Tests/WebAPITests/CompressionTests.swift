import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Compressed contents.
@Suite struct CompressionTests {
    private func output(
        responseBytes: Int = 1 << 20, _ script: @escaping StubServer.Script
    ) async throws -> Output {
        try await StubServer.run(script: script) { server in
            let transport = try patientTransport(responseBytes: responseBytes)
            return await transport.output(
                for: Request(try Address(server.url)), within: .patience)
        }
    }

    @Test func aCompressedContentIsDecompressed() async throws {
        let text = #"{"id":1,"name":"Mate é"}"#
        let output = try await output { connection in
            let request = await connection.readRequest()
            #expect(request?["Accept-Encoding"] == "gzip, deflate")
            let answer = StubAnswer(
                200, headers: ["Content-Encoding": "gzip"], body: Deflate.gzip(text))
            try await connection.write(answer)
        }
        #expect(output.response?.text == text)
    }

    @Test func aBombIsEndedAtTheLimit() async throws {
        let output = try await output(responseBytes: 1_000_000) { connection in
            _ = await connection.readRequest()
            let (beginning, period) = Deflate.bomb
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
            try await connection.write(beginning)
            let block = [UInt8]((0..<1000).map { _ in period }.joined())
            // 10 GB of blanks in 63 MB; ends when the client closes the connection.
            for _ in 0..<4845 { try await connection.write(block) }
        }
        let error = output.connectionError
        #expect(
            error?.description
                == "the limit of 1000000 bytes was passed while the response's content was read")
        #expect((error?.partial?.payload.count ?? .max) <= 1_000_000)
    }

    @Test func aBrokenCompressionIsTold() async throws {
        let output = try await output { connection in
            _ = await connection.readRequest()
            var body = Deflate.gzip("{}")
            body[10] = 0xFF
            try await connection.write(
                StubAnswer(200, headers: ["Content-Encoding": "gzip"], body: body))
        }
        #expect(
            output.connectionError?.description
                == "the compression was broken while the response's content was read "
                + "(200 OK, 0 bytes had come)")
    }

    @Test func aCompressionThatEndsTooEarlyIsTold() async throws {
        let output = try await output { connection in
            _ = await connection.readRequest()
            let body = Array(Deflate.gzip(#"{"id":1}"#).prefix(14))
            try await connection.write(
                StubAnswer(200, headers: ["Content-Encoding": "gzip"], body: body))
            await connection.waitForClose()
        }
        #expect(output.connectionError?.kind == .badCompression)
    }
}
