import Barcodes
import Catalog
import KeywedgeTestKit
import Testing
import WebAPI

@testable import HTTPCatalog

/// Tests catalogs whose first answer names what to request next.
@Suite struct TwoRequestTests {
    /// Longer than a test may take.
    private static let ages = Duration.seconds(600)

    private let pen = "4006381333931"

    /// Declares a shop whose `/p/{code}` names a part, which `/parts/{part}/of/{code}` describes.
    private static func declaration(
        url: String = Shop.url, repeated: [Place] = [Shop.place("/id")],
        change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) throws -> HTTPCatalogDeclaration {
        var declaration = try Shop.declaration(url: url)
        declaration.product.price?.amount = [Shop.place("first#/price")]
        declaration.product.verify = VerifyRule(codes: [Shop.place("first#/ean")])
        declaration.followUp = FollowUp(
            captured: [
                .init(
                    "part", [Shop.place("/nothing"), Shop.place("/part/pk")],
                    repeated: repeated)
            ], request: RequestDeclaration(path: try PathTemplate("/parts/{part}/of/{code}")))
        try change(&declaration)
        return declaration
    }

    private func first(_ part: String = "7") -> Output {
        Shop.json(#"{"part":{"pk":\#(part)},"price":"1.20","ean":"\#(pen)"}"#)
    }

    private func lookup(
        _ second: String, after first: Output? = nil,
        change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) async throws -> (answer: LookupAnswer, paths: [String]) {
        let transport = StubTransport([first ?? self.first(), Shop.json(second)])
        let catalog = DeclaredCatalog(
            try Self.declaration(change: change), transport: transport, clock: ManualClock())
        let answer = await catalog.lookup(pen)
        return (answer, transport.requests.map(\.url.path))
    }

    @Test(arguments: ["7", #""7""#])
    func theSecondRequestAsksForWhatTheFirstAnswerNames(part: String) async throws {
        let (answer, paths) = try await lookup(#"{"id":7,"name":"Pen"}"#, after: first(part))
        #expect(answer.price == "1.20 EUR")
        #expect(answer.match?.product.id == "7")
        #expect(answer.attempts == 2)
        #expect(paths == ["/p/\(pen)", "/parts/7/of/\(pen)"])
    }

    @Test(arguments: [
        (#"{"id":8,"name":"Ink"}"#, "\"8\""), (#"{"id":"07"}"#, "\"07\""),
        (#"{"id":7.0}"#, "\"7.0\""), (#"{"name":"Pen"}"#, "nothing"), (#"{"id":null}"#, "nothing"),
        (#"{"id":[7]}"#, "nothing"), ("[]", "nothing"),
    ])
    func aSecondAnswerAboutSomethingElseIsNoProduct(second: String, found: String) async throws {
        let (answer, _) = try await lookup(second) { declaration in
            // An id from the first answer does not prove that the second answer is about the same part.
            declaration.product.id = [Shop.place("first#/part/pk")]
        }
        #expect(
            answer.failure
                == LookupFailure(
                    .otherProduct,
                    "The catalog shop answered the second request with \(found) at \"/id\"; "
                        + "expected the part \"7\"."))
        #expect(answer.attempts == 2)
    }

    @Test func theFirstPlaceThatIsThereCounts() async throws {
        let (answer, _) = try await lookup(#"{"id":7,"part":8}"#) { declaration in
            declaration.followUp?.captured[0].repeated = ["/a", "/part", "/id"].map(Shop.place)
        }
        #expect(
            answer.failure
                == LookupFailure(
                    .otherProduct,
                    "The catalog shop answered the second request with \"8\" at \"/a\" or "
                        + "\"/part\" or \"/id\"; expected the part \"7\"."))
    }

    @Test func ofAListThoseAreChosenThatRepeatWhatWasAsked() async throws {
        let list = #"{"list":[{"id":8,"name":"Ink"},{"id":7,"name":"Pen"},{"id":7,"name":"Pens"}]}"#
        let (answer, _) = try await lookup(list) { $0.product.items = Shop.pointer("/list") }
        #expect(answer.match?.candidates.map(\.name) == ["Pen", "Pens"])
        let (other, _) = try await lookup(#"{"list":[{"id":8},{"id":9}]}"#) {
            $0.product.items = Shop.pointer("/list")
        }
        #expect(other.failure?.code == .otherProduct)
    }

    @Test func theFirstAnswerIsHeldAgainstTheCodeAsWell() async throws {
        let first = Shop.json(#"{"part":{"pk":7},"price":"1.20","ean":"4006381333948"}"#)
        let (answer, _) = try await lookup(#"{"id":7,"name":"Pen"}"#, after: first)
        #expect(answer.failure?.code == .otherProduct)
    }

    // MARK: Choosing by the code, and links

    /// A list of all products; the second request follows the link of the one with the code.
    private static let list = Shop.json(
        #"{"all":[{"ean":"4006381333948","href":"/parts/8"},{"ean":["x","04006381333931"],"#
            + #""href":"/parts/7?v=2"},{"ean":"twice","href":"/a"},{"ean":"twice","href":"/b"},"#
            + #"{"ean":"away","href":"https://other.example/7"},{"ean":"bad","href":"http://["},"#
            + #"{"ean":"plain","href":"http://shop.example/7"},"#
            + #"{"ean":"port","href":"https://shop.example:8443/7"},"#
            + #"{"ean":"same","href":"/parts/7"},{"ean":"same","href":"/parts/7"}]}"#)

    private static func listing(_ declaration: inout HTTPCatalogDeclaration) throws {
        let element = Place.element(
            of: Shop.place("/all"), where: Shop.pointer("/ean"), is: nil,
            take: Shop.pointer("/href"))
        var second = RequestDeclaration(path: .root)
        second.link = "href"
        second.query = [.init("code", try Template("{code}"))]
        declaration.request.path = try PathTemplate("/sub/all")
        declaration.product.price = nil
        declaration.product.verify = nil
        declaration.followUp = FollowUp(captured: [.init("href", [element])], request: second)
    }

    private func asked(_ code: String) async throws -> (answer: LookupAnswer, urls: [String]) {
        let transport = StubTransport([Self.list, Shop.json(#"{"id":7,"name":"Pen"}"#)])
        let catalog = DeclaredCatalog(
            try Self.declaration { try Self.listing(&$0) }, transport: transport,
            clock: ManualClock())
        let answer = await catalog.lookup(code)
        return (answer, transport.requests.map(\.unredactedURL))
    }

    @Test(arguments: [
        ("4006381333931", "/parts/7?v=2&code=4006381333931"), ("same", "/parts/7?code=same"),
    ])
    func theElementWithTheCodeIsChosenAndItsLinkFollowed(code: String, target: String) async throws
    {
        let (answer, urls) = try await asked(code)
        #expect(answer.match?.product.name == "Pen")
        #expect(urls == ["https://shop.example/sub/all", "https://shop.example" + target])
    }

    @Test func aListWithoutTheCodeHasNoSuchProduct() async throws {
        let (answer, urls) = try await asked("NOPE")
        #expect(answer.outcome == .notFound)
        #expect(urls.count == 1)
    }

    @Test(arguments: [
        (
            "twice",
            "several elements that have the code, at \"/href of /all where /ean is {code}\"; "
                + "expected one"
        ),
        ("away", "a link to https://other.example; expected one to https://shop.example"),
        ("plain", "a link to http://shop.example; expected one to https://shop.example"),
        ("port", "a link to https://shop.example:8443; expected one to https://shop.example"),
        (
            "bad",
            "an invalid link (expected a host of ASCII letters, digits, '-', '_' and '.', or "
                + "an IP address, found \"[\")"
        ),
    ])
    func whatCannotBeFollowedIsNotAsked(code: String, words: String) async throws {
        let (answer, urls) = try await asked(code)
        #expect(
            answer.failure
                == LookupFailure(
                    .unusableProduct, "The catalog shop answered with \(words: words)."))
        #expect(urls.count == 1)
    }

    @Test func aLinkIsRelativeToWhereARedirectLed() async throws {
        let transport = StubTransport([
            Shop.status(302, headers: [.location: "/v2/list/"]),
            Shop.json(#"{"all":[{"ean":"A","href":"../items/7"}]}"#), Shop.json(#"{"id":7}"#),
        ])
        let catalog = DeclaredCatalog(
            try Self.declaration { try Self.listing(&$0) }, transport: transport,
            clock: ManualClock())
        _ = await catalog.lookup("A")
        #expect(transport.requests.last?.url.path == "/v2/items/7")
    }

    /// The service sends a surplus answer after it receives a request and before it answers that request, so that the
    /// connection alone does not show it.
    @Test(arguments: [true, false])
    func aShiftedSecondAnswerIsNoticedByVerifyAlone(isVerified: Bool) async throws {
        let (answered, continuation) = AsyncStream<String>.makeStream()
        let outcomes = try await StubServer.run { connection in
            while let request = await connection.readRequest() {
                if request.path == "/parts/B/of/B" {
                    try await connection.write(Self.answer(to: "/parts/A/of/A"))
                }
                try await connection.write(Self.answer(to: request.path))
                continuation.yield(request.path)
            }
        } _: { server in
            let catalog = try Self.catalog(
                at: server, repeated: isVerified ? [Shop.place("/id")] : [])
            var outcomes: [LookupAnswer] = []
            for code in ["A", "B", "C"] {
                let answer = await catalog.lookup(Barcode(text: code), within: Self.ages)
                outcomes.append(answer)
                // Wait until all answers to this code have been sent.
                for await path in answered where path == "/parts/\(code)/of/\(code)" { break }
            }
            return outcomes
        }
        #expect(
            outcomes.map(\.match?.product.name) == [
                "part A", isVerified ? nil : "part A", "part C",
            ])
        guard isVerified else { return }
        #expect(
            outcomes[1].outcome
                == .failed(
                    LookupFailure(
                        .otherProduct,
                        "The catalog shop answered the second request with \"A\" at \"/id\"; "
                            + "expected the part \"B\".")))
    }

    private static func catalog(
        at server: StubServer, repeated: [Place]
    ) throws -> DeclaredCatalog {
        let declaration = try declaration(url: server.url, repeated: repeated) {
            $0.resilience.attemptTimeout = ages
        }
        let limits = TransportLimits(connect: ages, connectionsPerServer: 1)
        return DeclaredCatalog(declaration, transport: try AsyncHTTPClientTransport(limits: limits))
    }

    /// Returns the answer to a path; a part has the same name as its code.
    private static func answer(to path: String) -> StubAnswer {
        let code = path.split(separator: "/").last ?? ""
        return path.hasPrefix("/parts/")
            ? .json(#"{"id":"\#(code)","name":"part \#(code)"}"#)
            : .json(#"{"part":{"pk":"\#(code)"},"price":"1.20","ean":"\#(code)"}"#)
    }
}
