import Catalog
import Testing

/// Tests files as spreadsheets write them: titles before the header, headings and totals among the rows.
@Suite struct TableStartTests {
    @Test(arguments: [
        "sep=;\nid;name;preis\n1;Pen;1,99\n", "sep=;\r\nid;name;preis\r\n1;Pen;1,99\r\n",
        "\u{FEFF}\"sep=;\"\nid;name;preis\n1;Pen;1,99\n", "SEP=|\nid|name|preis\n1|Pen|1,99\n",
        "Preisliste, Stand 25.11.2026, alle Preise in Euro\n\nid;name;preis\n1;Pen;1,99\n",
        "Preisliste;;\n;;\nid;name;preis\n1;Pen;1,99\n",
        "\"Kohlwerk\nPreisliste\"\nid\tname\tpreis\n1\tPen\t1,99\n",
        "id;name;preis\n1;Pen;1,99\n;;\nSumme;;1,99\n", "id;name;preis\n1;Pen;1,99\nTotal;1,99\n",
        "id;name;preis\n;Schreibwaren;\n1;Pen;1,99\n", "id;name;preis\n1;Pen;1,99\n;Gesamt;1,99\n",
        "id|name|price\n1|Pen|1.99\n",
        "id;name;preis\n1;Pen;1,99\nSumme;;1,99\nErstellt am 25.11.2026\n",
    ])
    func theTableIsFound(csv: String) throws {
        let catalog = try TriedImport(csv).catalog
        #expect(try catalog.count() == 1)
        #expect(try catalog.product(id: "1")?.name == "Pen")
        #expect(try catalog.product(id: "1")?.price?.description == "1.99 EUR")
    }

    @Test func whatIsLeftOutIsTold() throws {
        let csv = "id;name;preis\n;Stifte;\n1;Pen;1,99\nSumme;;1,99\n"
        #expect(
            try TriedImport(csv).notes == [
                ImportNote(.heading, "Stifte"), ImportNote(.total, "Summe"),
            ])
    }

    @Test func aHeadingMayStandInTheColumnOfCodes() throws {
        let tried = try TriedImport("ean;name;preis\nStifte;;\nPEN-1;;\nINK;Ink;2,00\n")
        #expect(try tried.catalog.count() == 2)
        #expect(tried.notes == [ImportNote(.heading, "Stifte")])
    }

    @Test(arguments: [
        "id;name;preis\n;Pen;1,99\n", "id;name;preis\n;;1,99\n", "id;name;preis\n1;Pen\n",
        "id;name;preis\n4006381333931\n", "id;name;preis\nErstellt am 25.11.2026\n",
    ])
    func aRowThatHasLostSomethingIsAnError(csv: String) throws {
        #expect(try TriedImport(csv).invalid.count == 1)
    }

    @Test func anArticleMayBeCalledTotal() throws {
        let catalog = try TriedImport("id,ean,name\nTOTAL,4006381333931,Total Quartz\n").catalog
        #expect(try catalog.product(id: "TOTAL")?.name == "Total Quartz")
        #expect(try TriedImport("ean,name\n4006381333931,Total\n").catalog.count() == 1)
    }

    @Test func aFirstRowOfDataIsNoHeader() throws {
        let tried = try TriedImport("4006381333931,Pen,1.99,EUR\n4006381333948,Ink,2.99,EUR\n")
        #expect(tried.error.contains("first row is not a header"))
    }

    @Test func linesAreCountedFromTheTopOfTheFile() throws {
        let csv = "Preisliste\n\nid;name\n1;Pen\n2\n"
        let found = "The row has 1 field; expected 2, as the header has."
        #expect(try invalidRows(csv) == ["Line 5: \(found)"])
    }

    @Test(arguments: [
        "id,name\n1,19\" rack\n", "id,name\n1, 19\" rack \n", "id,name\n1,\"19\"\" rack\"\n",
    ])
    func anInchIsNoQuotationMark(csv: String) throws {
        #expect(try TriedImport(csv).catalog.product(id: "1")?.name == "19\" rack")
    }

    @Test func aHeaderMayHoldAnInch() throws {
        let csv = "Screen 19\";id;name\nyes;1;Pen, blue\n"
        #expect(try TriedImport(csv).catalog.product(id: "1")?.attributes == ["Screen 19\"": "yes"])
    }
}
