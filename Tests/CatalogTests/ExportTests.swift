import Testing

@testable import Catalog

@Suite struct ExportTests {
    @Test func anExportImportsToTheSameCatalog() throws {
        let original = try catalog(
            #"""
            id,code,name,price,currency,unit,attribute:price,Farbe,"line
            break","with ""quotes""",ean
            1,"a\|b|c\\|d e, f|4006381333931",Pen,1.99,EUR,pcs,old,rot,"x
            y","q""q",
            2,4006381333931 96385074|,"Comma, ""quote""; tab\tand
            line",1.9990,KWD,,,"a;b",,,
            3,,,0.125,USD,100 g,,,,,"e\"
            4,"new
            line|",,1.9990,EUR,,,,,,036000291452
            "5 ",0123,,349,JPY,,,,,,
            """#)
        let csv = try original.exported()
        let copy = try catalog(csv)
        #expect(try copy.exported() == csv)
        for id in ["1", "2", "3", "4", "5"] {
            let product = try original.product(id: id)
            #expect(product != nil)
            #expect(try copy.product(id: id) == product)
        }
        #expect(try original.product(id: "2")?.codes == ["4006381333931 96385074"])
        #expect(try original.product(id: "3")?.codes == ["e\\"])
        #expect(try original.product(id: "4")?.codes == ["new\nline", "036000291452"])
    }

    /// An import of an export leaves codes unchanged, even if they look damaged by a spreadsheet.
    @Test func codesThatLookDamagedAreKept() throws {
        let codes = [
            ["'4011"], ["4006381333931.0"], ["42100005264.0"], ["=\"1\""], ["42100005264"],
            ["4006381333931", "1234565"],
        ]
        let original = try CatalogFile.inMemory()
        for (index, codes) in codes.enumerated() {
            try original.add(Product(id: "\(index)", codes: codes))
        }
        let copy = try catalog(original.exported())
        for (index, codes) in codes.enumerated() {
            #expect(try copy.product(id: "\(index)")?.codes == codes)
        }
    }

    @Test func theColumnsAreTheFieldsAndTheAttributesByName() throws {
        let catalog = try catalog("id,ean,zoo,Ähre,apple\nb,96385074|x,1,2,\na,,,,3\n")
        #expect(
            try catalog.exported() == """
                id,code,name,price,currency,unit,apple,zoo,Ähre
                b,96385074|x,,,,,,1,2
                a,,,,,,3,,

                """)
    }

    @Test func anEmptyCatalogHasAHeader() throws {
        #expect(
            try CatalogFile.inMemory().exported() == "id,code,name,price,currency,unit\n")
    }

    @Test func whatTheWriterThrowsEndsTheExport() throws {
        struct Closed: Error {}
        let catalog = try catalog("id\n1\n")
        #expect(throws: Closed.self) { try catalog.exportCSV { _ in throw Closed() } }
        #expect(try catalog.count() == 1)
    }
}
