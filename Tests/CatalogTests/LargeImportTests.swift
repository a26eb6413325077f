import Catalog
import Foundation
import TestFolders
import Testing

@Suite struct LargeImportTests {
    @Test func oneBadRowInAMillionIsNamedAndNothingImported() throws {
        let scratch = try TemporaryFolder()
        let csv = scratch.path("million.csv")
        _ = FileManager.default.createFile(atPath: csv, contents: nil)
        let file = try #require(FileHandle(forWritingAtPath: csv))
        try file.write(contentsOf: Data("id,name\n".utf8))
        for thousand in 0..<1000 {
            let rows = (0..<1000).map { row in
                thousand == 777 && row == 7 ? "bad\n" : "\(thousand * 1000 + row),\n"
            }
            try file.write(contentsOf: Data(rows.joined().utf8))
        }
        try file.close()

        let path = scratch.path("catalog.sqlite")
        let catalog = try CatalogFile(path: path, access: .writing)
        var invalid: [InvalidRow] = []
        #expect(throws: ImportError.self) {
            try catalog.importCSV(csv) { event in
                if case .invalid(let row) = event { invalid.append(row) }
            }
        }
        #expect(
            invalid.map(\.description)
                == ["Line 777009: The row has 1 field; expected 2, as the header has."])
        #expect(try catalog.count() == 0)
    }

    @Test func rowsThatLieAcrossThePiecesReadAreWhole() throws {
        // The note repeats 7 bytes 11 times, so that every kind of byte falls on a boundary between two pieces.
        let note = String(repeating: "é\"\",\r\n", count: 11)
        let csv = "id,note\r\n" + (1...20_000).map { "\($0),\"\(note)\($0)\"\r\n" }.joined()
        let catalog = try CatalogFile.inMemory()
        #expect(try catalog.take(csv).added == 20_000)
        let expected = note.replacing("\"\"", with: "\"")
        for id in stride(from: 1, through: 20_000, by: 7) {
            try #require(catalog.product(id: "\(id)")?.attributes == ["note": "\(expected)\(id)"])
        }
    }
}
