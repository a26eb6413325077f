import Barcodes
import Catalog
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

/// Catalogs on a real server, through the transport of the daemon.
@Suite struct LoopbackTests {

    @Test func hostileCodesArriveAtTheServerAsTheyAre() async throws {
        let count = HostileCodes.count(usual: 200)
        try await StubServer.answering { request in
            let body = (try? JSONReader.read(request.body))?.object
            let echoed: [JSONValue] = [
                .string(Self.decoded(request.path.dropFirst("/p/x".count))),
                .string(Self.decoded(request.query.dropFirst("q=".count))),
                body?["code"] ?? .null,
            ]
            return .json(
                JSONWriter.text(of: ["id": "1", "codes": .array(echoed)]))
        } _: { server in
            let catalog = try Self.catalog(server) { declaration in
                declaration.request.path = try PathTemplate("/p/x{code}")
                declaration.request.query = [.init("q", try Template("{code}"))]
                declaration.request.body = .json(
                    .object([.init("code", .text(try Template("{code}")))]))
                declaration.product = ProductMapping()
                declaration.product.id = [Shop.place("/id")]
                declaration.product.codes = [Shop.place("/codes")]
            }
            var codes = HostileCodes()
            var seen: Set<[UInt8]> = []
            for _ in 0..<count {
                let code = codes.next()
                seen.insert(Array(code.utf8))
                let answer = await catalog.lookup(Barcode(text: code), within: .patience)
                let isIntact: Bool =
                    if case .found(let match) = answer.outcome {
                        match.product.codes.allSatisfy { $0.utf8.elementsEqual(code.utf8) }
                    } else {
                        // A code of nothing but white space is no text of a product.
                        code.allSatisfy(\.isWhitespace)
                    }
                #expect(isIntact, "\(Array(code.utf8)): \(answer)")
            }
            // A code that comes again is answered by what was kept.
            #expect(server.requests.count == seen.count)
        }
    }

