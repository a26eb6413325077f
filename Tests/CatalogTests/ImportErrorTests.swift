import Catalog
import Glibc
import TestFolders
import Testing
import WireText

@Suite struct ImportErrorTests {
    private func error(_ csv: [UInt8], _ options: ImportOptions = ImportOptions()) throws -> String
    {
        let catalog = try CatalogFile.inMemory()
        let error = #expect(throws: ImportError.self) {
            try catalog.importCSV(bytes: csv, name: "p.csv", options: options)
        }
        return error?.description ?? "no error"
    }

    @Test(arguments: [
        ("", "\"p.csv\" is empty; expected a line with the column names."),
        ("\u{FEFF}\n\n", "\"p.csv\" is empty; expected a line with the column names."),
        (
            "4006381333931;Pen\n",
            "\"p.csv\" has no column of ids or codes; expected one named ean, gtin, upc, sku, "
                + "code or id, or a mapping, and found \"4006381333931\", \"Pen\"."
        ),
        ("id,unit,Unit\n", "\"p.csv\" has several columns \"unit\"; expected each name once."),
        ("id,Farbe,Farbe\n", "\"p.csv\" has several columns \"Farbe\"; expected each name once."),
        (
            "id,a\u{0}b\n",
            "The header of \"p.csv\" cannot be read. Line 1: The column \"2\" contains a NUL "
                + "character; expected text."
        ),
        (
            "id,\"a\n",
            "The header of \"p.csv\" cannot be read. Line 1: A quotation mark opens a field and "
                + "none closes it; expected \" at its end."
        ),
    ])
    func aHeaderThatCannotBeUsedIsExplained(csv: String, sentence: String) throws {
        #expect(try error(Array(csv.utf8)) == sentence)
    }

    @Test func mappingsMustFitTheHeader() throws {
        let missing = ImportOptions(mappings: [ColumnMapping(.name, column: "Artikel")])
        #expect(
            try error(Array("id,Name\n".utf8), missing)
                == "\"p.csv\" has no column \"Artikel\" for name; found \"id\", \"Name\".")
        let twice = ImportOptions(mappings: [
            ColumnMapping(.name, column: "a"), ColumnMapping(.name, column: "b"),
        ])
        #expect(
            try error(Array("id,a,b\n".utf8), twice)
                == "The field name is mapped to several columns; expected one.")
    }

    @Test func aBinaryFileIsNoTable() throws {
        let noise = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ $0 >> 3) }
        #expect(try error(noise) != "no error")
    }

    @Test func filesThatCannotBeReadAreNamed() throws {
        let scratch = try TemporaryFolder()
        let catalog = try CatalogFile.inMemory()
        let missing = scratch.path("missing.csv")
        #expect(
            throws: ImportError.unreadable(
                SystemCallError(operation: "open", path: missing, errno: ENOENT))
        ) {
            try catalog.importCSV(missing)
        }
        #expect(
            throws: ImportError.unreadable(
                SystemCallError(operation: "read", path: scratch.path, errno: EISDIR))
        ) {
            try catalog.importCSV(scratch.path)
        }
    }
}
