import Foundation
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// What servers prove, or do not, over real TLS on loopback.
@Suite struct TLSTests {
    private let authority: TestAuthority
    private let certificate: TestCertificate

    init() throws {
        authority = try TestAuthority()
        certificate = try authority.certificate(for: ["127.0.0.1"])
    }

    private var trusting: TLSOptions { TLSOptions(trust: .only([authority.certificate])) }

    /// Calls ``Thing`` at a server that answers rightly, and gives what came of it.
    private func result(
        server tls: StubTLS, options: TLSOptions
    ) async throws -> (result: Result<Thing.Model, CallError>, requests: Int) {
        try await StubServer.answering(tls: tls, { _ in .thing }) { server in
            let transport = try patientTransport(tls: options)
            let result = await APIClient(transport: transport).result(
                of: Thing(at: server), within: .patience)
            return (result, server.requests.count)
        }
    }

    /// The sentence of an error, without the request; no request may have come to the server.
    private func sentence(server tls: StubTLS, options: TLSOptions) async throws -> String {
        let (result, requests) = try await result(server: tls, options: options)
        #expect(requests == 0)
        guard case .failure(let error) = result else { return "no error" }
        #expect(error.connectionError?.phase == .tls)
        #expect(error.connectionError?.serverMayHaveBeenReached == false)
        return error.reason.description
    }

    @Test func aCertificateOfATrustedAuthorityIsBelieved() async throws {
        let (result, requests) = try await result(server: StubTLS(certificate), options: trusting)
        #expect(try result.get() == Thing.Model(id: 1, name: "Mate"))
        #expect(requests == 1)
    }

