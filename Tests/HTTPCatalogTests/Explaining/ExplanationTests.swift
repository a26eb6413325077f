import Barcodes
import KeywedgeTestKit
import Testing
import WebAPI

@testable import Catalog
@testable import HTTPCatalog

/// Tests the explanations of lookups in web services.
@Suite struct ExplanationTests {
    private let pen = "4006381333931"

    private func explanation(
        _ code: String, _ outputs: [Output], clock: ManualClock = ManualClock(jumps: true),
        before: Int = 0, change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) async throws -> [String] {
        let catalog = try Shop.catalog(
            StubTransport(outputs), codes: CodeRules(forms: [.gtin13]), clock: clock,
            change: change)
        let sources = CatalogSources([catalog], clock: clock)
        let barcode = BarcodeDecoder().decode(code, aim: nil)
        for _ in 0..<before { _ = await sources.lookup(barcode) }
        return await sources.explain(barcode).lines
    }

    /// Returns the lines that start with a label, without the label.
    private func rows(_ label: String, _ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("  \(label) ") }.map {
            String($0.dropFirst(2 + label.count).drop { $0 == " " })
        }
    }

    @Test func theWholeWayIsShown() async throws {
        let lines = try await explanation(pen, [Shop.status(503), Shop.product(pen)])
        #expect(
            lines == [
                "\"4006381333931\"",
                "",
                "shop",
                "  asked as  gtin-13 \"4006381333931\"",
                "  cache     nothing kept",
                "  state     breaker closed",
                "  request 1",
                "    > GET https://shop.example/p/4006381333931",
                "    > Accept: application/json",
                "    > User-Agent: keywedge",
                "    < 503, 0 bytes after 0s",
                "  not_found no: status 404 (status is 503)",
                "  means     failed (server-error): The catalog shop answered with status 503.",
                "  wait      0s",
                "  request 2",
                "    > the same",
                "    < 200, 71 bytes of application/json after 0s",
                "    < Content-Type: application/json",
                "    < {\"id\":\"P4006381333931\",\"name\":\"Pen\",\"price\":3.49,"
                    + "\"ean\":\"4006381333931\"}",
                "  not_found no: status 404 (status is 200)",
                "  verify    yes: product 1 has \"4006381333931\"",
                "  id        /id gave \"P4006381333931\"",
                "  name      /name gave \"Pen\"",
                "  currency  the declaration gave \"EUR\"",
                "  price     /price gave \"3.49 EUR\"",
                "  codes     /ean gave \"4006381333931\"",
                "  means     a product",
                "  cache     kept: fresh for 5min, stale for 10min more while it is asked for "
                    + "again and for 7d more if that fails",
                "  answer    found \"P4006381333931\" \"Pen\" 3.49 EUR, from the network, 2 requests",
                "",
                "  result    found in shop, after 0s",
            ])
    }

    @Test func eachPlaceThatWasTriedIsNamedWithWhatWasWrongThere() async throws {
        let answer = #"{"id":7,"a":null,"b":" ","c":true,"d":{},"f":"Pen","ean":"4006381333931"}"#
        let lines = try await explanation(pen, [Shop.json(answer)]) { declaration in
            declaration.product.name = ["/a", "/b", "/c", "/d", "/e", "/f", "/g"].map(Shop.place)
        }
        #expect(
            rows("name", lines) == [
                "/a is null; /b is empty; /c is a truth value, no text or number; /d is an object, "
                    + "no text or number; /e is missing; /f gave \"Pen\""
            ])
        #expect(rows("price", lines) == ["/price is missing"])
    }

    @Test(arguments: [
        (
            "NOPE", [],
            ["asked as gtin-13: the code has no such form", "answer not found"]
        ),
        (
            "4006381333931", [Shop.status(404)],
            [
                "not_found yes: status 404 (status is 404)", "means no such product",
                "cache kept that there is no such product: fresh for 1min",
                "answer not found, from the network, 1 request",
            ]
        ),
        (
            "4006381333931", [Shop.product("4006381333948")],
            [
                "verify no: product 1 has \"4006381333948\", asked was \"4006381333931\"",
                "cache not kept: it is a failure",
            ]
        ),
        (
            "4006381333931",
            [Shop.product("4006381333931", headers: [.cacheControl: "no-store"])],
            ["cache not kept: the answer says no-store"]
        ),
        (
            "4006381333931", [Shop.product("4006381333931", price: "true")],
            [
                "price /price cannot be read: The answer has a truth value at \"/price\"; "
                    + "expected a price."
            ]
        ),
    ])
    func aMissHasItsReason(code: String, outputs: [Output], expected: [String]) async throws {
        let lines = try await explanation(code, outputs).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(expected.filter { !lines.contains($0) } == [], "\(lines)")
    }

    @Test func whatIsKeptIsToldAndAskedAllTheSame() async throws {
        let tagged = Shop.product(pen, headers: [.eTag: "\"1\""])
        let lines = try await explanation(pen, [tagged, Shop.status(304)], before: 1)
        #expect(
            rows("cache", lines) == [
                "kept 0s ago: a product, fresh: a scan is answered with it and nothing is sent; "
                    + "here it is asked; it is asked for with its entity tag",
                "what was kept still holds: fresh for 5min",
            ])
        #expect(lines.contains("    > If-None-Match: \"1\""))
        #expect(rows("means", lines) == ["what was kept still holds"])
    }

    @Test func theBreakerIsShownWhenItKeepsARequestBack() async throws {
        let lines = try await explanation(pen, [Shop.status(500)], before: 1) { declaration in
            declaration.resilience.attempts = 1
            declaration.resilience.breaker.minimumCalls = 1
        }
        #expect(rows("state", lines) == ["breaker open for another 5s"])
        #expect(
            rows("answer", lines) == [
                "failed (suspended): The catalog shop failed too often and is left alone for "
                    + "another 5s."
            ])
    }

    @Test func laterSourcesAreNotAskedOnceTheProductIsFound() async throws {
        let catalog = try CatalogFile.inMemory()
        try catalog.add(Product(id: "P", codes: ["400638133393-1"]))
        let shop = DeclaredCatalog(try Shop.declaration(), transport: StubTransport([]))
        let sources = CatalogSources([catalog, shop], clock: ManualClock(jumps: true))
        let lines = await sources.explain(BarcodeDecoder().decode(pen, aim: nil)).lines
        #expect(
            lines == [
                "\"4006381333931\"", "", "embedded",
                "  key       GTIN 04006381333931: found, listed as \"400638133393-1\"",
                "  answer    found \"P\", from this box", "", "shop",
                "  not asked the product was found", "",
                "  result    found in embedded, after 0s",
            ])
    }

    @Test func nothingAServerSaysReachesTheTerminalAsItIs() async throws {
        let evil = "\u{1B}[2J\u{7}\u{9B}31m\u{202E}\u{2028}\r\u{0}"
        let text = JSONWriter.text(
            of: ["id": .string(evil), "name": .string("a" + evil), "ean": .string(evil)])
        var headers: HTTPFields = [:]
        headers[.server] = "\u{9B}31m\u{202E}"
        let outputs: [Output] = [
            Shop.json(text), Shop.json(text, status: 500),
            .response(
                Response(
                    status: .init(code: 200, reasonPhrase: "fine"), headers: headers,
                    payload: Array(evil.utf8) + [0xFF, 0x1B, 0x5B])),
        ]
        for output in outputs {
            let lines = try await explanation(evil + pen, [output, output]) { declaration in
                declaration.codes = CodeRules()
                declaration.product.verify = nil
                declaration.rules.failed = .at(Shop.pointer("/ean"), .prefix(evil + "x"))
            }
            let unsafe = lines.flatMap(\.unicodeScalars).filter(Escaping.isUnsafe)
            #expect(unsafe == [])
        }
    }

    @Test func aSecretThatTheServerRepeatsIsNotShown() async throws {
        let output = Output.response(
            Response(
                status: 401, headers: [.server: "refuses hush-hush-42"],
                payload: Array(#"{"message":"hush-hush-42 is not a key","b":"aHVzaA=="}"#.utf8)))
        for authentication in [
            Authentication.bearer(.plain("hush-hush-42")),
            .header(name: "X-Mine", prefix: "Token ", secret: .plain("hush-hush-42")),
        ] {
            let lines = try await explanation(pen, [output]) {
                $0.authentication = authentication
            }
            #expect(lines.filter { $0.contains("hush-hush-42") } == [])
            #expect(lines.contains { $0.hasPrefix("    < {\"message\":\"*** is not a key\"") })
        }
    }

    @Test func aLongAnswerIsCut() async throws {
        let lines = try await explanation(
            pen, [Shop.json("\"" + String(repeating: "é", count: 600_000) + "\"")])
        let content = lines.filter { $0.hasPrefix("    < ") }.suffix(2)
        #expect(
            content == [
                "    < \"" + String(repeating: "é", count: 999),
                "    < … (1200002 bytes in all)",
            ])
    }

    @Test func theTokenThatWasGotIsNotShown() async throws {
        let lines = try await explanation(
            pen, [Shop.json(#"{"access_token":"tok-tok-tok"}"#), Shop.product(pen)]
        ) { declaration in
            declaration.authentication = .oauth2(
                Authentication.OAuth2Client(
                    tokenURL: "https://id.example/token", clientID: .plain("me"),
                    clientSecret: .plain("sesame-sesame"), sending: .form))
        }
        #expect(lines.filter { $0.contains("tok-tok") || $0.contains("sesame") } == [])
        #expect(lines.contains("  token"))
        #expect(lines.contains("    > POST https://id.example/token"))
        #expect(lines.contains("    < (30 bytes, not shown)"))
    }

    @Test func aReasonIsToldOnce() async throws {
        let lines = try await explanation(pen, [Shop.status(503)]) { declaration in
            declaration.resilience.attempts = 1
        }
        #expect(lines.filter { $0.contains("answered with status 503") }.count == 1)
        #expect(rows("answer", lines) == ["failed (server-error), 1 request"])
        #expect(rows("result", lines) == ["failed in shop, after 0s"])
    }

    @Test func aRedirectIsARequestOfItsOwn() async throws {
        let moved = Output.response(Response(status: 302, headers: [.location: "/p/elsewhere"]))
        let lines = try await explanation(pen, [moved, Shop.product(pen)])
        #expect(lines.contains("  request 1, redirect 1"))
        #expect(lines.contains("    > GET https://shop.example/p/elsewhere"))
    }
}
