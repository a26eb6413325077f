import Catalog
import HTTPTypes
import TestFolders
import Testing
import WebAPI
import WireText

@testable import CatalogService

/// The description is whole, and says of every answer what it is.
@Suite(.timeLimit(.minutes(10))) struct OpenAPITests {
    private static let documents = [true, false].map {
        OpenAPIDocument(version: "1.2.3", wantsToken: $0).json
    }

    /// Every reference in a part of the document.
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

    @Test(arguments: documents)
    func everyReferenceLeadsSomewhere(document: JSONValue) throws {
        let references = Set(Self.references(document))
        #expect(references.count > 15)
        for reference in references {
            let pointer = try #require(JSONPointer(String(reference.dropFirst())))
            #expect(document[pointer] != nil, "\(reference)")
        }
    }

    @Test(arguments: documents)
    func everyComponentIsUsed(document: JSONValue) throws {
        let references = Set(Self.references(document))
        for kind in ["schemas", "headers", "responses"] {
            for member in try #require(document.at("/components/\(kind)")?.object).members {
                #expect(
                    references.contains("#/components/\(kind)/\(member.key)"), "\(member.key)")
            }
        }
    }

    @Test(arguments: documents)
    func everyOperationHasANameOfItsOwn(document: JSONValue) throws {
        let paths = try #require(document.at("/paths")?.object)
        let names = paths.members.flatMap { path in
            (path.value.object?.members ?? []).compactMap { $0.value.text("/operationId") }
        }
        #expect(names.count == 10)
        #expect(Set(names).count == 10)
    }

    @Test(arguments: [
        ("/v1/products", "/v1/products?limit=1"), ("/v1/products/{code}", "/v1/products/x"),
        ("/v1/products/{code}", "/v1/products/none"), ("/v1/lookup", "/v1/lookup?code=x"),
        ("/v1/lookup", "/v1/lookup"), ("/v1/health", "/v1/health"),
        ("/openapi.json", "/openapi.json"), ("/v1/products", "/v1/products?limit=0"),
    ])
    func whatIsAnsweredIsDescribed(path: String, target: String) async throws {
        let scratch = try TemporaryFolder()
        let file = scratch.path("catalog.sqlite")
        try EmbeddedCatalog(path: file, access: .writing).take("id,code\n1,x\n2,y\n")
        try await Service.run(file) { service in
            let document = try await service.get("/openapi.json").json()
            #expect(document.text("/info/version") == "1.2.3")
            let answer = try await service.get(target)
            let place = JSONPointer(["paths", path, "get", "responses", "\(answer.status.code)"])
            var described = try #require(document[place], "\(answer.status.code)")
            if let reference = described.text("/$ref") {
                described = try #require(document.at(String(reference.dropFirst())))
            }
            let types = try #require(described.at("/content")?.object).members.map(\.key)
            #expect(types == [answer.headers[.contentType]])
        }
    }
}
