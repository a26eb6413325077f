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
        DROP TABLE offer; DROP TABLE scope; DROP INDEX product_delisted;
        ALTER TABLE product DROP COLUMN delisted; ALTER TABLE product DROP COLUMN listed;
        DROP INDEX product_dated; ALTER TABLE product DROP COLUMN dated_prices;
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

/// A file of the keywedge before shops.
@Suite struct ScopelessFileTests {
    private static let older = """
        DROP TABLE offer; DROP TABLE scope; DROP INDEX product_delisted;
        ALTER TABLE product DROP COLUMN delisted; ALTER TABLE product DROP COLUMN listed;
        ALTER TABLE removal DROP COLUMN listed; PRAGMA user_version = 3;
        """

    @Test func itIsReadAsItIsAndHasNoShops() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("catalog.sqlite")
        try EmbeddedCatalog(path: path, access: .writing)
            .take(
                "id,name,price,currency,valid_from\n1,one,1.00,EUR,\n"
                    + "1,,0.50,EUR,2026-12-01T00:00:00Z\n")
        let text = try EmbeddedCatalog(path: path).exported()
        #expect(try run("sqlite3", path, Self.older).status == 0)
        let reader = try EmbeddedCatalog(path: path)
        #expect(try reader.exported() == text)
        #expect(try reader.changes(since: nil, limit: 1).page?.changed.count == 1)
        let scope = try #require(CatalogScope("a"))
        let unknown = CatalogError.unknownScope(path: path, scope: "a")
        #expect(throws: unknown) { try EmbeddedCatalog(path: path, scope: scope) }
        try EmbeddedCatalog(path: path, access: .writing).take("id,scope\n1,a\n")
        #expect(try EmbeddedCatalog(path: path, scope: scope).product(id: "1")?.name == "one")
        #expect(try reader.isPresent())
    }
}

/// A file of the keywedge before prices for a time, as that one wrote it.
@Suite struct FormerSchemaTests {
    private static let dump = "Tests/CatalogServiceTests/Tracking/catalog-of-schema-2.sql"
    private static let revision = "4-"

    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        #expect(try run("sqlite3", path, ".read \(Self.dump)").status == 0)
    }

    @Test func lookupsReadItAsItIsAndSeeWhenItIsBroughtUpToDate() throws {
        let reader = try EmbeddedCatalog(path: path)
        #expect(try !reader.isPresent())
        let match = try reader.match(for: BarcodeDecoder().decode("04252614"))
        #expect(match?.product.price?.description == "1.29 EUR")
        #expect(try reader.revision().description.hasPrefix(Self.revision))
        #expect(try reader.changes(since: nil, limit: 10).page?.changed.map(\.id) == ["1", "2"])
        try EmbeddedCatalog(path: path, access: .writing)
            .take("id,price,currency,valid_from\n1,0.5,EUR,2026-12-01T00:00:00Z\n")
        #expect(try reader.product(id: "1")?.datedPrices.count == 1)
        #expect(try reader.product(id: "1")?.price?.description == "0.89 EUR")
    }

    @Test func anImportGoesOnFromItsRevision() throws {
        var changes = Reader()
        try changes.read(EmbeddedCatalog(path: path))
        let catalog = try EmbeddedCatalog(path: path, access: .writing)
        #expect(try catalog.isPresent())
        try catalog.take("id,name\n2,Milch\n")
        try changes.read(catalog)
        #expect(changes.names == ["1": "Pencil", "2": "Milch"])
        #expect(changes.hadToStartAnew == 0)
    }
}

extension ChangesAnswer {
    fileprivate var page: ChangePage? {
        if case .page(let page) = self { page } else { nil }
    }
}
