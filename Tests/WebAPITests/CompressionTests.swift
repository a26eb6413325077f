import Foundation
import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Tests how compressed responses are read.
@Suite struct CompressionTests {
    /// `{"id":1,"name":"Mate é"}`, compressed with gzip.
    private static let whole = base64(
        "H4sIAAAAAAAC/6tWykxRsjLUUcpLzE1VslLyTSxJVTi8UqkWAPM/7LcZAAAA")
    /// An endless gzip stream of blanks: its beginning, and 13 bytes to repeat, each time for 2064 more blanks.
    private static let bomb = (
        beginning: base64("H4sIAAAAAAAAA1MYBaNgFIyCUTAKRsEo"),
        period: base64("GAWjYBSMglEwCkbBKA==")
    )

    private static func base64(_ text: String) -> [UInt8] {
        Data(base64Encoded: text).map(Array.init) ?? []
    }

    private func output(
        responseBytes: Int = 1 << 20, _ script: @escaping StubServer.Script
    ) async throws -> Output {
        try await StubServer.run(script: script) { server in
            let transport = try patientTransport(responseBytes: responseBytes)
            return await transport.output(
                for: Request(try Address(server.url)), within: .patience)
        }
    }

    /// The output for content that the server declares as gzip.
    private func output(of content: [UInt8]) async throws -> Output {
        try await output { connection in
            let request = await connection.readRequest()
            #expect(request?["Accept-Encoding"] == "gzip, deflate")
            try await connection.write(
                StubAnswer(200, headers: ["Content-Encoding": "gzip"], body: content))
            await connection.waitForClose()
        }
    }

    @Test func aCompressedContentIsDecompressed() async throws {
        #expect(
            try await output(of: Self.whole).response?.text == #"{"id":1,"name":"Mate é"}"#)
    }

    @Test func aBombIsEndedAtTheLimit() async throws {
        let output = try await output(responseBytes: 1_000_000) { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
            try await connection.write(Self.bomb.beginning)
            let block = [UInt8]((0..<1000).map { _ in Self.bomb.period }.joined())
            // Up to 63 MB, which are 10 GB of blanks; the loop ends when the client closes the connection.
            for _ in 0..<4845 { try await connection.write(block) }
        }
        let error = output.connectionError
        #expect(
            error?.description
                == "the limit of 1000000 bytes was passed while the response's content was read")
        #expect((error?.partial?.payload.count ?? .max) <= 1_000_000)
    }

    @Test func aBrokenCompressionIsTold() async throws {
        let broken = Self.whole[..<10] + [0xFF] + Self.whole[11...]
        let error = try await output(of: Array(broken)).connectionError
        #expect(error?.kind == .badCompression)
        #expect(error?.description.contains("200 OK, 0 bytes") == true)
        let cut = Array(Self.whole.prefix(14))
        #expect(try await output(of: cut).connectionError?.kind == .badCompression)
    }
}