    @Test func aCertificateOfAnotherAuthorityIsNot() async throws {
        let other = try TestAuthority()
        let options = TLSOptions(trust: .only([other.certificate]))
        #expect(
            try await sentence(server: StubTLS(certificate), options: options)
                == "the server's certificate is signed by no authority that is trusted")
        #expect(
            try await sentence(server: StubTLS(certificate), options: TLSOptions())
                == "the server's certificate is signed by no authority that is trusted")
    }

    @Test func anExpiredCertificateIsToldWithItsDate() async throws {
        let expired = try authority.certificate(
            for: ["127.0.0.1"], validFrom: Date(timeIntervalSince1970: 1_700_000_000),
            validUntil: Date(timeIntervalSince1970: 1_735_689_600))
        #expect(
            try await sentence(server: StubTLS(expired), options: trusting)
                == "the server's certificate expired on Wed, 01 Jan 2025 00:00:00 GMT")
    }

    @Test func aCertificateOfTomorrowIsToldWithItsDate() async throws {
        let early = try authority.certificate(
            for: ["127.0.0.1"], validFrom: Date(timeIntervalSince1970: 4_102_444_800),
            validUntil: Date(timeIntervalSince1970: 4_102_531_200))
        #expect(
            try await sentence(server: StubTLS(early), options: trusting)
                == "the server's certificate is not valid before Fri, 01 Jan 2100 00:00:00 GMT")
    }

    @Test func aCertificateForAnotherHostIsTold() async throws {
        let wrong = try authority.certificate(for: ["shop.example", "10.0.0.1"])
        #expect(
            try await sentence(server: StubTLS(wrong), options: trusting)
                == "the server's certificate is for another host")
    }

    @Test func aServerThatIsTooOldIsRefused() async throws {
        var options = trusting
        options.minimumVersion = .tls13
        #expect(
            try await sentence(server: StubTLS(certificate, isOld: true), options: options)
                == "the server speaks no TLS that is accepted here while TLS was set up: "
                + "TLSV1_ALERT_PROTOCOL_VERSION")
    }

    @Test func aServerWithoutTLSIsTold() async throws {
        let script: StubServer.Script = { connection in
            try await connection.write(StubAnswer(400))
            await connection.waitForClose()
        }
        let error = try await StubServer.run(script: script) { server in
            let url = "https://127.0.0.1:\(server.port)"
            let request = Request(try Address(url))
            let client = APIClient(transport: try patientTransport())
            return await client.output(for: request, within: .patience).connectionError
        }
        #expect(error?.kind == .noCommonTLS)
        #expect(error?.phase == .tls)
    }

    @Test func aClientCertificateIsShown() async throws {
        let mine = try authority.certificate(for: ["register-3"])
        var options = trusting
        options.clientCertificate = TLSOptions.ClientCertificate(
            chain: mine.certificate, key: mine.key)
        let (result, _) = try await result(
            server: StubTLS(certificate, clientAuthority: authority), options: options)
        #expect(try result.get() == Thing.Model(id: 1, name: "Mate"))
    }

    @Test(arguments: [false, true])
    func aMissingClientCertificateIsTold(isOld: Bool) async throws {
        let server = StubTLS(certificate, clientAuthority: authority, isOld: isOld)
        #expect(
            try await sentence(server: server, options: trusting)
                == (isOld
                    ? "the server refused to set up TLS, as it does where it wants a client "
                        + "certificate or another cipher"
                    : "the server wants a client certificate it trusts"))
    }

    @Test func aPinnedKeyIsAskedFor() async throws {
        let probe = try ConnectionProbe(tls: trusting)
        let script: StubServer.Script = { await $0.waitForClose() }
        let key = try await StubServer.run(tls: StubTLS(certificate), script: script) { server in
            let report = await probe.run(
                to: try Address(server.url).origin, within: .patience)
            #expect(report.error == nil)
            #expect(report.peer == "127.0.0.1:\(server.port)")
            return report.chain.first?.key
        }
        var options = trusting
        options.pinnedKeys = [try #require(key)]
        let (result, _) = try await result(server: StubTLS(certificate), options: options)
        #expect(try result.get() == Thing.Model(id: 1, name: "Mate"))
        let other = try #require(PinnedKey([UInt8](repeating: 7, count: 32)))
        options.pinnedKeys = [other]
        #expect(
            try await sentence(server: StubTLS(certificate), options: options)
                == "the server's key \(try #require(key)) is none of those pinned")
    }

    @Test func aPinnedKeyNeedsTLS() async throws {
        let error = try await StubServer.answering({ _ in .thing }) { server in
            let pin = try #require(PinnedKey([UInt8](repeating: 7, count: 32)))
            let options = TLSOptions(pinnedKeys: [pin])
            let transport = try patientTransport(tls: options)
            let request = Request(try Address(server.url))
            let error = await APIClient(transport: transport)
                .output(for: request, within: .patience).connectionError
            #expect(server.requests.isEmpty)
            return error
        }
        #expect(
            error?.description
                == "the server speaks no TLS that is accepted here while TLS was set up: "
                + "a pinned key needs https")
    }

    @Test func silenceInsteadOfAHandshakeIsTold() async throws {
        let error = try await StubServer.run(script: { await $0.waitForClose() }) { server in
            let request = Request(try Address("https://127.0.0.1:\(server.port)"))
            let transport = try patientTransport(connect: .milliseconds(300))
            return await transport.output(for: request, within: .patience).connectionError
        }
        #expect(error?.description == "the time of 300ms was up while the connection was made")
        #expect(error?.serverMayHaveBeenReached == false)
    }

    @Test func aCloseInTheHandshakeIsTold() async throws {
        let error = try await StubServer.run(script: { _ in }) { server in
            let request = Request(try Address("https://127.0.0.1:\(server.port)"))
            let transport = try patientTransport()
            return await transport.output(for: request, within: .patience).connectionError
        }
        #expect(error?.description == "the server closed the connection while TLS was set up")
    }

    @Test func filesThatHoldNothingAreNamed() {
        let none = Array("nothing".utf8)
        let cases: [(TLSOptions, TLSOptionsError)] = [
            (TLSOptions(trust: .only([authority.certificate, none])), .authorities(index: 1)),
            (TLSOptions(trust: .systemAnd([none])), .authorities(index: 0)),
            (
                TLSOptions(clientCertificate: .init(chain: none, key: certificate.key)),
                .clientCertificate
            ),
            (
                TLSOptions(
                    clientCertificate: .init(chain: certificate.certificate, key: none)),
                .clientKey
            ),
        ]
        for (options, expected) in cases {
            #expect(throws: expected) { try AsyncHTTPClientTransport(tls: options) }
        }
        #expect(
            TLSOptionsError.clientKey.description
                == "the client certificate's key file has no private key; expected PEM without "
                + "passphrase, that is lines between -----BEGIN PRIVATE KEY----- and "
                + "-----END PRIVATE KEY-----")
    }
}