    @Test func aServiceThatBreaksOffAndComesBackIsFoundAgain() async throws {
        try await StubServer.run { connection in
            if connection.number < 2 {
                _ = await connection.readRequest()
                return
            }
            while let request = await connection.readRequest() {
                try await connection.write(
                    StubAnswer.json(
                        #"{"id":"1","name":"Pen","ean":"\#(request.path.dropFirst(3))"}"#))
            }
        } _: { server in
            let catalog = try Self.catalog(server)
            let broken = await catalog.lookup(Barcode(text: "a"), within: .patience)
            #expect(broken.attempts == 2)
            let failure = broken.failure
            #expect(failure?.code == .brokenConnection)
            let back = await catalog.lookup(Barcode(text: "a"), within: .patience)
            #expect(back.origin == .network)
        }
    }

    /// What write_back was for: the register goes on alone, also after a restart, for as long as the
    /// shop says; and never shows an old price as a current one.
    @Test(arguments: ["no-store", "max-age=0, must-revalidate", "max-age=1"])
    func aServiceThatGoesAwayLeavesItsPricesMarkedAsOld(caching: String) async throws {
        let scratch = try TemporaryFolder()
        let wall = WallTime(1_800_000_000)
        @Sendable func start(_ url: String) throws -> DeclaredCatalog {
            let file = try AnswerFile(
                path: scratch.path("answers.sqlite"), report: { Issue.record("\($0)") })
            let declaration = try Shop.declaration(url: url, codes: CodeRules()) {
                $0.resilience.cache.staleIfError = .seconds(3 * 86_400)
                $0.resilience.attempts = 1
                $0.resilience.attemptTimeout = .patience
            }
            let transport = try Self.transport()
            return DeclaredCatalog(
                declaration, transport: transport, file: file, date: { wall.date })
        }
        let url = try await StubServer.answering { request in
            StubAnswer.json(
                #"{"id":"1","price":"0.89","ean":"\#(request.path.dropFirst(3))"}"#,
                headers: ["Cache-Control": caching])
        } _: { server in
            let answer = await (try start(server.url)).lookup(Barcode(text: "a"), within: .patience)
            #expect(answer.origin == .network)
            #expect(answer.price == "0.89 EUR")
            return server.url
        }
        for (days, isKept) in [(1, true), (2, true), (4, false)] as [(Int64, Bool)] {
            wall.seconds = 1_800_000_000 + days * 86_400
            let answer = try await start(url).lookup(Barcode(text: "a"), within: .patience)
            #expect(answer.price == (isKept ? "0.89 EUR" : nil))
            #expect(answer.origin?.name == (isKept ? "stale" : nil))
            // The day on the wall, and what the failed request took.
            let age = answer.origin?.age?.components.seconds
            #expect(age.map { (0..<600).contains($0 - days * 86_400) } == (isKept ? true : nil))
            #expect((answer.originalFailure ?? answer.failure)?.code == .unreachable)
        }
    }

    @Test func anAnswerTooManyIsNeverAnotherCodesProduct() async throws {
        try await StubServer.run { connection in
            var chance = SystemRandomNumberGenerator()
            while let request = await connection.readRequest() {
                let code = request.path.dropFirst(3)
                let answer = StubAnswer.json(
                    #"{"id":"\#(code)","name":"Pen","ean":"\#(code)"}"#)
                try await connection.write(answer)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: try await connection.write(answer)
                case 1:
                    // Late: in between the next request and its answer, if there is one.
                    await Task.yield()
                    try await connection.write(answer)
                default: break
                }
            }
        } _: { server in
            let catalog = try Self.catalog(server) { $0.resilience.breaker.failurePercent = 100 }
            for number in 0..<500 {
                let code = "X\(number)"
                let answer = await catalog.lookup(Barcode(text: code), within: .patience)
                switch answer.outcome {
                case .found(let match): #expect(match.product.id == code)
                case .notFound, .skipped: Issue.record("\(code) is not found")
                case .failed(let failure):
                    #expect(failure.code == .otherProduct || failure.code == .brokenConnection)
                }
            }
        }
    }

    @Test(arguments: [
        (
            Redirects.sameOrigin, 302, "https://other.example/p/a?key=s3cret", MethodAndPayload.get,
            "leads to https://other.example, which is not followed: redirects to another scheme, "
                + "host or port are refused"
        ),
        (
            .sameOrigin, 303, "/moved", .post(.text("q")),
            "leads to URL, which is not followed: it would turn the POST into a GET without its "
                + "question"
        ),
        (
            .refuse, 308, "/moved", .get,
            "leads to URL, which is not followed: redirects are refused"
        ),
    ])
    func aRedirectThatIsNotFollowedSaysWhereItLeads(
        redirects: Redirects, status: Int, target: String, method: MethodAndPayload, reason: String
    ) async throws {
        try await StubServer.answering { _ in
            StubAnswer(status, headers: ["Location": target])
        } _: { server in
            let catalog = try Self.catalog(server) { declaration in
                declaration.redirects = redirects
                guard method != .get else { return }
                declaration.request.path = try PathTemplate("/p")
                declaration.request.body = .json(
                    .object([.init("code", .text(try Template("{code}")))]))
            }
            let answer = await catalog.lookup(Barcode(text: "a"), within: .patience)
            #expect(server.requests.count == 1)
            let failure = answer.failure
            #expect(failure?.code == .unexpectedStatus)
            #expect(
                failure?.reason.description
                    == "The catalog shop answered with status \(status) and "
                    + reason.replacing("URL", with: server.url) + ".")
        }
    }

    @Test func aServiceThatSaysNothingTimesOut() async throws {
        try await StubServer.run { connection in
            _ = await connection.readRequest()
            await connection.waitForClose()
        } _: { server in
            let catalog = try Self.catalog(server) { declaration in
                declaration.resilience.attemptTimeout = .milliseconds(50)
                declaration.resilience.attempts = 1
            }
            let answer = await catalog.lookup(Barcode(text: "a"), within: .patience)
            let failure = answer.failure
            #expect(failure?.code == .timedOut)
        }
    }

    @Test func anAnswerThatIsTooLongIsNotRead() async throws {
        try await StubServer.answering { _ in
            .json("\"" + String(repeating: "x", count: 5000) + "\"")
        } _: { server in
            let catalog = try Self.catalog(server, limit: 4096)
            let answer = await catalog.lookup(Barcode(text: "a"), within: .patience)
            #expect(answer.attempts == 1)
            let failure = answer.failure
            #expect(failure?.code == .answerTooLong)
        }
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let nobody = try RefusingPort()
        let declaration = try Self.declaration(url: nobody.url) { $0.resilience.backoff = .zero }
        let catalog = DeclaredCatalog(declaration, transport: try Self.transport())
        let answer = await catalog.lookup(Barcode(text: "a"), within: .patience)
        let failure = answer.failure
        #expect(failure?.code == .unreachable)
        #expect(
            failure?.reason
                == "The catalog shop did not answer: the connection was refused.")
        withExtendedLifetime(nobody) {}
    }

    private static func catalog(
        _ server: StubServer, limit: Int = 1 << 20,
        change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) throws -> DeclaredCatalog {
        DeclaredCatalog(
            try declaration(url: server.url, change: change),
            transport: try transport(limit: limit))
    }

    /// Waits for a connection as long as it takes on a busy machine.
    private static func transport(limit: Int = 1 << 20) throws -> AsyncHTTPClientTransport {
        try AsyncHTTPClientTransport(
            limits: TransportLimits(connect: .patience, responseBytes: limit))
    }

    private static func declaration(
        url: String, change: (inout HTTPCatalogDeclaration) throws -> Void
    ) throws -> HTTPCatalogDeclaration {
        var declaration = try Shop.declaration(url: url, codes: CodeRules())
        declaration.resilience.attemptTimeout = .patience
        try change(&declaration)
        return declaration
    }

    /// What percent-encoded text means, as servers decode it.
    private static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: HostileCodes.decoded(Substring(text)), as: UTF8.self)
    }
}
