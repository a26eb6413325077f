import Barcodes
import Catalog
import Foundation
import HTTPService
import HTTPTypes
import Testing
import WireText

@testable import CatalogService
@testable import WebAPI

/// Tests the service's answers over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct ServingTests {
    private let shop: Shop

    init() throws {
        shop = try Shop(
            """
            id,ean,name,price,currency,unit,colour
            A1,4006381333931,Stift 88 Größe L,1.99,EUR,pcs,blau
            A2,5000112637922|PLU 7,"Cola ""light"" 1 l",,,,
            A3,5000112637922,,,,,
            """)
    }

    private static let pen = """
        {"id":"A1","codes":["4006381333931"],"name":"Stift 88 Größe L","unit":"pcs",\
        "price":"1.99","currency":"EUR","attributes":{"colour":"blau"}}
        """

    @Test(arguments: [
        "4006381333931", "04006381333931", "(01)04006381333931(10)LOT", "%5DE04006381333931",
        "https%3A%2F%2Fid.gs1.org%2F01%2F04006381333931%2F10%2FL",
        "%5Dd20104006381333931%1D10LOT", "%34006381333931",
    ])
    func aProductIsFoundUnderEveryFormOfItsCode(code: String) async throws {
        try await Service.run(shop.path) { service in
            let response = try await service.get("/v1/products/" + code)
            #expect(response.status == .ok)
            #expect(response.text == Self.pen)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.headers[.cacheControl] == "private, max-age=10")
            #expect(response.headers[.contentLength] == "\(Self.pen.utf8.count)")
        }
    }

    @Test func ofSeveralProductsWithACodeTheFirstIsFoundAndTheLookupHasAll() async throws {
        try await Service.run(shop.path) { service in
            let product = try await service.get("/v1/products/5000112637922").json()
            #expect(product.text("/id") == "A2")
            #expect(product.at("/codes") == ["5000112637922", "PLU 7"])
            let all = try await service.get("/v1/lookup?code=5000112637922").json()
            #expect(all.texts("/products", "id") == ["A2", "A3"])
            let none = try await service.get("/v1/lookup?code=nothing")
            #expect(none.status == .ok)
            #expect(none.text == "{\"products\":[]}")
        }
    }

    @Test func aPlusSignIsASpaceInAQueryAndItselfInAPath() async throws {
        try shop.take("id,code\nplus,1+1\nspace,1 1\n")
        try await Service.run(shop.path) { service in
            #expect(try await service.get("/v1/products/1+1").json().text("/id") == "plus")
            #expect(try await service.get("/v1/products/1%201").json().text("/id") == "space")
            let query = try await service.get("/v1/lookup?code=1+1").json()
            #expect(query.text("/products/0/id") == "space")
            #expect(try await service.id("1+1") == "plus")
        }
    }

    @Test(arguments: [
        ("/v1/products/unknown", 404, "no-such-product"), ("/feed/feed.json", 404, "no-such-path"),
        ("/v1/products/a/b", 404, "no-such-path"), ("/", 404, "no-such-path"),
        ("/v1", 404, "no-such-path"), ("/v1/Products", 404, "no-such-path"),
        ("/v1/changes", 404, "no-such-path"), ("/openapi", 404, "no-such-path"),
        ("/v1/products?search=%ED%A0%80", 400, "undecodable"),
        ("/v1/products/x?y=1", 400, "unknown-parameter"),
        ("/v1/products?serach=x", 400, "unknown-parameter"),
        ("/v1/products?Search=x", 400, "unknown-parameter"),
        ("/v1/health?verbose", 400, "unknown-parameter"),
        ("/openapi.json?x", 400, "unknown-parameter"),
        ("/v1/products?search=", 400, "invalid-parameter"),
        ("/v1/products?search", 400, "invalid-parameter"),
        ("/v1/products?limit=0", 400, "invalid-parameter"),
        ("/v1/products?limit=1001", 400, "invalid-parameter"),
        ("/v1/products?limit=-1", 400, "invalid-parameter"),
        ("/v1/products?limit=1.0", 400, "invalid-parameter"),
        ("/v1/products?limit=%D9%A1", 400, "invalid-parameter"),
        ("/v1/products?limit=", 400, "invalid-parameter"),
        ("/v1/products?limit=99999999999999999999", 400, "invalid-parameter"),
        ("/v1/products?limit=1&limit=1", 400, "invalid-parameter"),
        ("/v1/products?after=x", 400, "invalid-parameter"),
        ("/v1/lookup", 400, "missing-parameter"), ("/v1/lookup?code=", 400, "invalid-parameter"),
        ("/v1/lookup?code=x&scope=airport", 400, "unknown-parameter"),
    ])
    func whatCannotBeAnsweredIsAProblem(target: String, status: Int, code: String) async throws {
        try await Service.run(shop.path) { service in
            let response = try await service.get(target)
            #expect(response.status.code == status)
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(response.headers[.cacheControl] == "no-store")
            let json = try response.json()
            #expect(json.text("/code") == code)
            #expect(json.at("/status") == .integer(Int64(status)))
            #expect(json.text("/title") == response.status.reasonPhrase)
        }
    }

    @Test func aProblemQuotesWhatWasWrong() async throws {
        try await Service.run(shop.path) { service in
            let limit = try await service.get("/v1/products?limit=%1B%5B2J%22").json()
            for fact in ["parameter limit", "1 to 1000", "got \"\\x1b[2J\\\"\""] {
                #expect(limit.text("/detail")?.contains(fact) == true)
            }
            let long = String(repeating: "x", count: 201)
            let search = try await service.get("/v1/products?search=" + long).json()
            for fact in ["parameter search", "1 to 200", "got 201"] {
                #expect(search.text("/detail")?.contains(fact) == true)
            }
            let name = try await service.get("/v1/products?" + long).json()
            for fact in ["\"\(long.prefix(60))…\"", "search, after, limit"] {
                #expect(name.text("/detail")?.contains(fact) == true)
            }
        }
    }

    @Test(arguments: [
        "/v1/products/4006381333931", "/v1/lookup?code=4006381333931", "/v1/products?limit=2",
        "/v1/products?search=stift", "/openapi.json",
    ])
    func whatIsStillTheSameIsNotSentAgain(target: String) async throws {
        let catalog = try CatalogFile(path: shop.path, access: .writing)
        try await Service.run(shop.path) { service in
            let first = try await service.get(target)
            let tag = try unwrapped(first.headers[.eTag])
            for list in [tag, "W/\(tag)", "\"other\", \(tag)", "*", " * "] {
                let again = try await service.get(target, [.ifNoneMatch: list])
                #expect(again.status == .notModified, "\(list)")
                #expect(again.payload == [])
                #expect(again.headers[.eTag] == tag)
                #expect(again.headers[.cacheControl] == first.headers[.cacheControl])
                #expect(again.headers[.contentType] == nil)
            }
            for list in ["\"other\"", tag.replacing("\"", with: ""), "\"", ""] {
                let again = try await service.get(target, [.ifNoneMatch: list])
                #expect(again.status == .ok, "\(list)")
                #expect(again.payload == first.payload)
            }
            try catalog.take("id,name\nA1,Stift 99\n")
            let changed = try await service.get(target, [.ifNoneMatch: tag])
            #expect((changed.status == .notModified) == (target == "/openapi.json"))
        }
    }

    @Test(arguments: [
        "/v1/products/4006381333931", "/v1/products", "/v1/health",
        "/openapi.json", "/v1/products/unknown", "/nothing", "/v1/products?limit=0",
    ])
    func aHeadIsThatOfTheGet(target: String) async throws {
        try await Service.run(shop.path) { service in
            let get = try await service.get(target)
            let head = try await service.get(target, [:], .head)
            #expect(head.status == get.status)
            #expect(head.payload == [])
            #expect(head.headers[.contentLength] == "\(get.payload.count)")
            for name: HTTPField.Name in [.contentType, .eTag, .cacheControl] {
                #expect(head.headers[name] == get.headers[name])
            }
        }
    }

    @Test(arguments: [
        MethodAndPayload.post(.text("x")), .put(.empty), .patch(.text("{}")), .delete,
    ])
    func nothingCanBeDoneButReading(method: MethodAndPayload) async throws {
        try await Service.run(shop.path) { service in
            for target in ["/v1/products", "/v1/products/x", "/v1/health", "/openapi.json"] {
                let response = try await service.get(target, [:], method)
                #expect(response.status == .methodNotAllowed)
                #expect(response.headers[.allow] == "GET, HEAD")
                #expect(try response.json().text("/code") == "method-not-allowed")
            }
        }
    }

    @Test func pagesLeadToOneAnother() async throws {
        try shop.take(
            "id,name\n" + (10..<60).map { "\($0),number \($0)\n" }.joined())
        try await Service.run(shop.path) { service in
            var target = "/v1/products?limit=7&search=nUMBER"
            var ids: [String] = []
            while true {
                let page = try await service.get(target)
                let json = try page.json()
                #expect(page.headers[try unwrapped(HTTPField.Name("X-Total-Count"))] == "50")
                #expect(json.at("/total") == 50)
                ids += json.texts("/products", "id")
                guard let next = page.nextPage else {
                    #expect(json.at("/next") == nil)
                    break
                }
                #expect(next.hasPrefix("?after=\(try unwrapped(json.text("/next")))&limit=7"))
                target = "/v1/products" + next
            }
            #expect(ids == (10..<60).map { "\($0)" })
        }
    }

    @Test(arguments: [(4_000_000, 4), (15_000_000, 10), (999_999, 0)])
    func aPriceIsKeptNoLongerThanItHolds(microseconds: Int64, seconds: Int) throws {
        let now: Int64 = 1_800_000_000_000_000
        try shop.take(
            "id,code,price,currency,valid_until\nB,B1,1.00,EUR,\nB,,0.50,EUR,"
                + RFC3339.text(now + microseconds) + "\n")
        let routes = try CatalogRoutes(
            catalog: shop.path, feed: nil, decoder: BarcodeDecoder(), now: { now })
        let (match, caching) = try routes.match("B1")
        #expect(match?.product.price?.amount == "0.50")
        #expect(caching == .seconds(Int64(seconds)))
    }

    @Test func aPriceThatBeginsNowIsKeptAsLongAsAnyOther() throws {
        let now: Int64 = 1_800_000_000_000_000
        try shop.take(
            "id,code,price,currency,valid_from\nB,B1,1.00,EUR,\nB,,0.50,EUR,"
                + RFC3339.text(now) + "\n")
        let routes = try CatalogRoutes(
            catalog: shop.path, feed: nil, decoder: BarcodeDecoder(), now: { now })
        let (match, caching) = try routes.match("B1")
        #expect(match?.product.price?.amount == "0.50")
        #expect(caching == .seconds(10))
    }

    @Test func healthIsToldAsLongAsTheCatalogCanBeRead() async throws {
        try await Service.run(shop.path) { service in
            #expect(try await service.get("/v1/health").text == "{\"status\":\"ok\"}")
            // A file that is not a catalog replaces the catalog.
            let other = shop.path + ".new"
            try "nothing".write(toFile: other, atomically: false, encoding: .utf8)
            #expect(rename(other, shop.path) == 0)
            for target in ["/v1/health", "/v1/products", "/v1/products/x"] {
                let response = try await service.get(target)
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "1")
                #expect(try response.json().text("/code") == "catalog-unavailable")
                #expect(!response.text.contains(shop.path))
            }
        }
    }
}

extension Response {
    /// The target of the header `Link` with `rel="next"`.
    var nextPage: String? {
        HTTPField.Name("Link").flatMap { headers[$0] }?.firstMatch(of: /<([^>]*)>; *rel="?next"?/)
            .map { String($0.1) }
    }
}
