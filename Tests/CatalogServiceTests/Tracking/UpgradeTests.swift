import Barcodes
import Catalog
import Foundation
import TestFolders
import Testing

/// The file of a keywedge that did not count changes.
@Suite struct UpgradeTests {
    private let scratch: TemporaryFolder
    private let path: String

    /// Takes away from a new file what an older one does not have.
    private static let older = """
        DROP INDEX product_revision; DROP TABLE revision; DROP TABLE removal; DROP TABLE upstream;
        DROP TABLE synced; ALTER TABLE product DROP COLUMN revision; PRAGMA user_version = 1;
        """

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        try EmbeddedCatalog(path: path, access: .writing)
            .take("id,ean,name\n1,4006381333931,one\n2,,two\n")
        #expect(try run("sqlite3", path, Self.older).status == 0)
        #expect(
            try run("sqlite3", path, "CREATE TABLE t AS SELECT revision FROM product").status != 0,
            "the file is not older")
    }

    @Test func lookupsReadItAsItIs() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let catalog = try EmbeddedCatalog(path: path)
        let match = try catalog.match(for: BarcodeDecoder().decode("4006381333931"))
        #expect(match?.product.name == "one")
        #expect(
            try catalog.exported()
                == "id,code,name,price,currency,unit\n1,4006381333931,one,,,\n2,,two,,,\n")
        #expect(throws: CatalogError.untracked(path: path)) { try catalog.revision() }
        #expect(throws: CatalogError.untracked(path: path)) {
            try catalog.changes(since: nil, limit: 1)
        }
        #expect(try catalog.upstream() == nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func anImportBringsItUpToDate() throws {
        let reader = try EmbeddedCatalog(path: path)
        let catalog = try EmbeddedCatalog(path: path, access: .writing)
        try catalog.take("id,name\n2,zwei\n")
        var changes = Reader()
        try changes.read(catalog)
        #expect(changes.names == ["1": "one", "2": "zwei"])
        try catalog.remove(ids: ["1"])
        try changes.read(reader)
        #expect(changes.names == ["2": "zwei"])
        #expect(changes.hadToStartAnew == 0)
    }
}
