import Catalog
import Testing

/// Files as spreadsheets write them: titles ahead of the header, headings and totals among the rows.
@Suite struct TableStartTests {
    private func take(_ csv: String) throws -> (catalog: CatalogFile, notes: [ImportNote]) {
        let catalog = try CatalogFile.inMemory()
        var notes: [ImportNote] = []
        try catalog.importCSV(
            bytes: Array(csv.utf8), name: "x", options: ImportOptions(currency: Currency("EUR"))
        ) {
            if case .note(let note, _) = $0 { notes.append(note) }
        }
        return (catalog, notes)
    }

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
        let catalog = try take(csv).catalog
        #expect(try catalog.count() == 1)
        #expect(try catalog.product(id: "1")?.name == "Pen")
        #expect(try catalog.product(id: "1")?.price?.description == "1.99 EUR")
    }

    @Test func whatIsLeftOutIsTold() throws {
        let csv = "id;name;preis\n;Stifte;\n1;Pen;1,99\nSumme;;1,99\n"
        #expect(
            try take(csv).notes == [ImportNote(.heading, "Stifte"), ImportNote(.total, "Summe")])
    }

    @Test func aHeadingMayStandInTheColumnOfCodes() throws {
        let (catalog, notes) = try take("ean;name;preis\nStifte;;\nPEN-1;;\nINK;Ink;2,00\n")
        #expect(try catalog.count() == 2)
        #expect(notes == [ImportNote(.heading, "Stifte")])
    }

    @Test(arguments: [
        "id;name;preis\n;Pen;1,99\n", "id;name;preis\n;;1,99\n", "id;name;preis\n1;Pen\n",
        "id;name;preis\n4006381333931\n", "id;name;preis\nErstellt am 25.11.2026\n",
    ])
    func aRowThatHasLostSomethingIsAnError(csv: String) throws {
        #expect(throws: ImportError.self) { try take(csv) }
    }

    @Test func anArticleMayBeCalledTotal() throws {
        let catalog = try take("id,ean,name\nTOTAL,4006381333931,Total Quartz\n").catalog
        #expect(try catalog.product(id: "TOTAL")?.name == "Total Quartz")
        #expect(try take("ean,name\n4006381333931,Total\n").catalog.count() == 1)
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
        #expect(try take(csv).catalog.product(id: "1")?.name == "19\" rack")
    }

    @Test func aHeaderMayHoldAnInch() throws {
        let csv = "Screen 19\";id;name\nyes;1;Pen, blue\n"
        #expect(try take(csv).catalog.product(id: "1")?.attributes == ["Screen 19\"": "yes"])
    }
}
