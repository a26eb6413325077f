import Barcodes
import Catalog
import Foundation
import TestFolders
import TestWaiting
import Testing
import WireText

@Suite(.blocking) struct CatalogFileTests {
    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
    }

    private func make(_ csv: String = "id,code\n1,a\n") throws {
        let catalog = try CatalogFile(path: path, access: .writing)
        _ = try catalog.take(csv)
    }

    private func sentence(_ path: String, _ access: CatalogFile.Access = .reading) -> String {
        do {
            _ = try CatalogFile(path: path, access: access, busyTimeout: .zero)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test func aMissingFileIsNamed() {
        #expect(sentence(path) == "There is no catalog at \"\(path)\".")
        #expect(!FileManager.default.fileExists(atPath: path))
        let deep = scratch.path("no/such/folder.sqlite")
        #expect(
            sentence(deep, .writing)
                == "The catalog \"\(deep)\" cannot be written to; expected a file and a folder with "
                + "write permission.")
    }

    @Test func aDirectoryOrADeviceIsNoCatalog() {
        for access in [CatalogFile.Access.reading, .writing] {
            #expect(
                sentence(scratch.path, access)
                    == "The catalog \"\(scratch.path)\" cannot be opened: it is a directory.")
            #expect(
                sentence("/dev/null", access)
                    == "The catalog \"/dev/null\" cannot be opened: it is not a regular file.")
        }
    }

    @Test(arguments: [
        ("printf 'id,code\n1,a\n' >", "not an SQLite database"),
        ("head -c 70000 /dev/zero >", "not an SQLite database"),
        (
            "sqlite3 -cmd 'CREATE TABLE t(x); PRAGMA user_version = 1'",
            "an SQLite database without keywedge's tables"
        ),
    ])
    func aFileThatIsNoCatalogIsLeftAlone(command: String, found: String) throws {
        #expect(try run("sh", "-c", "\(command) '\(path)' </dev/null").status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for access in [CatalogFile.Access.reading, .writing] {
            #expect(sentence(path, access) == "\"\(path)\" is not a catalog: it is \(found).")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func anEmptyFileIsACatalogForWritersOnly() throws {
        try scratch.write("", to: "catalog.sqlite")
        #expect(sentence(path).hasSuffix("it is an SQLite database without keywedge's tables."))
        try make()
        #expect(try CatalogFile(path: path).count() == 1)
    }

    @Test func aCatalogOfANewerVersionIsNotTouched() throws {
        try make()
        #expect(try run("sqlite3", path, "PRAGMA user_version = 7").status == 0)
        for access in [CatalogFile.Access.reading, .writing] {
            #expect(
                sentence(path, access)
                    == "The catalog \"\(path)\" was written by a newer keywedge: "
                    + "it has schema 7, this one reads up to 5.")
        }
    }

    @Test func aDamagedFileIsNamed() throws {
        try make("id,name\n" + (1...5000).map { "\($0),name \($0)\n" }.joined())
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xAA, count: 100_000))
        try file.close()
        #expect(throws: CatalogError.damaged(path: path)) {
            try CatalogFile(path: path).exportCSV { _ in }
        }
    }

    @Test func aCatalogOpenForReadingTakesNoImport() throws {
        try make()
        let catalog = try CatalogFile(path: path)
        #expect(throws: CatalogError.readOnly(path: path)) { try catalog.take("id\n2\n") }
        #expect(throws: CatalogError.readOnly(path: path)) { try catalog.remove([.id("1")]) }
        #expect(try catalog.count() == 1)
    }

    @Test func lookupsTurnToAFileThatReplacesTheCatalog() throws {
        try make("id,code\nold,a\n")
        let catalog = try CatalogFile(path: path)
        #expect(try catalog.match(forText: "a")?.product.id == "old")
        let other = scratch.path("new.sqlite")
        try CatalogFile(path: other, access: .writing)
            .take("id,code\nnew,a\n")
        #expect(rename(other, path) == 0)
        #expect(try catalog.match(forText: "a")?.product.id == "new")
        try FileManager.default.removeItem(atPath: path)
        #expect(try catalog.match(forText: "a")?.product.id == "new")
    }

    @Test func lookupsSeeAnImportAsSoonAsItIsDone() throws {
        try make()
        let reader = try CatalogFile(path: path)
        let writer = try CatalogFile(path: path, access: .writing)
        try writer.importCSV(bytes: Array("id,code\n2,b\n".utf8), name: "x") { (_) throws in
            #expect(try reader.match(forText: "a")?.product.id == "1")
            #expect(try reader.match(forText: "b") == nil)
        }
        #expect(try reader.match(forText: "b")?.product.id == "2")
    }

    @Test(arguments: ["file:name?mode=memory", "a b%20c#d", "ä'\"", ":memory:"])
    func everyFileNameIsTakenLiterally(name: String) throws {
        let folder = scratch.path("names")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/" + name
        try CatalogFile(path: file, access: .writing)
            .take("id\n1\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
        #expect(try CatalogFile(path: file).count() == 1)
    }

    @Test func aLookupFailsWithASentenceWhereTheCatalogCannotAnswer() throws {
        try make()
        let catalog = try CatalogFile(path: path)
        #expect(try run("sqlite3", path, "DROP TABLE code").status == 0)
        let reason = "The catalog \"\(path)\" failed: no such table: code (SQLite 1)."
        #expect(
            catalog.immediateAnswer(for: Barcode(text: "a"))
                == LookupAnswer(.failed(LookupFailure(.unusableCatalog, "\(words: reason)"))))
    }

    /// Each update here comes from another process, which moves the log into the file if it finds no other process that
    /// has the file open.
    @Test func opensASecondTimeWithoutCuttingTheFirstOffFromImports() throws {
        try make("id,code,name\n1,a,old\n")
        let first = try CatalogFile(path: path)
        #expect(try first.product("a") == "old")
        let second = try CatalogFile(path: path)
        #expect(try second.product("a") == "old")
        for name in ["new", "newer", "newest"] {
            let update = try run(
                "sqlite3", path, "UPDATE product SET name = '\(name)' WHERE id = '1'")
            #expect(update.status == 0, "\(update.output)")
            #expect(try first.product("a") == name)
            #expect(try second.product("a") == name)
        }
    }
}

extension CatalogFile {
    /// The name of the product with a code.
    fileprivate func product(_ code: String) throws -> String? {
        try match(for: BarcodeDecoder().decode(code, aim: nil))?.product.name
    }
}
