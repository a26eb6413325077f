import Barcodes
import Catalog
import KeywedgeTestKit
import TestFolders
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct AuthenticationTests {
    @Test func aSecretIsReadOnceAndAgainWhenItIsRefused() async throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("old\n", to: "token")
        let transport = StubTransport { request, _ in
            request.headers[.authorization] == "Bearer new"
                ? Shop.product(request.code) : Shop.status(401)
        }
        let catalog = try catalog(.bearer(.file(path: file)), transport)
        #expect((await catalog.lookup("a")).failure?.code == .unauthorized)
        try scratch.write("new\n", to: "token")
        let answer = await catalog.lookup("a")
        #expect(answer.origin == .network)
        #expect(answer.attempts == 2)
        #expect(
            transport.requests.map { $0.headers[.authorization] } == [
                "Bearer old", "Bearer old", "Bearer new",
            ])
    }

    @Test func eachKindOfAuthenticationIsSent() async throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("sésame", to: "secret")
        let plain = try scratch.write("open sesame\r\n", to: "plain")
        let transport = StubTransport { request, _ in Shop.product(request.code) }
        _ = try await catalog(
            .header(name: "X-Key", prefix: "Token ", secret: .file(path: plain)), transport
        ).lookup("a")
        _ = try await catalog(
            .basic(user: .plain("Aladdin"), password: .file(path: plain)), transport
        ).lookup("a")
        #expect(transport.requests[0].headers[.init("X-Key")!] == "Token open sesame")
        // The example of RFC 7617, section 2.
        #expect(
            transport.requests[1].headers[.authorization] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(!transport.requests.map(\.debugDescription).joined().contains("sesame"))
        #expect(!transport.requests.map(\.debugDescription).joined().contains("QWxh"))

        let answer = await (try catalog(.bearer(.file(path: file)), transport)).lookup("a")
        #expect(
            answer.failure
                == LookupFailure(
                    .unreadableSecret,
                    "The catalog shop: The secret in \"\(file)\" cannot be sent; expected one "
                        + "line of ASCII characters."))
        #expect(transport.requests.count == 2)
    }

    @Test func aKeyInTheQueryIsSentAndNeverShown() async throws {
        let scratch = try TemporaryFolder()
        // The secret is too short to be redacted everywhere, so it is redacted by its place in the request.
        let file = try scratch.write("s&3", to: "secret")
        let transport = StubTransport { request, _ in
            request.url.path == "/p/moved"
                ? Shop.product("a") : Shop.status(302, headers: [.location: "/p/moved?pw=s%263"])
        }
        let catalog = try Shop.catalog(transport) { asking in
            asking.authentication = .query(name: "pw", secret: .file(path: file))
            asking.request.query = [
                .init("pw", try Template("none")), .init("q", try Template("1")),
            ]
        }
        let lines = await CatalogSources([catalog], clock: ManualClock())
            .explain(BarcodeDecoder().decode("a", aim: nil)).lines
        #expect(
            transport.requests.map(\.unredactedURL) == [
                "https://shop.example/p/a?q=1&pw=s%263", "https://shop.example/p/moved?pw=s%263",
            ])
        #expect(lines.contains("    > GET https://shop.example/p/a?q=1&pw=***"))
        #expect(lines.contains("    > GET https://shop.example/p/moved?pw=***"))
    }

    @Test func aCredentialIsReadFromTheFolderOfTheServiceManager() async throws {
        let scratch = try TemporaryFolder()
        try scratch.write("abc", to: "shop-token")
        let transport = StubTransport { request, _ in Shop.product(request.code) }
        let catalog = DeclaredCatalog(
            try Shop.declaration { $0.authentication = .bearer(.credential(name: "shop-token")) },
            transport: transport,
            secrets: SecretReader(credentialsFolder: scratch.path), clock: ManualClock())
        _ = await catalog.lookup("a")
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer abc"])
        let without = try self.catalog(.bearer(.credential(name: "shop-token")), transport)
        #expect((await without.lookup("a")).failure?.code == .unreadableSecret)
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), ("sesame\nsesame", "cannot be sent"),
        ("sésame sesame", "cannot be sent"),
        (String(repeating: "sesame", count: 12_000), "is too long"),
    ])
    func aSecretThatCannotBeSentIsNamedAndNotQuoted(text: String, why: String) throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write(text, to: "secret")
        do {
            _ = try SecretReader().secret(.file(path: file))
            Issue.record("it was read")
        } catch {
            let sentence = "\(error)"
            #expect(sentence.contains(file) && sentence.contains(why))
            #expect(!sentence.contains("sesame"))
        }
    }

    @Test func aTokenIsGotOnceForAllAndAgainWhenItEnds() async throws {
        let clock = ManualClock()
        let tokens = Counter()
        let transport = StubTransport { request, _ in
            guard request.url.path == "/token" else { return Shop.product(request.code) }
            return Shop.json(#"{"access_token":"t\#(tokens.next())","expires_in":60}"#)
        }
        let catalog = try oauthCatalog(transport, clock)
        await withTaskGroup { group in
            for number in 0..<50 { group.addTask { _ = await catalog.lookup("c\(number)") } }
        }
        #expect(tokens.value == 1)
        clock.advance(by: .seconds(29))
        _ = await catalog.lookup("x")
        #expect(tokens.value == 1)
        clock.advance(by: .seconds(1))
        _ = await catalog.lookup("y")
        #expect(tokens.value == 2)
        #expect(transport.requests.last?.headers[.authorization] == "Bearer t2")
        let request = try #require(transport.requests.first)
        // id "a b" and secret "c:d", each percent-encoded before Basic (RFC 6749, section 2.3.1).
        #expect(request.headers[.authorization] == "Basic YSUyMGI6YyUzQWQ=")
        #expect(
            request.methodAndPayload.payload.map { String(decoding: $0.bytes, as: UTF8.self) }
                == "grant_type=client_credentials&scope=read+all")
    }

    @Test func aTokenThatIsRefusedIsReplacedOnce() async throws {
        let tokens = Counter()
        let transport = StubTransport { request, _ in
            guard request.url.path == "/token" else {
                return request.headers[.authorization] == "Bearer t2"
                    ? Shop.product(request.code) : Shop.status(401)
            }
            return Shop.json(#"{"access_token":"t\#(tokens.next())"}"#)
        }
        let catalog = try oauthCatalog(transport, ManualClock())
        let answer = await catalog.lookup("a")
        #expect(answer.origin == .network)
        #expect(answer.attempts == 2)
        #expect(tokens.value == 2)
    }

    @Test func aTokenIsNotUsedAfterTheSecretThatItWasGotWith() async throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("shop-1", to: "secret")
        let tokens = Counter()
        let transport = StubTransport { request, _ in
            guard request.url.path == "/token" else { return Shop.product(request.code) }
            return Shop.json(#"{"access_token":"t\#(tokens.next())","expires_in":3600}"#)
        }
        let client = Authentication.OAuth2Client(
            tokenURL: "https://login.example/token", clientID: .plain("me"),
            clientSecret: .file(path: file))
        let catalog = try catalog(.oauth2(client), transport)
        _ = await catalog.lookup("a")
        try scratch.write("shop-2", to: "secret")
        _ = try catalog.credentials.reload()
        _ = await catalog.lookup("b")
        #expect(transport.requests.last?.headers[.authorization] == "Bearer t2")
    }

    @Test func aTokenThatIsNotGivenIsARefusalThatSaysSo() async throws {
        let transport = StubTransport { _, _ in
            Shop.json(#"{"error":"invalid_client"}"#, status: 400)
        }
        let catalog = try oauthCatalog(transport, ManualClock())
        #expect(
            await catalog.lookup("a").failure
                == LookupFailure(
                    .unauthorized,
                    "The catalog shop gave no token but status 400: \"invalid_client\"."))
    }

    private func oauthCatalog(
        _ transport: StubTransport, _ clock: ManualClock
    ) throws -> DeclaredCatalog {
        let scratch = try TemporaryFolder()
        let secret = try scratch.write("c:d", to: "secret")
        let client = Authentication.OAuth2Client(
            tokenURL: "https://login.example/token", clientID: .plain("a b"),
            clientSecret: .file(path: secret), scope: "read all")
        let catalog = try Shop.catalog(transport, clock: clock) {
            $0.authentication = .oauth2(client)
        }
        // Read the secret now, because the folder is removed when this function returns.
        _ = try catalog.credentials.current()
        return catalog
    }

    private func catalog(
        _ authentication: Authentication, _ transport: StubTransport
    ) throws -> DeclaredCatalog {
        try Shop.catalog(transport) { $0.authentication = authentication }
    }
}
