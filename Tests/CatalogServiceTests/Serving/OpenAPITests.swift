import Barcodes
import Catalog
import HTTPTypes
import Hummingbird
import Logging
import TestFolders
import Testing
import WebAPI
import WireText

@testable import CatalogService

/// Tests that the OpenAPI description is complete and agrees with the service.
@Suite(.timeLimit(.minutes(10))) struct OpenAPITests {
    private let shop: Shop
    private let document: JSONValue

    init() throws {
        shop = try Shop("id,code\n1,x\n2,y\n")
        document = try JSONReader.read(String(decoding: CatalogRoutes.description, as: UTF8.self))
    }

    /// Returns the values of all members `$ref` in a part of the document.
    private static func references(_ json: JSONValue) -> [String] {
        switch json {
        case .object(let object):
            object.members.flatMap { member in
                member.key == "$ref" ? [member.value.string ?? ""] : references(member.value)
            }
        case .array(let elements): elements.flatMap(references)
        default: []
        }
    }

    @Test func everyRouteIsDescribedAndNothingElse() throws {
        let routes = try CatalogRoutes(
            catalog: shop.path, feed: FeedFolder(shop.scratch.path), decoder: BarcodeDecoder())
        let gate = RequestGate(token: nil, log: .silent)
        let served = routes.router(behind: gate).routes.map {
            "\($0.method) \($0.path)".replacing("**", with: "{file}")
        }
        let paths = try #require(document.at("/paths")?.object)
        let described = paths.members.map { "GET \($0.key)" }
        #expect(served.sorted() == described.sorted())
        for path in paths.members {
            #expect(path.value.object?.members.map(\.key) == ["get", "head"])
        }
    }

    @Test func everyReferenceLeadsSomewhereAndEveryComponentIsUsed() throws {
        let references = Set(Self.references(document))
        for reference in references {
            let pointer = try #require(JSONPointer(String(reference.dropFirst())))
            #expect(document[pointer] != nil, "\(reference)")
        }
        for kind in ["schemas", "headers", "responses"] {
            for member in try #require(document.at("/components/\(kind)")?.object).members {
                #expect(
                    references.contains("#/components/\(kind)/\(member.key)"), "\(member.key)")
            }
        }
    }

    @Test func theLimitsAreThoseOfTheService() {
        func schema(_ path: String, _ parameter: Int) -> JSONValue? {
            document[JSONPointer(["paths", path, "get", "parameters", "\(parameter)", "schema"])]
        }
        #expect(schema("/v1/lookup", 0)?.at("/maxLength") == 4096)
        #expect(schema("/v1/products", 0)?.at("/maxLength") == 200)
        #expect(schema("/v1/products", 2)?.at("/maximum") == 1000)
        #expect(schema("/v1/products", 2)?.at("/default") == 100)
        #expect(CatalogRoutes.codeLength == 4096)
        #expect(CatalogRoutes.searchLength == 200)
        #expect(CatalogRoutes.largestPage == 1000)
        #expect(CatalogRoutes.standardPage == 100)
    }

    @Test(arguments: [
        ("/v1/products", "/v1/products?limit=1"), ("/v1/products/{code}", "/v1/products/x"),
        ("/v1/products/{code}", "/v1/products/none"), ("/v1/lookup", "/v1/lookup?code=x"),
        ("/v1/lookup", "/v1/lookup"), ("/v1/health", "/v1/health"),
        ("/openapi.json", "/openapi.json"), ("/v1/products", "/v1/products?limit=0"),
        ("/feed/{file}", "/feed/none"), ("/feed/{file}", "/feed/feed.json"),
    ])
    func whatIsAnsweredIsDescribed(path: String, target: String) async throws {
        try shop.scratch.write("{}", to: "feed.json")
        try await Service.run(shop.path, feed: shop.scratch.path) { service in
            let answer = try await service.get(target)
            let place = JSONPointer(["paths", path, "get", "responses", "\(answer.status.code)"])
            var described = try #require(document[place], "\(answer.status.code)")
            if let reference = described.text("/$ref") {
                described = try #require(document.at(String(reference.dropFirst())))
            }
            let types = try #require(described.at("/content")?.object).members.map(\.key)
            #expect(types.contains(try #require(answer.headers[.contentType])))
        }
    }
}
