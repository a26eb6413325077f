import Catalog
import Testing

/// Tests imports into a catalog that already has products.
@Suite struct ImportUpdateTests {
    private let euro = ImportOptions(currency: Currency("EUR"))

    private func reimport(
        _ csv: String, into catalog: CatalogFile, skipping: Bool = false
    ) throws -> [Int] {
        let summary = try catalog.take(csv) { $0.skipsInvalidRows = skipping }
        return [summary.added, summary.updated, summary.unchanged, summary.skipped]
    }

    @Test func theSameFileAgainChangesNothing() throws {
        let csv =
            "ean,name,price,colour\n4006381333931,Pen,1.99,red\n01234565,Bag,,\n,Ruler,1.00,\n"
        let catalog = try CatalogFile.inMemory()
        #expect(try reimport(csv, into: catalog, skipping: true) == [2, 0, 0, 1])
        let before = try catalog.exported()
        #expect(try reimport(csv, into: catalog, skipping: true) == [0, 0, 2, 1])
        #expect(try catalog.exported() == before)
    }

    @Test func aColumnTheFileLacksStaysAndAnEmptyCellClears() throws {
        let catalog = try catalog(
            "id,ean,name,price,unit,a,b\n1,4006381333931,Pen,1.99,pcs,x,y\n2,,Bag,5,,,\n", euro)
        #expect(try reimport("id,price,a,c\n1,2.49,,z\n3,1,,\n", into: catalog) == [1, 1, 0, 0])
        let pen = Product(
            id: "1", codes: ["4006381333931"], name: "Pen",
            price: try Price(amount: "2.49", currency: #require(euro.currency)), unit: "pcs",
            attributes: ["b": "y", "c": "z"])
        #expect(try catalog.product(id: "1") == pen)
        #expect(try catalog.product(id: "2")?.name == "Bag")
        #expect(try catalog.count() == 3)
        #expect(try reimport("id,price,name\n1,,\n", into: catalog) == [0, 1, 0, 0])
        #expect(try catalog.product(id: "1")?.price == nil)
    }

    @Test func codesThatAreGoneAreNoLongerFound() throws {
        let catalog = try catalog("id,code\n1,a|01234565\n")
        #expect(try reimport("id,code\n1,b|a\n", into: catalog) == [0, 1, 0, 0])
        #expect(try catalog.match(forText: "01234565") == nil)
        #expect(try catalog.match(forText: "a")?.product.codes == ["b", "a"])
    }

    @Test func withoutAnIDTheFirstCodeInAnySpellingTellsTheProduct() throws {
        let catalog = try catalog("id,code\n17,SKU-1|036000291452\n")
        let csv = "ean,name\n0036000291452,Tissues\n4006381333931,Pen\n"
        #expect(try reimport(csv, into: catalog) == [1, 1, 0, 0])
        #expect(try catalog.product(id: "17")?.name == "Tissues")
        #expect(try catalog.product(id: "4006381333931")?.name == "Pen")
    }

    @Test func aRowThatGoesByItsCodeTakesNoCodeAway() throws {
        let catalog = try catalog("id,code\n17,SKU-1|036000291452|b\n")
        #expect(try reimport("code,price\n0036000291452|new,1\n", into: catalog) == [0, 1, 0, 0])
        #expect(
            try catalog.product(id: "17")?.codes == ["SKU-1", "036000291452", "b", "new"])
        #expect(try catalog.match(forText: "new")?.product.id == "17")
    }

    @Test func aRowWithoutIDInAFileWithIDsGoesByItsCode() throws {
        let catalog = try catalog("id,code\n17,a\n")
        #expect(try reimport("id,code,name\n,a,x\n18,b,y\n", into: catalog) == [1, 1, 0, 0])
        #expect(try catalog.product(id: "17")?.name == "x")
    }

    @Test func twoProductsOfOneCodeAreKeptWhereIDsTellThemApart() throws {
        let catalog = try CatalogFile.inMemory()
        let csv = "id,ean\n2,4006381333931\n1,4006381333931\n"
        #expect(try reimport(csv, into: catalog) == [2, 0, 0, 0])
        #expect(try catalog.id(scanning: "4006381333931") == "1")
        #expect(try reimport(csv, into: catalog) == [0, 0, 2, 0])
        // A row without an id means the product that a scan finds.
        #expect(try reimport("ean,name\n4006381333931,x\n", into: catalog) == [0, 1, 0, 0])
        #expect(try catalog.product(id: "1")?.name == "x")
    }

    @Test(arguments: [
        (
            "ean,name\n036000291452,a\n0036000291452,b\n",
            "Line 3: The code \"0036000291452\" belongs to the product of an earlier row; "
                + "expected each first code once, or a column of ids."
        ),
        (
            "id,name\n1,a\n2,b\n1,c\n",
            "Line 4: An earlier row has the id \"1\", too; expected each id once."
        ),
        (
            "id,code\na,b\n,a\n",
            "Line 3: The code \"a\" is the id of a product that does not have this code; "
                + "expected a column of ids."
        ),
    ])
    func twoRowsCannotBeTheSameProduct(csv: String, sentence: String) throws {
        #expect(try invalidRows(csv) == [sentence])
    }

    @Test func rowsThatMeetAnOlderProductTwiceAreFoundOutAsWell() throws {
        let catalog = try catalog("id,code\n1,a|b\n2,c\n")
        #expect(
            try reimport("code,name\na,x\nb,y\nc,z\n", into: catalog, skipping: true) == [
                0, 2, 0, 1,
            ])
        #expect(try catalog.product(id: "1")?.name == "x")
        #expect(try reimport("id,name\n1,x\n1,y\n", into: catalog, skipping: true) == [0, 0, 1, 1])
    }

    @Test func aProductMayHaveNoCode() throws {
        let catalog = try catalog("id,ean,name\n1,,Apples\n")
        #expect(try catalog.product(id: "1") == Product(id: "1", name: "Apples"))
        #expect(try catalog.match(forText: "1") == nil)
    }
}
