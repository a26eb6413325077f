import Events
import Foundation
import HTTPTypes
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import EventService

/// A token, a certificate for this box and its key, as files.
struct TLSFiles {
    let folder: TemporaryFolder
    let authority: TestAuthority
    let token: String
    let certificate: String
    let key: String

    static let secret = "abcdefghijklmnop1234"

    init() throws {
        folder = try TemporaryFolder()
        authority = try TestAuthority()
        let pair = try authority.certificate(for: ["127.0.0.1", "localhost"])
        token = try folder.write(Self.secret + "\n", to: "token")
        certificate = try folder.write(pair.certificate, to: "certificate.pem")
        key = try folder.write(pair.key, to: "key.pem")
    }
}

/// Tests the interface for other boxes, which needs a certificate and a token.
@Suite(.timeLimit(.minutes(10))) struct TLSTests {
    private let files: TLSFiles

    init() throws { files = try TLSFiles() }

    private func service() throws -> Service {
        try Service(
            http: "127.0.0.1:0", token: files.token, certificate: files.certificate, key: files.key)
    }

    private func answer(
        _ port: Int, _ headers: HTTPFields, trusting authority: TestAuthority? = nil
    ) async throws -> Output {
        let authority = authority ?? files.authority
        let transport = try AsyncHTTPClientTransport(
            tls: TLSOptions(trust: .only([authority.certificate])),
            limits: TransportLimits(connect: .patience))
        let location = try Location("https://127.0.0.1:\(port)/v1/consumers/till")
        let request = Request(location, headers: headers)
        return await transport.output(for: request, within: .patience)
    }

    @Test(
        arguments: [
            (["Authorization": "Bearer \(TLSFiles.secret)"], 404, "no-such-consumer"),
            (["Authorization": "Bearer \(TLSFiles.secret)x"], 401, "wrong-token"),
            (["Authorization": "Basic \(TLSFiles.secret)"], 401, "wrong-token"),
            ([:], 401, "no-token"),
        ] as [([String: String], Int, String)])
    func theTokenLetsInAndNothingElse(
        fields: [String: String], status: Int, code: String
    ) async throws {
        let service = try service()
        let port = try await service.port()
        var headers = HTTPFields()
        headers[.authorization] = fields["Authorization"]
        let output = try await answer(port, headers)
        let response = try #require(output.response, "\(output)")
        #expect(response.status.code == status)
        #expect(String(decoding: response.payload, as: UTF8.self).contains("\"\(code)\""))
        try await service.stop()
    }

    @Test func eventsComeOverTLSAsTheyAre() async throws {
        let service = try service()
        let port = try await service.port()
        for text in ["a", "b"] { service.publish(text) }
        let transport = try AsyncHTTPClientTransport(
            tls: TLSOptions(trust: .only([files.authority.certificate])),
            limits: TransportLimits(connect: .patience))
        var headers: HTTPFields = [.accept: "text/event-stream"]
        headers[.authorization] = "Bearer \(TLSFiles.secret)"
        let location = try Location("https://127.0.0.1:\(port)/v1/events?after=oldest")
        let request = Request(location, headers: headers)
        async let output = transport.output(for: request, within: .patience)
        try await service.waitForStreams(1)
        service.publish("c")
        // The stream ends when the service stops.
        try await service.stop()
        let response = try #require(await output.response)
        var reader = ServerSentEventReader()
        let messages = try reader.take(response.payload)
        #expect(
            messages.compactMap { Event(line: $0.data)?.data["text"]?.string } == ["a", "b", "c"])
    }

    @Test func aClientThatTrustsAnotherAuthorityAsksNothing() async throws {
        let service = try service()
        let port = try await service.port()
        let output = try await answer(port, [:], trusting: try TestAuthority())
        #expect(output.connectionError?.phase == .tls)
        try await service.stop()
    }

    /// A client without TLS learns nothing, and is disconnected.
    @Test func plainHTTPGetsNoAnswer() async throws {
        let service = try service()
        let port = try await service.port()
        service.publish("secret")
        let text = try await service.exchange(
            "GET /v1/events?after=oldest HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                + "Authorization: Bearer \(TLSFiles.secret)\r\n\r\n", on: port)
        #expect(!text.contains("HTTP/1.1"), "\(text)")
        #expect(!text.contains("secret"))
        try await service.stop()
    }
}
