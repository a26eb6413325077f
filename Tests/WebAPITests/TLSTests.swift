import Foundation
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// Tests servers with valid and invalid certificates, over real TLS on loopback.
@Suite struct TLSTests {
    private let authority: TestAuthority
    private let certificate: TestCertificate

    init() throws {
        authority = try TestAuthority()
        certificate = try authority.certificate(for: ["127.0.0.1"])
    }

    private var trusting: TLSOptions { TLSOptions(trust: .only([authority.certificate])) }

    /// Calls ``Thing`` on a server that answers correctly, and returns the result.
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

    /// Returns the reason of the error; expects that TLS failed and that the server got no request.
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

    @Test func aCertificateThatIsNotBelievedIsTold() async throws {
        let other = try TestAuthority()
        func made(from: Double, until: Double) throws -> TestCertificate {
            try authority.certificate(
                for: ["127.0.0.1"], validFrom: Date(timeIntervalSince1970: from),
                validUntil: Date(timeIntervalSince1970: until))
        }
        let cases: [(TestCertificate, TLSOptions, String)] = [
            (
                certificate, TLSOptions(trust: .only([other.certificate])),
                "is not signed by a trusted authority"
            ),
            (certificate, TLSOptions(), "is not signed by a trusted authority"),
            (
                try made(from: 1_700_000_000, until: 1_735_689_600), trusting,
                "expired on Wed, 01 Jan 2025 00:00:00 GMT"
            ),
            (
                try made(from: 4_102_444_800, until: 4_102_531_200), trusting,
                "is not valid before Fri, 01 Jan 2100 00:00:00 GMT"
            ),
            (
                try authority.certificate(for: ["shop.example", "10.0.0.1"]), trusting,
                "is for another host"
            ),
        ]
        for (certificate, options, expected) in cases {
            #expect(
                try await sentence(server: StubTLS(certificate), options: options)
                    == "the server's certificate \(expected)")
        }
    }

    @Test func aServerThatIsTooOldIsRefused() async throws {
        var options = trusting
        options.minimumVersion = .tls13
        let sentence = try await sentence(
            server: StubTLS(certificate, isOld: true), options: options)
        #expect(sentence.hasSuffix(": TLSV1_ALERT_PROTOCOL_VERSION"))
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
                    ? "the server refused to set up TLS, perhaps because it wants a client "
                        + "certificate or another cipher"
                    : "the server wants a client certificate it trusts"))
    }

    @Test func aPinnedKeyIsAskedFor() async throws {
        var options = trusting
        options.pinnedKeys = [try #require(PinnedKey([UInt8](repeating: 7, count: 32)))]
        let (refused, requests) = try await result(
            server: StubTLS(certificate), options: options)
        guard case .failure(let error) = refused,
            case .keyNotPinned(let key)? = error.connectionError?.kind
        else { throw StillWaiting(for: "the key") }
        #expect(requests == 0)
        #expect(error.reasonText == "the server's key \(key) is not one of the pinned keys")
        options.pinnedKeys = [key]
        let (result, _) = try await result(server: StubTLS(certificate), options: options)
        #expect(try result.get() == Thing.Model(id: 1, name: "Mate"))
    }

    @Test func aPinnedKeyNeedsTLS() async throws {
        let pin = try #require(PinnedKey([UInt8](repeating: 7, count: 32)))
        let error = try await StubServer.answering({ _ in .thing }) { server in
            let transport = try patientTransport(tls: TLSOptions(pinnedKeys: [pin]))
            let request = Request(try Address(server.url))
            let error = await transport.output(for: request, within: .patience).connectionError
            #expect(server.requests.isEmpty)
            return error
        }
        #expect(error?.description.hasSuffix(": a pinned key needs https") == true)
    }

    /// Calls a server that does not speak TLS but runs a script, and returns the error.
    private func failure(
        connect: Duration = .patience, _ script: @escaping StubServer.Script
    ) async throws -> ConnectionError? {
        try await StubServer.run(script: script) { server in
            let request = Request(try Address("https://127.0.0.1:\(server.port)"))
            let transport = try patientTransport(connect: connect)
            return await transport.output(for: request, within: .patience).connectionError
        }
    }

    @Test func aServerWithoutTLSIsTold() async throws {
        let error = try await failure { connection in
            try await connection.write(StubAnswer(400))
            await connection.waitForClose()
        }
        #expect(error?.kind == .noCommonTLS && error?.phase == .tls)
    }

    @Test func silenceInsteadOfAHandshakeIsTold() async throws {
        let error = try await failure(connect: .milliseconds(300)) { await $0.waitForClose() }
        #expect(error?.description == "the time of 300ms was up while the connection was made")
        #expect(error?.serverMayHaveBeenReached == false)
    }

    @Test func aCloseInTheHandshakeIsTold() async throws {
        let error = try await failure { _ in }
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
        #expect(TLSOptionsError.clientKey.description.contains("-----BEGIN PRIVATE KEY-----"))
    }

    @Test func aPinIsReadAndWritten() throws {
        let text = "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv8="
        let key = try #require(PinnedKey(text))
        #expect(key.bytes == Array(0...30) + [255])
        #expect(key.description == text)
        #expect(PinnedKey(String(text.dropFirst(8))) == key)
    }

    @Test(arguments: [
        "", "sha256//", "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8==",
        "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd-_8=",
        "sha1//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ])
    func whatIsNoPinIsNone(text: String) {
        #expect(PinnedKey(text) == nil)
    }
}
