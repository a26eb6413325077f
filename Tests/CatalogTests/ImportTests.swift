import Catalog
import Testing

@Suite struct ImportTests {
    @Test func aNoteNamesItsLine() throws {
        var lines: [Int] = []
        let csv = "ean,name\n4006381333931.0,Pen\n'96385074,Chocolate\n4011,Bananas\n"
        try CatalogFile.inMemory().importCSV(bytes: Array(csv.utf8), name: "x") { event in
            if case .note(_, let line) = event { lines.append(line) }
        }
        #expect(lines == [2, 3])
    }

    private func product(_ csv: String) throws -> Product {
        let catalog = try catalog(csv, ImportOptions(currency: Currency("EUR")))
        return try #require(try catalog.product(id: "1"))
    }

    @Test(arguments: [
        "id,ean,name,price\n1,4006381333931,Pen,1.99\n",
        "\u{FEFF}id,ean,name,price\n1,4006381333931,Pen,1.99",
        "ID;EAN;Name;Preis\r\n1;4006381333931;Pen;1,99\r\n",
        "Product-ID\tGTIN\tTitle\tSales Price\n1\t4006381333931\tPen\t1,99\n",
        "\"id\" , \"ean\" , \"name\" , \"price\"\r1 , \"4006381333931\" ,Pen, \"1,99\"\r\r",
        "artikelnummer;EAN-Code;Bezeichnung;VK\n\n1;4006381333931;\"Pen\";€ 1.99\n\n\n",
        "référence;code à barres;désignation;prix TTC\n1;4006381333931;Pen;1,99 €\n",
        "id,código,nombre,precio\n1,4006381333931,Pen,\"1,99\"\n",
        "description,id,upc,name,pvp\n,1,4006381333931,Pen,1.99",
    ])
    func tablesOfEveryDialectGiveTheSameProduct(csv: String) throws {
        let price = try Price(amount: "1.99", currency: #require(Currency("EUR")))
        let expected = Product(id: "1", codes: ["4006381333931"], name: "Pen", price: price)
        #expect(try product(csv) == expected)
    }

    @Test(arguments: [
        ("4006381333931|SKU 7, red", ["4006381333931", "SKU 7, red"]),
        ("4006381333931 96385074", ["4006381333931", "96385074"]),
        ("4006381333931, 96385074;036000291452", ["4006381333931", "96385074", "036000291452"]),
        ("4006381333931\n  SKU 7\r\n", ["4006381333931", "SKU 7"]),
        ("SKU 7, red", ["SKU 7, red"]), ("4006381333931 red", ["4006381333931 red"]),
        ("a\\|b|c", ["a|b", "c"]), ("a\\\\|c", ["a\\", "c"]), ("a\\b", ["a\\b"]),
        ("|a||b|", ["a", "b"]), ("a|a", ["a"]),
        ("4006381333931 96385074|", ["4006381333931 96385074"]),
    ])
    func aFieldMayHoldSeveralCodes(field: String, codes: [String]) throws {
        #expect(try product("id,code\n1,\"\(field)\"\n").codes == codes)
    }

    @Test func severalColumnsMayHoldCodes() throws {
        let csv = "sku,id,ean,plu\nS-1,1,4006381333931|S-1,\n"
        #expect(try product(csv).codes == ["S-1", "4006381333931"])
    }

    @Test func otherColumnsAreAttributesAndEmptyCellsAreAbsent() throws {
        let csv = "id,Farbe,title,description,attribute:price,Größe,\n1,rot,T,D,old,,\n"
        let expected = Product(
            id: "1", name: "T", attributes: ["Farbe": "rot", "description": "D", "price": "old"])
        #expect(try product(csv) == expected)
        #expect(try product(csv).sortedAttributes.map(\.name) == ["Farbe", "description", "price"])
    }

    @Test func mappingsGoAheadOfTheNamesRecognised() throws {
        let options = ImportOptions(
            mappings: ["name=was", "code=nr", "id=NR"].compactMap { ColumnMapping($0) })
        let catalog = try catalog("nr,name,was,ean\n1,n,Pen,4006381333931\n", options)
        #expect(
            try catalog.product(id: "1")
                == Product(
                    id: "1", codes: ["1"], name: "Pen",
                    attributes: ["name": "n", "ean": "4006381333931"]))
    }

    @Test(arguments: ["name", "name=", "nam=x", ""])
    func mappingsAreReadStrictly(text: String) {
        #expect(ColumnMapping(text) == nil)
    }

    @Test func quotedFieldsMayHoldAnything() throws {
        let csv = "id,name,note\n1,\"5\"\" pipe, \r\nlong\",\"\"\"x\"\"\"\n"
        let found = try product(csv)
        #expect(found.name == "5\" pipe, \r\nlong")
        #expect(found.attributes == ["note": "\"x\""])
        #expect(try product("id,name\n1,5\" pipe\n").name == "5\" pipe")
    }

    @Test func progressCountsBytesAndRows() throws {
        let csv = "id,name\n" + (1...50_000).map { "\($0),Product \($0)\n" }.joined()
        var events: [ImportEvent] = []
        let catalog = try CatalogFile.inMemory()
        let summary = try catalog.importCSV(bytes: Array(csv.utf8), name: "x") { events.append($0) }
        let total = csv.utf8.count
        #expect(events.last == .progress(bytes: total, of: total, rows: 50_000))
        #expect(events.count >= 3)
        #expect(summary.rows == 50_000)
        let bytes = events.compactMap {
            if case .progress(let bytes, _, _) = $0 { bytes } else { nil }
        }
        #expect(bytes == bytes.sorted() && bytes[0] > 0)
    }

    @Test func whatTheReportThrowsEndsTheImportWithNothingImported() throws {
        struct Stop: Error {}
        let catalog = try catalog("id\nold\n")
        #expect(throws: Stop.self) {
            try catalog.importCSV(bytes: Array("id\nnew\n".utf8), name: "x") { _ in throw Stop() }
        }
        #expect(try catalog.exported() == "id,code,name,price,currency,unit\nold,,,,,\n")
    }
}
