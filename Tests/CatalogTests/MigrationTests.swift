import Catalog
import TestFolders
import TestWaiting
import Testing

/// Tests the conversion of files that earlier versions wrote.
@Suite(.blocking) struct MigrationTests {
    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
    }

    /// The statements that make a file of schema 1, and convert it to schemas 2, 3 and 4.
    private static let steps = [
        """
        PRAGMA journal_mode = WAL;
        PRAGMA application_id = 1802978145;
        CREATE TABLE product (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT, price TEXT,
            currency TEXT, unit TEXT, attributes TEXT) STRICT;
        CREATE TABLE code (
            product INTEGER NOT NULL REFERENCES product (number), position INTEGER NOT NULL,
            key TEXT NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY (product, position, key)) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX code_key ON code (key, product, position);
        INSERT INTO product VALUES
            (1, 'a', 'Pencil', '0.89', 'EUR', 'pcs', '{"colour":"red"}'),
            (5, 'b', NULL, NULL, NULL, NULL, NULL);
        INSERT INTO code VALUES
            (1, 0, '04006381333931', '4006381333931'), (1, 1, 'KW', 'KW'), (5, 0, 'kw', 'kw');
        """,
        """
        ALTER TABLE product ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX product_revision ON product (revision) WHERE revision > 0;
        CREATE TABLE revision (number INTEGER PRIMARY KEY, tag TEXT NOT NULL) STRICT;
        CREATE TABLE removal (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL) STRICT;
        CREATE INDEX removal_revision ON removal (revision);
        CREATE TABLE upstream (
            number INTEGER PRIMARY KEY CHECK (number = 1), url TEXT NOT NULL,
            revision TEXT NOT NULL, run INTEGER NOT NULL) STRICT;
        CREATE TABLE synced (product INTEGER PRIMARY KEY, run INTEGER NOT NULL) STRICT;
        INSERT INTO revision VALUES (1, '0123456789abcdef');
        INSERT INTO upstream VALUES (1, 'https://office', '7-0123456789abcdef', 3);
        INSERT INTO synced VALUES (5, 3);
        CREATE TABLE written_back (
            id TEXT PRIMARY KEY, catalog TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO product (number, id, name) VALUES (6, 'w', 'written back'), (7, 'x', 'mine');
        INSERT INTO written_back VALUES
            ('w', 'stock', '{"id":"w","codes":[],"name":"written back","attributes":{}}'),
            ('x', 'stock', '{"id":"x","codes":[],"name":"theirs","attributes":{}}');
        """,
        """
        ALTER TABLE product ADD COLUMN dated_prices TEXT;
        CREATE INDEX product_dated ON product (number) WHERE dated_prices IS NOT NULL;
        UPDATE product SET dated_prices = '0.50 EUR 2000000 -' || char(10) || '0.40 EUR - 1000000'
        WHERE id = 'a';
        """,
        """
        ALTER TABLE product ADD COLUMN listed INTEGER DEFAULT 1;
        ALTER TABLE product ADD COLUMN delisted INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX product_delisted ON product (delisted) WHERE delisted > 0;
        ALTER TABLE removal ADD COLUMN listed INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE scope (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE offer (
            scope INTEGER NOT NULL, product INTEGER NOT NULL, listed INTEGER, price TEXT,
            currency TEXT, dated_prices TEXT, revision INTEGER NOT NULL,
            PRIMARY KEY (scope, product)) STRICT, WITHOUT ROWID;
        CREATE INDEX offer_product ON offer (product);
        CREATE INDEX offer_revision ON offer (scope, revision) WHERE revision > 0;
        CREATE TABLE waiting_offer (
            id TEXT NOT NULL, scope INTEGER NOT NULL, listed INTEGER NOT NULL, price TEXT,
            currency TEXT, dated_prices TEXT, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        UPDATE product SET listed = NULL WHERE id = 'b';
        INSERT INTO scope VALUES (1, 'airport'), (2, 'alps'), (3, 'harbour');
        INSERT INTO offer VALUES
            (1, 1, 1, '0.99', 'EUR', '0.95 EUR 3000000 4000000', 1), (2, 5, 1, NULL, NULL, NULL, 0),
            (2, 1, NULL, NULL, NULL, NULL, 1), (1, 99, NULL, NULL, NULL, NULL, 2);
        INSERT INTO waiting_offer VALUES ('gone', 1, 1, '9.99', 'EUR', NULL);
        INSERT INTO removal VALUES (99, 'gone', 2, 1);
        """,
    ]

    private func make(schema: Int) throws {
        let sql = Self.steps.prefix(schema).joined() + "PRAGMA user_version = \(schema);"
        let made = try run("sqlite3", path, sql)
        try #require(made.status == 0, "\(made.output)")
    }

    @Test(arguments: 1...4) func anOlderFileIsConvertedForWritersAndRefusedForReaders(
        schema: Int
    ) throws {
        try make(schema: schema)
        #expect(throws: CatalogError.olderSchema(path: path)) { try CatalogFile(path: path) }
        let catalog = try CatalogFile(path: path, access: .changing)
        let pencil = try #require(try catalog.product(id: "a"))
        #expect(pencil.codes == ["4006381333931", "KW"])
        #expect(pencil.price?.description == "0.89 EUR")
        #expect([pencil.name, pencil.unit] == ["Pencil", "pcs"])
        #expect(pencil.attributes == ["colour": "red"])
        let times: [[Int64?]] = schema < 3 ? [] : [[2_000_000, nil], [nil, 1_000_000]]
        #expect(pencil.datedPrices.map { [$0.from, $0.until] } == times)
        #expect(try catalog.id(scanning: "04006381333931") == "a")
        #expect(try catalog.product(id: "b")?.codes == ["kw"])
        #expect(try CatalogFile(path: path).count() == (schema < 2 ? 2 : 3))
        try expectTables()
    }

    /// Products that `write_back` stored are dropped, because their prices were never refreshed.
    @Test func whatWasWrittenBackAndLeftUnchangedIsDropped() throws {
        try make(schema: 2)
        let catalog = try CatalogFile(path: path, access: .writing)
        #expect(try catalog.product(id: "w") == nil)
        #expect(try catalog.product(id: "x")?.name == "mine")
    }

    @Test func shopsKeepWhatTheyHave() throws {
        try make(schema: 4)
        let catalog = try CatalogFile(path: path, access: .writing)
        func ids(_ shop: String) throws -> [String] {
            var ids: [String] = []
            let scope: CatalogScope = try #require(CatalogScope(shop))
            try catalog.forEachProduct(in: scope) { ids.append($0.id) }
            return ids
        }
        #expect(try ids("airport") == ["a", "x"])
        #expect(try ids("alps") == ["a", "b", "x"])
        #expect(try ids("harbour") == ["a", "x"])
        try catalog.forEachProduct(in: CatalogScope("airport")) { product in
            guard product.id == "a" else { return }
            #expect(product.price?.amount == "0.99")
            #expect(product.datedPrices.map(\.from) == [3_000_000])
        }
        #expect(try !catalog.exported().contains("9.99"))
    }

    private func expectTables() throws {
        let tables = try run(
            "sqlite3", path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        #expect(tables.output == "code\noffer\nproduct\n")
        #expect(try run("sqlite3", path, "PRAGMA integrity_check").output == "ok\n")
    }
}
