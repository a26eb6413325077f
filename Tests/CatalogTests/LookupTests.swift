import Barcodes
import Catalog
import Testing

@Suite struct LookupTests {
    @Test(arguments: [
        // Listed as, scanned as, AIM identifier.
        ("4006381333931", "4006381333931", "]E0"), ("0036000291452", "036000291452", nil),
        ("036000291452", "0036000291452", "]E0"), ("00036000291452", "036000291452", nil),
        ("036000291452", "00036000291452", "]I1"), ("01234565", "01234565", nil),
        ("978-3-16-148410-0", "9783161484100", "]E0"), ("4 006381 333931", "4006381333931", nil),
        ("96385074", "96385074", "]E4"), ("00000096385074", "96385074", nil),
        ("SKU-7/α", "SKU-7/α", "]C0"), ("4711", "4711", nil),
    ])
    func aScanFindsTheCodeInEverySpelling(listed: String, scanned: String, aim: String?) throws {
        let catalog = try catalog("id,code\nx,\(listed)\n")
        #expect(try catalog.id(scanning: scanned, aim: aim) == "x")
    }

    @Test func aUPCEFindsItsUPCA() throws {
        let catalog = try catalog("id,upc\nx,042100005264\n")
        var scan = Barcode(text: "04252614")
        scan.reading.gtin = GTIN(upcE: "04252614")
        #expect(try catalog.match(for: scan)?.key == .gtin)
        #expect(try catalog.match(forText: "04252614") == nil)
    }

    @Test func eightDigitsInTheCatalogAreFoundAsGTIN8AndAsUPCE() throws {
        // Valid as both: GTIN-8 01234565 and the UPC-E of 012345000065.
        let catalog = try catalog("id,code\nx,01234565\n")
        for gtin in [try? GTIN("01234565"), GTIN(upcE: "01234565")] {
            var scan = Barcode(text: "scanned otherwise")
            scan.reading.gtin = gtin
            let match = try #require(try catalog.match(for: scan))
            #expect(match.product.codes == ["01234565"])
            #expect(!match.isAmbiguous)
        }
    }

    @Test(arguments: ["96385074", "036000291452", "4006381333931", "10012345678902"])
    func aNumberThatIsAGTINByAccidentIsFoundByItsText(sku: String) throws {
        let catalog = try catalog("id,sku\nx,\(sku)\n")
        // A Code 39 gives only a text.
        #expect(try catalog.match(for: Barcode(text: sku))?.key == .text)
        #expect(try catalog.match(forText: sku)?.product.id == "x")
    }

    @Test func capitalAndSmallLettersMayDifferIfOneProductHasTheCode() throws {
        let catalog = try catalog("id,code\nx,Abc-1\ny,KW-hb\nz,kw-HB\nd,12A|12a\n")
        #expect(try catalog.id(scanning: "ABC-1") == "x")
        #expect(try catalog.id(scanning: "abc-1") == "x")
        #expect(try catalog.id(scanning: "KW-hb") == "y")
        #expect(try catalog.id(scanning: "kw-HB") == "z")
        #expect(try catalog.id(scanning: "KW-HB") == nil)
        #expect(try catalog.match(forText: "12a")?.candidates.map(\.id) == ["d"])
    }

    @Test func textIsTakenAsTyped() throws {
        let catalog = try catalog("id,code\nx,abc\ny,036000291452\n")
        #expect(try catalog.match(forText: " abc") == nil)
        #expect(try catalog.match(forText: "0036000291452") == nil)
        #expect(try catalog.match(forText: "") == nil)
        #expect(try catalog.match(forText: "x' OR '1'='1") == nil)
        #expect(try catalog.match(forText: String(repeating: "9", count: 100_000)) == nil)
    }

    @Test func theTextGoesAheadOfAGTINThatItDoesNotSpell() throws {
        let catalog = try catalog("id,code\ngtin,4006381333931\ntext,A1\n")
        for (text, id) in [("A1", "text"), ("A2", "gtin"), ("4006381333931", "gtin")] {
            var scan = Barcode(text: text)
            scan.reading.gtin = try GTIN("4006381333931")
            #expect(try catalog.match(for: scan)?.product.id == id)
        }
    }

    @Test func severalProductsWithACodeAreAllNamedInTheOrderOfTheirIDs() throws {
        let catalog = try catalog(
            "id,code\nz,036000291452|other\na,0036000291452\nm,x|00036000291452|036000291452\n")
        let match = try #require(
            try catalog.match(for: BarcodeDecoder().decode("036000291452", aim: nil)))
        #expect(match.product.id == "a")
        #expect(match.isAmbiguous)
        #expect(match.candidates.map(\.id) == ["a", "m", "z"])
        #expect(
            match.candidates.map(\.codes)
                == [
                    ["0036000291452"], ["x", "00036000291452", "036000291452"],
                    ["036000291452", "other"],
                ])
    }

    @Test func aCodeOfTooManyProductsListsTheFirstOnes() throws {
        let rows = (1...1000).map { "p\(5000 - $0),same" }.joined(separator: "\n")
        let match = try #require(try catalog("id,code\n" + rows).match(forText: "same"))
        #expect(match.candidates.map(\.id) == (4000..<4000 + Match.candidateLimit).map { "p\($0)" })
    }

    @Test func attributesComeBackAsWritten() throws {
        let values = [
            "a\"b", "back\\slash", "line\nbreak", "tab\tbed", "\u{1}\u{1F}", "ÄÖ😀", "{}[],:",
        ]
        for value in values {
            let field = value.replacing("\"", with: "\"\"")
            let catalog = try catalog("id,na\\\"\"me,\"k\"\"\"\nx,,\"\(field)\"\n")
            #expect(try catalog.product(id: "x")?.attributes == ["k\"": value])
        }
    }
}
