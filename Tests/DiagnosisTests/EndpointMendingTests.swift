import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import Testing
import WebAPI

@testable import Diagnosis

/// Tests that a printed setting helps: after the test adds it, the check holds.
@Suite struct EndpointMendingTests {
    private static let pen = TriedShop.pen

    // MARK: TLS

    @Test func aPrivateAuthority() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let tls = StubTLS(try authority.certificate(for: ["127.0.0.1"]))
        try await StubServer.answering(tls: tls) {
            TriedShop.answer($0)
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server), failing: .tls,
                advised: "tls:\n  ca_file: \"/etc/keywedge/shop-ca.pem\""
            ) { setting in
                let file = try folder.write(authority.certificate, to: "ca.pem")
                return setting.replacing("/etc/keywedge/shop-ca.pem", with: file)
            }
        }
    }

    @Test func aServerThatIsOlderThanAllowed() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.certificate, to: "ca.pem")
        let tls = StubTLS(try authority.certificate(for: ["127.0.0.1"]), isOld: true)
        try await StubServer.answering(tls: tls) {
            TriedShop.answer($0)
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server)
                    + "\ntls: {ca_file: \"\(file)\", minimum: \"1.3\"}",
                failing: .tls, advised: "tls:\n  minimum: \"1.2\"")
        }
    }

    @Test func aKeyThatIsNotTheOnePinned() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.certificate, to: "ca.pem")
        let tls = StubTLS(try authority.certificate(for: ["127.0.0.1"]))
        let pin = try #require(PinnedKey([UInt8](repeating: 1, count: 32)))
        try await StubServer.answering(tls: tls) {
            TriedShop.answer($0)
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server)
                    + "\ntls: {ca_file: \"\(file)\", pinned_keys: \"\(pin)\"}", failing: .tls)
        }
    }

    @Test func aServerThatWantsAClientCertificate() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.certificate, to: "ca.pem")
        // With TLS 1.2 the refusal is part of the handshake, where the probe sees it.
        let tls = StubTLS(
            try authority.certificate(for: ["127.0.0.1"]), clientAuthority: authority, isOld: true)
        try await StubServer.answering(tls: tls) {
            TriedShop.answer($0)
        } _: { server in
            let yaml = TriedShop.declaration(server) + "\ntls: {ca_file: \"\(file)\"}"
            let report = await TriedShop.report(try TriedShop.configuration(yaml))
            let setting = try #require(
                report.findings.first { $0.verdict == .fails }?.remedies.first?.setting)
            #expect(
                setting == [
                    "tls:", "  certificate_file: \"/etc/keywedge/shop.pem\"",
                    "  key_file: \"/etc/keywedge/shop-key.pem\"",
                ])
            let mine = try authority.certificate(for: ["register"])
            let text = setting.joined(separator: "\n")
                .replacing(
                    "/etc/keywedge/shop.pem", with: try folder.write(mine.certificate, to: "c")
                ).replacing(
                    "/etc/keywedge/shop-key.pem", with: try folder.write(mine.key, to: "k"))
            let after = await TriedShop.report(try TriedShop.configuration(yaml, with: [text]))
            #expect(after.holds, "\(after.lines.joined(separator: "\n"))")
        }
    }

    @Test func aRedirectToWhereNothingCanBeAsked() async throws {
        try await StubServer.answering { request in
            let target = "https://127.0.0.1:1/elsewhere\(request.path)?key=s3cret"
            return StubAnswer(302, headers: ["Location": target])
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)))
            let finding = try #require(report.findings.first { $0.verdict == .fails })
            #expect(finding.subject == .knownCode)
            #expect(
                finding.text
                    == "The catalog shop answered with status 302 and leads to "
                    + "https://127.0.0.1:1, which is not followed: redirects to another scheme, "
                    + "host or port are refused")
            let remedy = try #require(finding.remedies.first)
            #expect(remedy.setting == ["url: \"https://127.0.0.1:1/elsewhere\""])
            #expect(server.requests.count == 2)
            #expect(remedy.advice.hasPrefix("The catalog redirects to https://127.0.0.1:1:"))
            #expect(!report.lines.joined().contains("s3cret"))
        }
    }

    @Test func aServerWithoutTLS() async throws {
        try await StubServer.run(script: TriedShop.withoutTLS) { server in
            let yaml = TriedShop.declaration(server).replacing("http://", with: "https://")
            let report = await TriedShop.report(try TriedShop.configuration(yaml))
            let finding = try #require(report.findings.first { $0.verdict == .fails })
            #expect(finding.subject == .tls)
            // Without TLS, the catalog's token would be readable on the way.
            #expect(!finding.remedies.contains { $0.setting.joined().contains("http://") })
        }
    }

    @Test func aServerWithTLSThatIsAskedWithout() async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.certificate, to: "ca.pem")
        let tls = StubTLS(try authority.certificate(for: ["127.0.0.1"]))
        try await StubServer.answering(tls: tls) {
            TriedShop.answer($0)
        } _: { server in
            let yaml = TriedShop.declaration(server).replacing("https://", with: "http://")
            try await TriedShop.mend(
                yaml + "\ntls: {ca_file: \"\(file)\"}", failing: .knownCode,
                advised: "url: \"\(server.url)\"")
        }
    }

    // MARK: URL

    /// An answer shows neither which part of a URL is wrong nor which form of a code is right: nothing is guessed.
    @Test(arguments: [
        (#"{"message":"No product"}"#, ["url", "codes"]), ("<html>", ["url", "request"]),
    ])
    func aCodeThatIsNotFoundIsForAPersonToCompare(
        body: String, settings: [String]
    ) async throws {
        try await StubServer.answering { _ in
            StubAnswer(404, body: Array(body.utf8))
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)))
            let finding = try #require(report.findings.first { $0.verdict == .fails })
            #expect(finding.subject == .knownCode)
            let remedy = try #require(finding.remedies.first)
            #expect(remedy.setting == [])
            for setting in settings {
                #expect(remedy.standing.contains { $0.hasPrefix(setting + ":") }, "\(remedy)")
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test func aCatalogThatHasMoved() async throws {
        try await StubServer.answering {
            TriedShop.answer($0, at: "/new/p/" + Self.pen)
        } _: {
            target in
            let url = target.url
            try await StubServer.answering { request in
                StubAnswer(301, headers: ["Location": url + "/new" + request.target])
            } _: { server in
                try await TriedShop.mend(
                    TriedShop.declaration(server), failing: .knownCode,
                    advised: "url: \"\(url)/new\"")
            }
        }
    }

    // MARK: Authentication

    @Test func aWrongToken() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("wrong".utf8), to: "token")
        try await StubServer.answering { request in
            request["Authorization"] == "Bearer right"
                ? TriedShop.answer(request) : .json(#"{"message":"Bad token"}"#, status: 401)
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server) + "\nauth: {bearer: {token_file: \"\(file)\"}}",
                failing: .authentication, advised: "auth:\n  bearer:\n    token_file: \"\(file)\""
            ) { setting in
                _ = try folder.write(Array("right\n".utf8), to: "token")
                return setting
            }
        }
    }

    @Test(arguments: [
        ("Bearer realm=\"x\"", ["token"], "Bearer right"),
        ("Basic realm=\"x\"", ["user", "password"], "Basic cmlnaHQ6cmlnaHQ="),
        ("", ["key"], nil),
    ])
    func noCredentialsWhereSomeAreWanted(
        challenge: String, files: [String], expected: String?
    ) async throws {
        let folder = try TemporaryFolder()
        try await StubServer.answering { request in
            let isKnown =
                expected == nil
                ? request["X-API-Key"] == "right" : request["Authorization"] == expected
            guard isKnown else {
                return challenge.isEmpty
                    ? StubAnswer(401) : StubAnswer(401, headers: ["WWW-Authenticate": challenge])
            }
            return TriedShop.answer(request)
        } _: { server in
            try await TriedShop.mend(TriedShop.declaration(server), failing: .authentication) {
                try files.reduce($0) { setting, end in
                    setting.replacing(
                        "/etc/keywedge/shop.\(end)",
                        with: try folder.write(Array("right".utf8), to: end))
                }
            }
        }
    }

    @Test func aClientThatSendsItsSecretTheOtherWay() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("secret".utf8), to: "secret")
        try await StubServer.answering { request in
            if request.path == "/token" {
                return request.text.contains("client_secret=secret")
                    ? .json(#"{"access_token":"t"}"#) : .json("{}", status: 401)
            }
            return request["Authorization"] == "Bearer t"
                ? TriedShop.answer(request) : StubAnswer(401)
        } _: { server in
            let auth = """

                auth: {oauth2: {token_url: "\(server.url)/token", client_id: me, \
                client_secret_file: "\(file)"}}
                """
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server) + auth))
            let remedies = try #require(report.findings.first { $0.verdict == .fails }).remedies
            #expect(remedies.map(\.setting) == [[], ["auth:", "  oauth2:", "    send_as: form"]])
            let after = await TriedShop.report(
                try TriedShop.configuration(
                    TriedShop.declaration(server) + auth,
                    with: [remedies[1].setting.joined(separator: "\n")]))
            #expect(after.holds, "\(after.lines.joined(separator: "\n"))")
        }
    }

    // MARK: Codes

    /// A catalog's answers for an unknown code, each with the rule to write.
    private static let missing: [(answer: StubAnswer, rule: String)] = [
        (StubAnswer(404), "{status: [404]}"),
        (
            .json(#"{"message":"Product 9529999999993 is unknown"}"#, status: 400),
            #"{status: [400]}|{at: "/message", prefix: "Product"}"#
        ),
        (.json("[]"), #"{status: [200]}|{at: "", empty: true}"#),
        (.json("null"), #"{status: [200]}|{at: "", empty: true}"#),
        (.json(#"{"status":0}"#), #"{status: [200]}|{at: "/status", equals: 0}"#),
        (
            .json(#"{"success":false,"message":"No product 9529"}"#),
            #"{status: [200]}|{at: "/success", equals: false}|{at: "/message", prefix: "No product"}"#
        ),
    ]

    @Test(arguments: missing.indices)
    func anAnswerThatNoRuleExplains(index: Int) async throws {
        let (answer, rule) = Self.missing[index]
        let parts = rule.split(separator: "|")
        let advised =
            parts.count == 1
            ? "not_found: \(rule)"
            : "not_found:\n  all:\n" + parts.map { "  - \($0)" }.joined(separator: "\n")
        try await StubServer.answering {
            TriedShop.answer($0, else: answer)
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server).replacing("not_found: {status: 404}\n", with: ""),
                failing: .unknownCode, advised: advised)
        }
    }

    /// An answer with status 200 that reports an outage lacks the product too.
    @Test func noRuleIsProposedThatAnOutageMeets() async throws {
        try await StubServer.answering {
            TriedShop.answer($0, else: .json(#"{"error":"The database is down"}"#))
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(
                    TriedShop.declaration(server).replacing("not_found: {status: 404}\n", with: ""))
            )
            let failed = report.findings.filter { $0.verdict == .fails }
            #expect(failed.map(\.subject) == [.unknownCode])
            #expect(failed.flatMap(\.remedies).map(\.setting) == [[]])
        }
    }

    /// A search that finds too much, and returns the most sold article for unknown codes.
    @Test func aCatalogThatAnswersWithOtherProducts() async throws {
        let best = #"{"id":"B","name":"Best","codes":[{"ean":"4006381333948"}]}"#
        let pen = #"{"id":"P","name":"Pen","codes":[{"ean":"4006381333931"}]}"#
        try await StubServer.answering { request in
            .json(request.path.hasSuffix(Self.pen) ? "[\(pen),\(best)]" : "[\(best)]")
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server).replacing(
                    "codes: [/ean], verify: [/ean]", with: #"items: """#),
                failing: .knownCode,
                advised: """
                    product:
                      verify:
                        codes: [{each: "/codes", take: "/ean"}]
                        otherwise: not-found
                    """,
                codes: EndpointCodes(known: [.init(Self.pen), .init("4006381333948")]))
        }
    }

    // MARK: Products

    @Test(arguments: [
        (
            #"{"data":[{"id":"P","name":"Pen","ean":"4006381333931"}]}"#,
            "product: {id: [/id], codes: [/ean], verify: [/ean], items: /items}",
            "product:\n  items: \"/data\""
        ),
        (
            #"{"sku":"P","ean":"4006381333931"}"#,
            "product: {id: [/id], codes: [/ean], verify: [/ean]}",
            "product:\n  id: [\"/id\", \"/sku\"]"
        ),
        (
            #"{"id":"P","price":3.49,"ean":"4006381333931"}"#,
            "product: {id: [/id], codes: [/ean], price: {amount: /price, currency: /cur}, verify: [/ean]}",
            "product:\n  price:\n    currency: [\"/cur\", \"EUR\"]"
        ),
        (
            #"{"id":"P","gtins":["4006381333931"]}"#,
            "product: {id: [/id], codes: [/gtins], verify: [/ean]}",
            "product:\n  verify:\n    codes: [\"/ean\", \"/gtins\"]\n    otherwise: failed"
        ),
    ])
    func anAnswerOfWhichNoProductCanBeMade(
        answer: String, mapping: String, advised: String
    ) async throws {
        try await StubServer.answering {
            TriedShop.answer($0, product: answer)
        } _: { server in
            let lines = TriedShop.declaration(server).split(separator: "\n").dropLast()
            try await TriedShop.mend(
                (lines.map(String.init) + [mapping]).joined(separator: "\n"),
                failing: .knownCode, advised: advised)
        }
    }

    @Test func anAnswerThatIsTooLong() async throws {
        let long =
            #"{"id":"P","ean":"4006381333931","x":""# + String(repeating: "x", count: 2 << 20)
            + "\"}"
        try await StubServer.answering {
            TriedShop.answer($0, product: long)
        } _: { server in
            try await TriedShop.mend(
                TriedShop.declaration(server), failing: .knownCode, advised: "max_answer: 8388608")
        }
    }
}
