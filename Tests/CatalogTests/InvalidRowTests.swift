import Catalog
import Testing

@Suite struct InvalidRowTests {
    @Test(arguments: [
        ("id,a\n1\n", "The row has 1 field; expected 2, as the header has."),
        ("id,a\n1,2,3\n", "The row has 3 fields; expected 2, as the header has."),
        ("id,name,price\n1,Pen,1,99\n", "The row has 4 fields; expected 3, as the header has."),
        (
            "id,name,price,unit\n1,Pen,1,99\n",
            "The unit \"99\" looks like the decimals of the price \"1\"; "
                + "expected \"1,99\" in quotation marks, or another unit."
        ),
        (
            "id,name,price,currency\n1,Pen,1,99\n",
            "The currency \"99\" cannot be read; expected a code of ISO 4217 such as EUR."
        ),
        (
            "id,price\n1,1.999\n",
            "The price \"1.999\" may mean thousands or thousandths; expected --decimal point or "
                + "--decimal comma, whichever sign is ahead of the decimals."
        ),
        (
            "id,price,currency\n1,5 €,USD\n",
            "The price \"5 €\" is in EUR, but the currency column says USD."
        ),
        ("id,code,a\n,,x\n", "The row has neither an id nor a code; expected one of them."),
        (
            "id,,a\n1,x,\n",
            "Column 2 has no name but holds \"x\"; expected it empty or named."
        ),
        (
            "id,a\n\"1\"x,2\n",
            "Field 1 goes on after its closing quotation mark; expected a delimiter or the "
                + "end of the line, and \"\" for a quotation mark within."
        ),
        ("id,a\n1,b\u{0}c\n", "The column \"a\" contains a NUL character; expected text."),
    ])
    func anInvalidRowIsNamedWithItsReason(csv: String, reason: String) throws {
        #expect(try invalidRows(csv) == ["Line 2: " + reason])
    }

    @Test func aLoneQuoteSpoilsOnlyItsRow() throws {
        let unclosed = "A quotation mark opens a field and none closes it; expected \" at its end."
        #expect(try invalidRows("id,a\n1,\"x\n2,y\n3,z") == ["Line 2: " + unclosed])
        let catalog = try CatalogFile.inMemory()
        let csv = "id,a\n1,x\n2,\"y\n3,z\n4,\"w\"\n5,\"v\nv\"\n6,\n"
        #expect(try catalog.take(csv) { $0.skipsInvalidRows = true }.skipped == 1)
        #expect(try ["1", "3", "4", "5", "6"].allSatisfy { try catalog.product(id: $0) != nil })
        #expect(try catalog.product(id: "2") == nil)
        #expect(try catalog.product(id: "5")?.attributes["a"] == "v\nv")
    }

    @Test func aLoneQuoteInALargeFileIsGivenUpAfterAMegabyte() throws {
        var csv = "id,a\n1,\"x\n"
        for id in 2...60_000 { csv += "\(id),some text of a row that is long enough\n" }
        let catalog = try CatalogFile.inMemory()
        let summary = try catalog.take(csv) { $0.skipsInvalidRows = true }
        #expect(summary.added == 59_999)
        #expect(summary.skipped == 1)
    }

    @Test func linesAreCountedAsAnEditorCountsThem() throws {
        let csv = "id,a\r\n1,\"x\r\ny\rz\n\"\r\n\r\n\r2\n3,ok\n4\n"
        let found = "The row has 1 field; expected 2, as the header has."
        #expect(try invalidRows(csv) == ["Line 8: \(found)", "Line 10: \(found)"])
    }

    @Test func oneWrongByteInUTF8IsNamedWithLineAndByte() throws {
        let csv = Array("id,name\n1,Öl\n2,K".utf8) + [0xE4] + Array("se\n3,Süß\n".utf8)
        let reason =
            "The column \"name\" is not UTF-8 (byte 0xE4); expected the file saved as UTF-8."
        #expect(try TriedImport(csv).invalid == ["Line 3: " + reason])
    }

    @Test func everyBadRowIsNamedAndNothingImported() throws {
        let catalog = try catalog("id\nold\n")
        var lines: [Int] = []
        let csv = "id,price\n1,1 €\n2,x\n3,3 €\n4\nold,1.999\n"
        let error = #expect(throws: ImportError.self) {
            try catalog.importCSV(bytes: Array(csv.utf8), name: "new.csv") { event in
                if case .invalid(let row) = event { lines.append(row.line) }
            }
        }
        #expect(error?.description == "\"new.csv\" was not imported: 3 rows are invalid.")
        #expect(lines == [3, 5, 6])
        #expect(try catalog.exported() == "id,code,name,price,currency,unit\nold,,,,,\n")
    }

    @Test func aRowLongerThanAMegabyteIsRefused() throws {
        let csv = "id,a\n1,\(String(repeating: "x", count: 3 << 20))\n2,y\n"
        #expect(
            try invalidRows(csv) == ["Line 2: The row is too long; expected at most 1048576 bytes."]
        )
    }
}
