import Barcodes
import Catalog
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

@testable import HTTPCatalog

/// Tests catalogs on a real server, through the daemon's transport.
@Suite struct LoopbackTests {

    /// A request contains the code as it is, and the code changes nothing else in the request.
    @Test func hostileCodesArriveAtTheServerAsTheyAre() async throws {
        let count = HostileCodes.count(usual: 500)
        let document = "query ($code: String!) { p(code: $code) { id, x: \"{code}\" } }"
        try await StubServer.answering { request in
            let path = request.path.split(separator: "/", omittingEmptySubsequences: false)
            let query = request.query.dropFirst("q=".count)
            guard let body = (try? JSONReader.read(request.body))?.object, body.members.count == 2,
                body["query"]?.string == document, path.count == 4, path[3] == "y",
                !query.contains(where: "&=+".contains)
            else { return StubAnswer(400) }
            let echoed: [JSONValue] = [
                .string(Self.decoded(path[2].dropFirst("x".count))), .string(Self.decoded(query)),
                body["variables"]?.object?["code"] ?? .null,
            ]
            return .json(JSONWriter.text(of: ["id": "1", "codes": .array(echoed)]))
        } _: { server in
            let catalog = try Self.catalog(server) { declaration in
                declaration.request.path = try PathTemplate("/p/x{code}/y")
                declaration.request.query = [.init("q", try Template("{code}"))]
                declaration.request.body = .graphQL(
                    document,
                    variables: .object([.init("code", .text(try Template("{code}")))]))
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
                        // A code of only white space is never a product's code.
                        code.allSatisfy(\.isWhitespace)
                    }
                #expect(isIntact, "\(Array(code.utf8)): \(answer)")
            }
            // A repeated code is answered from the cache.
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
            let broken = await catalog.lookup("a", within: .patience)
            #expect(broken.attempts == 2)
            #expect(broken.failure?.code == .brokenConnection)
            let back = await catalog.lookup("a", within: .patience)
            #expect(back.origin == .network)
        }
    }

    @Test func anAnswerTooManyIsNeverAnotherCodesProduct() async throws {
        try await StubServer.run { connection in
            while let request = await connection.readRequest() {
                let code = request.path.dropFirst(3)
                let answer = StubAnswer.json(#"{"id":"\#(code)","name":"Pen","ean":"\#(code)"}"#)
                try await connection.write(answer)
                guard let number = Int(code.dropFirst()), number % 4 < 2 else { continue }
                // Send it late, so that it may fall between the next request and its answer.
                if number % 4 == 1 { await Task.yield() }
                try await connection.write(answer)
            }
        } _: { server in
            let catalog = try Self.catalog(server) { $0.resilience.breaker.failurePercent = 100 }
            var found = 0
            for number in 0..<500 {
                let code = "X\(number)"
                let answer = await catalog.lookup(Barcode(text: code), within: .patience)
                switch answer.outcome {
                case .found(let match):
                    found += 1
                    #expect(match.product.id == code)
                case .notFound, .skipped: Issue.record("\(code) is not found")
                case .failed(let failure):
                    #expect(failure.code == .otherProduct || failure.code == .brokenConnection)
                }
            }
            #expect(found >= 250)
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
                + "content"
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
            let answer = await catalog.lookup("a", within: .patience)
            #expect(server.requests.count == 1)
            #expect(answer.failure?.code == .unexpectedStatus)
            #expect(
                answer.failure?.reason.description
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
            #expect(await catalog.lookup("a", within: .patience).failure?.code == .timedOut)
        }
    }

    @Test func anAnswerThatIsTooLongIsNotRead() async throws {
        try await StubServer.answering { _ in
            .json("\"" + String(repeating: "x", count: 5000) + "\"")
        } _: { server in
            let catalog = try Self.catalog(server, limit: 4096)
            let answer = await catalog.lookup("a", within: .patience)
            #expect(answer.attempts == 1)
            #expect(answer.failure?.code == .answerTooLong)
        }
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let nobody = try RefusingPort()
        let declaration = try Self.declaration(url: nobody.url) { $0.resilience.backoff = .zero }
        let catalog = DeclaredCatalog(declaration, transport: try Self.transport())
        let answer = await catalog.lookup("a", within: .patience)
        #expect(answer.failure?.code == .unreachable)
        #expect(
            answer.failure?.reason
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

    /// Makes a transport that gives connections enough time on a busy machine.
    private static func transport(limit: Int = 1 << 20) throws -> AsyncHTTPClientTransport {
        try AsyncHTTPClientTransport(
            limits: TransportLimits(connect: .patience, responseBytes: limit))
    }

    private static func declaration(
        url: String, change: (inout HTTPCatalogDeclaration) throws -> Void
    ) throws -> HTTPCatalogDeclaration {
        var declaration = try Shop.declaration(url: url)
        declaration.resilience.attemptTimeout = .patience
        try change(&declaration)
        return declaration
    }

    /// Decodes percent-encoded text as servers do.
    private static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: HostileCodes.decoded(Substring(text)), as: UTF8.self)
    }
}
