import Catalog
import Foundation
import HTTPService
import HTTPTypes
import Logging
import TestFolders
import TestTexts
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import CatalogService

/// A shop sees its own assortment and prices over HTTP, and nothing else.
@Suite(.timeLimit(.minutes(10))) struct ScopeServingTests {
    private let chain: Chainstore

    init() throws {
        chain = try Chainstore()
    }

    private func products(_ service: Service, _ shop: String?, _ query: String = "") async throws
        -> [String]
    {
        let page = try await service.get("/v1/products" + query, Chainstore.fields(of: shop)).json()
        return (page.at("/products")?.array ?? []).map {
            "\($0.text("/id") ?? "") \($0.text("/price") ?? "-")"
        }
    }

    @Test func aTokenShowsWhatItsShopHas() async throws {
        let expected: [(shop: String?, query: String, products: [String])] = [
            ("airport", "", ["1 0.99", "2 1.29"]),
            ("alps", "", ["1 0.89", "3 39.00"]),
            ("harbour", "", ["1 0.89", "2 1.29", "9 0.50"]),
            (nil, "?scope=alps", ["1 0.89", "3 39.00"]),
            (nil, "", ["1 0.89", "2 1.29", "3 39.00", "9 -"]),
            ("alps", "?scope=alps", ["1 0.89", "3 39.00"]),
            ("alps", "?search=milk", []),
        ]
        try await chain.run { service in
            for (shop, query, products) in expected {
                let found = try await self.products(service, shop, query)
                #expect(found == products, "\(shop ?? "head office")\(query)")
            }
        }
    }

    @Test func aShopWithATokenThatTheCatalogDoesNotKnowIsNamedAtTheStart() throws {
        let log = KeptLog()
        _ = try CatalogServer(
            catalog: chain.whole.path, at: unwrapped(ListenAddress("127.0.0.1:0")),
            token: nil, scopes: chain.scopes, version: "1",
            log: Logger(label: "test") { _ in log }
        ) { _ in }
        #expect(
            log.sentences.lines == [
                "The shop \"moon\" has a token, and the catalog does not know it; its registers are "
                    + "answered with 503 until an import names it."
            ])
    }

    @Test func lookupsAreThoseOfTheShop() async throws {
        try await chain.run { service in
            for (code, shop, price) in [
                ("C1", "airport", "0.99"), ("C1", "alps", "0.89"), ("C3", "alps", "39.00"),
            ] {
                let found = try await service.get(
                    "/v1/products/\(code)", Chainstore.fields(of: shop))
                #expect(try found.json().text("/price") == price)
            }
            for (code, shop) in [("C3", "airport"), ("C2", "alps"), ("C9", "alps")] {
                let fields = try Chainstore.fields(of: shop)
                let one = try await service.get("/v1/products/\(code)", fields)
                #expect(one.status == .notFound)
                let all = try await service.get("/v1/lookup?code=\(code)", fields)
                #expect(try all.json().texts("/products", "id") == [])
            }
        }
    }

    @Test(arguments: [
        "/v1/products?", "/v1/products/C1?", "/v1/lookup?code=C1&", "/v1/changes?", "/v1/digests?",
        "/v1/snapshot?",
    ])
    func anotherShopIsRefused(target: String) async throws {
        try await chain.run { service in
            let other = try await service.get(
                target + "scope=airport", Chainstore.fields(of: "alps"))
            #expect(other.status == .forbidden)
            #expect(try other.json().text("/code") == "other-scope")
            let unknown = try await service.get(
                target + "scope=nowhere", Chainstore.fields(of: nil))
            #expect(unknown.status == (target == "/v1/snapshot?" ? .notFound : .badRequest))
            for name in ["", "a%20b", "%00", "a&scope=b", String(repeating: "x", count: 65)] {
                let wrong = try await service.get(
                    target + "scope=" + name, Chainstore.fields(of: nil))
                #expect(wrong.status == .badRequest, "\(name)")
            }
            // No register shall take it for an article that is not there.
            let early = try await service.get(target, Chainstore.fields(of: "moon"))
            #expect(early.status == (target == "/v1/snapshot?" ? .notFound : .serviceUnavailable))
        }
    }

    @Test func cachesTellShopsApart() async throws {
        try await chain.run { service in
            for target in ["/v1/products", "/v1/changes", "/v1/digests"] {
                let one = try await service.get(target, Chainstore.fields(of: "alps"))
                #expect(one.headers[.vary] == "Authorization")
                var fields = try Chainstore.fields(of: "alps")
                fields[.ifNoneMatch] = one.headers[.eTag]
                let same = try await service.get(target, fields)
                #expect(same.status == .notModified)
                #expect(same.headers[.vary] == "Authorization")
                fields[.authorization] = try Chainstore.token(of: "airport").headerValue
                let other = try await service.get(target, fields)
                #expect(other.status == .ok, "\(target)")
            }
            #expect(try await service.get("/v1/health").headers[.vary] == nil)
        }
    }

    @Test func onlyTheWholeCatalogIsThereAsAFile() async throws {
        try await chain.run { service in
            let all = try await service.get("/v1/snapshot", Chainstore.fields(of: nil))
            #expect(all.status == .ok)
            let own = try await service.get("/v1/snapshot", Chainstore.fields(of: "alps"))
            #expect(own.status == .notFound)
            #expect(try own.json().text("/code") == "no-scoped-snapshot")
        }
    }

    @Test func whoWaitsIsNotToldOfOtherShops() async throws {
        try await chain.run { service in
            var fields = try Chainstore.fields(of: "alps")
            fields[try unwrapped(HTTPField.Name("Prefer"))] = "wait=60"
            let page = try await service.get("/v1/changes", fields).json()
            let target = "/v1/changes?since=\(try unwrapped(page.text("/revision")))"
            let waiting = Task { [fields] in try await service.get(target, fields) }
            try await waitUntil("the waiter") { service.waiters.count == 1 }
            try chain.take("id,price,currency\n2,9.99,EUR\n", for: "airport")
            // Whoever asks now is told of the new revision, and that the shop has no changes by it.
            let now = try await service.get(target, fields).json()
            #expect(now.text("/revision") != page.text("/revision"))
            #expect(now.at("/changed")?.array?.isEmpty == true)
            #expect(service.waiters.count == 1)
            try chain.take("id,price,currency\n1,0.79,EUR\n", for: "alps")
            let changes = try await waiting.value.json()
            #expect(changes.texts("/changed", "id") == ["1"])
            #expect(changes.texts("/changed", "price") == ["0.79"])
        }
    }

    @Test func aLinkLeadsToTheSameShop() async throws {
        try await chain.run { service in
            let page = try await service.get(
                "/v1/products?limit=1&scope=alps", Chainstore.fields(of: nil))
            #expect(page.header("Link")?.contains("&scope=alps>") == true)
        }
    }

    @Test(arguments: [
        ("", "no token"), ("# nothing\n\n", "no token"), ("alps", "Line 1"),
        ("alps short", "Line 1"), ("# x\nalps token-of-alps-0123456789 more", "Line 2"),
        ("al/ps token-of-alps-0123456789", "Line 1"),
        ("alps token-of-both-0123456789\n airport\ttoken-of-both-0123456789\r\n", "shop alps"),
    ])
    func aFileOfTokensIsReadStrictly(text: String, part: String) throws {
        let scratch = try TemporaryFolder()
        let file = scratch.path("tokens")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: ScopeTokensError.self) { try ScopeTokens(file: file) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("token-of") == false)
    }

    @Test func theTokenForEverythingIsNoShops() throws {
        #expect(throws: CatalogServerError.self) {
            try CatalogServer(
                catalog: chain.whole.path, at: unwrapped(ListenAddress("127.0.0.1:0")),
                token: Chainstore.token(of: "alps"), scopes: chain.scopes, version: "1",
                log: .silent
            ) { _ in }
        }
    }
}

/// A log that a test reads.
private struct KeptLog: LogHandler {
    let sentences = Sentences()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { sentences.add(event.message.description) }
}
