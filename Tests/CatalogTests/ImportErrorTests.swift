import Catalog
import Glibc
import TestFolders
import Testing
import WireText

@Suite struct ImportErrorTests {
    @Test(arguments: [
        ("", "is empty; expected a line with the column names."),
        ("\u{FEFF}\n\n", "is empty; expected a line with the column names."),
        (
            "4006381333931;Pen\n",
            "lacks column names: the first row is not a header, \"4006381333931\", \"Pen\"."
        ),
        ("id,unit,Unit\n", "has several columns \"unit\"; expected each name once."),
        ("id,Farbe,Farbe\n", "has several columns \"Farbe\"; expected each name once."),
        (
            "id,a\u{0}b\n",
            "has a header that cannot be read. Line 1: The column \"2\" contains a NUL character; "
                + "expected text."
        ),
        (
            "id,\"a\n",
            "has a header that cannot be read. Line 1: A quotation mark opens a field and none closes "
                + "it; expected \" at its end."
        ),
    ])
    func aHeaderThatCannotBeUsedIsExplained(csv: String, sentence: String) throws {
        #expect(try TriedImport(csv).error == "\"x.csv\" " + sentence)
    }

    @Test(arguments: [
        (["Artikel"], "has no column \"Artikel\" for name; found \"id\", \"Name\", \"b\"."),
        (["Name", "b"], "is to have several columns for name; expected one."),
    ])
    func mappingsMustFitTheHeader(columns: [String], sentence: String) throws {
        let tried = try TriedImport("id,Name,b\n") {
            $0.mappings = columns.compactMap { ColumnMapping("name=\($0)") }
        }
        #expect(tried.error == "\"x.csv\" " + sentence)
    }

    @Test func aBinaryFileIsNoTable() throws {
        let noise = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ $0 >> 3) }
        #expect(try TriedImport(noise).error != "")
    }

    @Test func filesThatCannotBeReadAreNamed() throws {
        let scratch = try TemporaryFolder()
        let catalog = try CatalogFile.inMemory()
        let missing = scratch.path("missing.csv")
        for (operation, path, errno) in [
            ("open", missing, ENOENT), ("read", scratch.path, EISDIR),
        ] {
            #expect(throws: SystemCallError(operation: operation, path: path, errno: errno)) {
                try catalog.importCSV(path)
            }
        }
    }
}
