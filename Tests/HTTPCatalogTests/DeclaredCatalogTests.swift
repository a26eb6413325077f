import Catalog
import KeywedgeTestKit
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct DeclaredCatalogTests {
    private let pen = "4006381333931"

    @Test(arguments: [(true, 300), (false, 60)])
    func anAnswerIsAskedForOnceAndKept(isFound: Bool, seconds: Int) async throws {
        let transport = StubTransport { request, _ in
            isFound ? Shop.product(request.code) : Shop.status(404)
        }
        let clock = ManualClock()
        let catalog = try Shop.catalog(transport, clock: clock)
        let outcome = isFound ? LookupOutcome.found(try Shop.found(pen)) : .notFound
        #expect(await catalog.lookup(pen) == LookupAnswer(outcome, origin: .network, attempts: 1))
        let age = Duration.seconds(seconds - 1)
        clock.advance(by: age)
        #expect(await catalog.lookup(pen) == LookupAnswer(outcome, origin: .cache(age: age)))
        #expect(transport.requests.map(\.description) == ["GET https://shop.example/p/\(pen)"])
        clock.advance(by: .seconds(1))
        #expect(await catalog.lookup(pen).origin != .cache(age: .seconds(seconds)))
    }

    @Test func codesThatLookAlikeAreTwoCodes() async throws {
        let transport = StubTransport { _, _ in Shop.status(404) }
        let catalog = try Shop.catalog(transport)
        for code in ["\u{E9}", "e\u{301}"] {
            #expect(
                await catalog.lookup(code) == LookupAnswer(.notFound, origin: .network, attempts: 1)
            )
        }
        #expect(
            transport.requests.map(\.description) == [
                "GET https://shop.example/p/%C3%A9", "GET https://shop.example/p/e%CC%81",
            ])
    }

    @Test func formsAreAskedInTurnUntilOneIsFound() async throws {
        let transport = StubTransport { request, _ in
            request.code == "036000291452" ? Shop.product("036000291452") : Shop.status(404)
        }
        let catalog = try Shop.catalog(transport, codes: CodeRules(forms: [.gtin13, .asTyped]))
        let answer = await catalog.lookup("036000291452")
        #expect(answer.attempts == 2)
        #expect(answer.outcome == .found(try Shop.found("036000291452")))
        #expect(transport.requests.map(\.code) == ["0036000291452", "036000291452"])
    }

    @Test func aCodeTheCatalogCannotHaveIsNotAsked() async throws {
        let transport = StubTransport { _, _ in Shop.status(500) }
        let catalog = try Shop.catalog(transport, codes: CodeRules(forms: [.gtin13]))
        #expect(await catalog.lookup("SKU-7") == LookupAnswer(.notFound))
        let texts = try Shop.catalog(transport)
        #expect(await texts.lookup("..").outcome == .notFound)
        #expect(transport.requests.isEmpty)
    }

    @Test func whatFailedInPassingIsAskedAgain() async throws {
        let transport = StubTransport([Shop.status(503), Shop.product(pen)])
        let clock = ManualClock(jumps: true)
        let catalog = try Shop.catalog(transport, clock: clock, chance: 0.5)
        #expect(
            await catalog.lookup(pen)
                == LookupAnswer(.found(try Shop.found(pen)), origin: .network, attempts: 2))
        #expect(clock.slept.contains(.milliseconds(50)))
    }

    @Test func aPOSTIsSentAgainOnlyWhereItNeverArrivedOrOnlyAsks() async throws {
        for (isRepeatable, first, attempts) in [
            (false, Shop.status(503), 1), (false, Shop.refused, 2), (true, Shop.status(503), 2),
            (false, Shop.timedOut, 1), (true, Shop.timedOut, 2),
        ] {
            let transport = StubTransport([first, Shop.product(pen)])
            let catalog = try Shop.catalog(transport, clock: ManualClock(jumps: true)) {
                declaration in
                declaration.request.body = .json(.object([]))
                declaration.request.isRepeatable = isRepeatable
            }
            #expect(await catalog.lookup(pen).attempts == attempts)
        }
    }

    @Test func whatWillNotPassIsAskedOnce() async throws {
        for output in [
            Shop.status(400), Shop.status(401), Shop.status(403), Shop.json("<html>"),
            Shop.json("{}"), Shop.product("1"), Shop.status(304),
        ] {
            let transport = StubTransport([output])
            let catalog = try Shop.catalog(transport)
            #expect(await catalog.lookup(pen).attempts == 1)
            #expect(transport.requests.count == 1)
        }
    }

    @Test func aMarkAheadOfAnAnswerAndAnOldCharsetAreNoErrors() async throws {
        let utf8 = Array(#"{"id":"P1","name":"Pén","ean":"4006381333931"}"#.utf8)
        let latin1 =
            Array(#"{"id":"P1","name":"P"#.utf8) + [0xE9]
            + Array(#"n","ean":"4006381333931"}"#.utf8)
        for (type, bytes) in [
            ("application/json", [0xEF, 0xBB, 0xBF] + utf8),
            ("application/json; charset=ISO-8859-1", latin1),
        ] {
            let transport = StubTransport { _, _ in
                .response(Response(status: .ok, headers: [.contentType: type], payload: bytes))
            }
            let catalog = try Shop.catalog(transport)
            #expect(await catalog.lookup(pen).match?.product.name == "Pén", "\(type)")
        }
    }

    @Test func eachAttemptHasItsTimeAndTheSecondWhatIsLeft() async throws {
        let clock = ManualClock(jumps: true)
        let transport = StubTransport { _, limit in
            try? await clock.sleep(for: limit)
            return .noResponse(ConnectionError(.timedOut(after: limit), during: .head))
        }
        let catalog = try Shop.catalog(transport, clock: clock, chance: 0.5)
        let answer = await catalog.lookup(pen)
        #expect(
            answer
                == LookupAnswer(
                    .failed(
                        LookupFailure(
                            .timedOut,
                            "The catalog shop did not answer: the time of 650ms was up while the "
                                + "response was waited for.")), attempts: 2))
        #expect(clock.now.sinceStart == .milliseconds(1500))
    }

    @Test func aRefusalNamesTheStatusAndTheCatalogsWords() async throws {
        let transport = StubTransport([
            Shop.json(#"{"message":"No such key"}"#, status: 403)
        ])
        let catalog = try Shop.catalog(transport)
        #expect(
            await catalog.lookup(pen).failure
                == LookupFailure(
                    .unauthorized, "The catalog shop answered with status 403: \"No such key\"."))
    }

    /// The status of an answer that a rule reports as failed, the failure's code and words, and the attempts.
    private static let reported: [(Int, LookupFailure.Code, String, Int)] = [
        (200, .reportedError, "that it failed", 1), (400, .reportedError, "that it failed", 1),
        (404, .reportedError, "that it failed", 1), (401, .unauthorized, "with status 401", 1),
        (403, .unauthorized, "with status 403", 1), (500, .serverError, "with status 500", 2),
        (503, .serverError, "with status 503", 2),
    ]

    @Test(arguments: Self.reported)
    func aRefusalAndAnOutageStayWhatTheyAreWhereTheAnswerReportsThem(
        status: Int, code: LookupFailure.Code, said: String, attempts: Int
    ) async throws {
        let transport = StubTransport { _, _ in
            Shop.json(#"{"errors":[{"detail":"No."}]}"#, status: status)
        }
        let catalog = try Shop.catalog(transport, clock: ManualClock(jumps: true)) { declaration in
            declaration.rules.failed = .at(Shop.pointer("/errors"), .present)
            declaration.rules.messages = [Shop.pointer("/errors/0/detail")]
        }
        let failure = LookupFailure(code, "The catalog shop answered \(said): \"No.\".")
        #expect(await catalog.lookup(pen) == LookupAnswer(.failed(failure), attempts: attempts))
    }

    @Test func anOldAnswerStandsInForAnOutageThatIsReportedAndNotForARefusal() async throws {
        for (status, isKept) in [(503, true), (401, false), (403, false)] {
            let transport = StubTransport([
                Shop.product(pen), Shop.json(#"{"errors":["No."]}"#, status: status),
            ])
            let clock = ManualClock(jumps: true)
            let catalog = try Shop.catalog(transport, clock: clock) { declaration in
                declaration.rules.failed = .at(Shop.pointer("/errors"), .present)
                declaration.resilience.attempts = 1
            }
            let found = LookupOutcome.found(try Shop.found(pen))
            #expect(await catalog.lookup(pen).outcome == found)
            clock.advance(by: .seconds(86_400))
            let answer = await catalog.lookup(pen)
            #expect((answer.outcome == found) == isKept, "\(answer)")
        }
    }

    /// The codes of a product, and what the error says about it; nil if the product is accepted.
    private static let saidTwice: [(codes: String, other: String?)] = [
        (#""ean":"4006381333931","own":"4006381333931""#, nil),
        (#""ean":"4006381333931""#, nil), (#""ean":"4006381333931","own":null"#, nil),
        (#""own":["4006381333948","4006381333931"]"#, nil),
        (#""ean":"4006381333931","own":"4006381333948""#, #"with the code "4006381333948""#),
        (#""ean":"4006381333948","own":"4006381333931""#, #"with the code "4006381333948""#),
        (#""name":"Pen""#, "without a code"),
    ]

    @Test(arguments: Self.saidTwice)
    func whereEveryPlaceCountsNoneMayHaveAnotherCode(codes: String, other: String?) async throws {
        let transport = StubTransport([Shop.json("{\"id\":1,\"price\":\"3.49\",\(codes)}")])
        let catalog = try Shop.catalog(transport) { declaration in
            declaration.product.verify = VerifyRule(
                codes: ["/ean", "/own"].map { Shop.place($0) },
                needsEveryPlace: true)
        }
        let answer = await catalog.lookup(pen)
        guard let other else {
            #expect(answer.match?.product.id == "1", "\(answer)")
            return
        }
        #expect(
            answer.failure
                == LookupFailure(
                    .otherProduct,
                    "The catalog shop answered with a product \(other); expected \"\(pen)\"."))
    }
}
