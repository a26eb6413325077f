import Barcodes
import Catalog
import KeywedgeTestKit
import Testing
import WebAPI

@testable import HTTPCatalog

/// Tests that a catalog is asked for the item of a scale label, and for every reading of a code.
@Suite struct ScaleLabelTests {
    private static func shop() throws -> BarcodeDecoder {
        BarcodeDecoder(settings: .init(inStorePatterns: [try InStorePattern("21IIIIIPPPPPK")]))
    }

    private func catalog(
        _ transport: StubTransport, _ forms: [CodeForm] = [.asTyped], clock: ManualClock = .init(),
        change: (inout HTTPCatalogDeclaration) throws -> Void = { _ in }
    ) throws -> DeclaredCatalog {
        try Shop.catalog(transport, codes: CodeRules(forms: forms), clock: clock, change: change)
    }

    private func look(
        _ code: String, aim: String? = nil, in catalog: DeclaredCatalog
    ) async throws -> LookupAnswer {
        let barcode = try Self.shop().decode(code, aim: aim)
        return await catalog.lookup(barcode, within: CatalogSources.standardDeadline)
    }

    @Test func theItemIsAskedOnceForAllItsLabels() async throws {
        let transport = StubTransport { request, _ in
            request.code == "12345" ? Shop.product("12345") : Shop.status(404)
        }
        let catalog = try catalog(transport)
        let first = try await look("2112345001999", in: catalog)
        #expect(first.origin == .network)
        #expect(first.attempts == 7)
        #expect(
            transport.requests.map(\.code) == [
                "2112345001999", "2112345000008", "2112345000000", "211234500000", "21123450",
                "2112345", "12345",
            ])
        let second = try await look("2112345002491", in: catalog)
        #expect(second.outcome == first.outcome)
        #expect(second.origin == .cache(age: .zero))
        #expect(transport.requests.count == 8)
    }

    @Test func duringAnOutageTheItemThatWasKeptStandsIn() async throws {
        let counter = Counter()
        let transport = StubTransport { request, _ in
            guard counter.next() <= 7 else { return Shop.refused }
            return request.code == "12345" ? Shop.product("12345") : Shop.status(404)
        }
        let clock = ManualClock(jumps: true)
        let catalog = try catalog(transport, clock: clock)
        _ = try await look("2112345001999", in: catalog)
        clock.advance(by: .seconds(400))
        let answer = try await look("2112345002491", in: catalog)
        #expect(answer.origin?.name == "stale")
        #expect(answer.originalFailure?.code == .unreachable)
        #expect(answer.match?.product.id == "P12345")
    }

    /// If a code can be read in two ways, the cached product of one reading may be the wrong one.
    @Test func duringAnOutageAnotherReadingDoesNotStandIn() async throws {
        let counter = Counter()
        let transport = StubTransport { request, _ in
            counter.next() == 1 ? Shop.product(request.code) : Shop.refused
        }
        let catalog = try catalog(transport, clock: ManualClock(jumps: true))
        let book = try await look("071486028765", aim: "]E0", in: catalog)
        #expect(book.match?.product.id == "P071486028765")
        let case14 = try await look("07148602876517", in: catalog)
        #expect(case14.failure?.code == .unreachable)
        let again = try await look("071486028765", aim: "]E0", in: catalog)
        #expect(again.outcome == book.outcome)
    }

    @Test(arguments: [(["123"], true), (["123", "123"], false)])
    func aShorterItemNumberCountsOnlyIfOneProductHasIt(
        listed: [String], isFound: Bool
    ) async throws {
        let items = listed.map { "{\"id\":\"P\($0)\",\"ean\":\"\($0)\"}" }.joined(separator: ",")
        let transport = StubTransport { request, _ in
            Shop.json("{\"items\":[\(request.code == "123" ? items : "")]}")
        }
        let catalog = try catalog(transport) { declaration in
            declaration.product.items = Shop.pointer("/items")
            declaration.product.verify?.otherwise = .notFound
        }
        let answer = try await look("2100123001996", in: catalog)
        #expect((answer.match != nil) == isFound)
        #expect((answer.outcome == .notFound) != isFound)
        #expect(transport.requests.map(\.code).suffix(2) == ["00123", "123"])
    }

    @Test(
        arguments: [
            // Forms, code, AIM identifier, texts to ask for.
            (["as-typed"], "1000471209", nil, ["1000471209", "9781000471205"]),
            (["gtin-13", "as-typed"], "1000471209", nil, ["1000471209", "9781000471205"]),
            (["gtin-13"], "1000471209", nil, ["9781000471205"]),
            (["as-typed"], "07148602876517", "]E3", ["071486028765"]),
            (
                ["gtin-14", "as-typed"], "0109506000134352", "]d2",
                ["09506000134352", "0109506000134352"]
            ),
            (["as-typed"], "0109506000134352", "]d2", ["9506000134352", "0109506000134352"]),
            (["as-typed"], "4006381333931", "]E0", ["4006381333931"]),
            (["gtin-12", "as-typed"], "04252614", "]E0", ["042100005264", "04252614"]),
        ] as [([String], String, String?, [String])])
    func everyCatalogIsAskedForTheSameCodes(
        forms: [String], code: String, aim: String?, asked: [String]
    ) throws {
        let rules = CodeRules(forms: forms.compactMap(CodeForm.init(rawValue:)))
        #expect(rules.texts(of: try Self.shop().decode(code, aim: aim)) == asked)
    }

    @Test func bothReadingsOfAnAmbiguousCodeAreAsked() throws {
        let texts = CodeRules().texts(of: try Self.shop().decode("07148602876517", aim: nil))
        #expect(texts.first == "07148602876517")
        #expect(texts.contains("071486028765"))
    }
}
