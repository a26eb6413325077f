import Barcodes
import TestFolders
import Testing

@testable import Catalog

@Suite struct RemovalTests {
    private static let csv = "id,code,name\na,A|X,one\nb,B|X,two\nc,4006381333931,\n"

    private func code(_ text: String) -> ProductReference {
        .barcode(BarcodeDecoder().decode(text, aim: nil))
    }

    @Test func whatBecameOfEachIsTold() throws {
        let catalog = try catalog(Self.csv)
        let products = try catalog.remove([
            code("04006381333931"), .id("A"), .id("b"), code("B"), .id("nul\0"), code("none"),
        ])
        #expect(products.map { $0?.id } == ["c", nil, "b", "b", nil, nil])
        #expect(products.map { $0?.name } == [nil, nil, "two", "two", nil, nil])
        #expect(try catalog.exported() == "id,code,name,price,currency,unit\na,A|X,one,,,\n")
        #expect(try catalog.remove([]) == [])
    }

    @Test func aSharedCodeTakesNothingOutAlsoBehindOneOfItsProducts() throws {
        let catalog = try catalog(Self.csv)
        let before = try catalog.exported()
        let error = #expect(throws: SharedCodeError.self) {
            try catalog.remove([.id("c"), .id("a"), code("X")])
        }
        #expect(error == SharedCodeError(code: "X", ids: ["a", "b"]))
        #expect(
            error?.description
                == #""X" is a code of several products; expected one of the ids "a", "b"."#)
        #expect(try catalog.exported() == before)
    }

    @Test func aCatalogThatIsNotThereIsNotMade() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("catalog.sqlite")
        #expect(throws: CatalogError.missing(path: path)) {
            try CatalogFile(path: path, access: .changing)
        }
        try folder.write("", to: "catalog.sqlite")
        #expect(throws: CatalogError.notACatalog(path: path)) {
            try CatalogFile(path: path, access: .changing)
        }
        try CatalogFile(path: path, access: .writing).take(Self.csv)
        let catalog = try CatalogFile(path: path, access: .changing)
        try catalog.remove([.id("a")])
        #expect(try CatalogFile(path: path).count() == 2)
    }
}
