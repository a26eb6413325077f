import GRDB
import WireText

/// The tables of a catalog file.
///
/// - `product`: `number` follows the order of import; `attributes` is a JSON object with string values, or null.
/// - `code`: one row for each key of each code (see `CodeKeys`).
/// - `offer`: the products that a shop sells, and their prices; the scope `''` means all shops. The row at position 0
///   says whether the shop sells the product, and contains the usual price, if any. Later rows contain dated prices,
///   highest precedence first. A product without an offer for all shops is sold by certain shops only. Rows for product
///   0 hold other data: position -1 registers a shop, even one without offers; position -2 has the last write's time.
enum CatalogSchema {
    /// The schema version that this code reads and writes; older catalogs must be migrated first.
    static let version = 5
    /// The `application_id` that marks a catalog file: `kwCa` in ASCII.
    static let applicationID = 0x6B77_4361

    private static let tables = """
        CREATE TABLE product (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT, unit TEXT, attributes TEXT
        ) STRICT;
        CREATE TABLE IF NOT EXISTS code (
            product INTEGER NOT NULL REFERENCES product (number), position INTEGER NOT NULL,
            key TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (product, position, key)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE offer (
            product INTEGER NOT NULL REFERENCES product (number), scope TEXT NOT NULL,
            position INTEGER NOT NULL, listed INTEGER, price TEXT, currency TEXT,
            valid_from INTEGER, valid_until INTEGER, PRIMARY KEY (product, scope, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX offer_scope ON offer (scope) WHERE scope <> '';
        \(codeIndices)
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """

    static let codeIndices = """
        CREATE UNIQUE INDEX code_key ON code (key, product, position);
        CREATE INDEX code_folded ON code (key COLLATE NOCASE) WHERE \(hasLetters);
        """

    static let hasLetters = "key GLOB '*[A-Za-z]*'"

    /// Checks that a file is a catalog; creates or migrates its tables if `access` allows it.
    static func prepare(_ db: Database, path: String, for access: CatalogFile.Access) throws {
        let found = try knownVersion(db, path: path, mayBeEmpty: access == .writing)
        guard found < version else { return }
        guard access != .reading else { throw CatalogError.olderSchema(path: path) }
        // With a write-ahead log, lookups continue during an import. The file stores this mode.
        if found == 0 { try db.execute(sql: "PRAGMA journal_mode = WAL") }
        try db.inTransaction(.immediate) {
            // Another process may have prepared the file in the meantime.
            let found = try knownVersion(db, path: path, mayBeEmpty: access == .writing)
            if found == 0 {
                try db.execute(sql: tables)
            } else if found < version {
                try migrate(db, from: found)
            }
            return .commit
        }
    }

    /// Returns a supported schema version, or 0 for an empty file if `mayBeEmpty`; otherwise throws.
    private static func knownVersion(_ db: Database, path: String, mayBeEmpty: Bool) throws -> Int {
        let sql = """
            SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
            FROM pragma_user_version, pragma_application_id
            """
        let row = try Row.fetchOne(db, sql: sql)
        let (found, id, tables): (Int, Int, Int) = (row?[0] ?? 0, row?[1] ?? 0, row?[2] ?? 0)
        if found == 0, id != applicationID, tables == 0, mayBeEmpty { return 0 }
        guard id == applicationID, found > 0 else { throw CatalogError.notACatalog(path: path) }
        guard found <= version else {
            throw CatalogError.newerSchema(path: path, found: found, supported: version)
        }
        return found
    }

    /// Migrates a catalog with schema version 1, 2, 3 or 4.
    ///
    /// Drops tables that are no longer used. Also drops products that were copied from a web service and never edited,
    /// because their prices are out of date.
    private static func migrate(_ db: Database, from found: Int) throws {
        let missing = [
            3: "ALTER TABLE product ADD COLUMN dated_prices TEXT",
            4: """
            ALTER TABLE product ADD COLUMN listed INTEGER DEFAULT 1;
            CREATE TABLE scope (number, name);
            CREATE TABLE offer (scope, product, listed, price, currency, dated_prices);
            """,
        ]
        for version in found + 1..<version {
            try db.execute(sql: missing[version] ?? "")
        }
        // The table `code` stays as it is, and still refers to `product`. Older schemas store dated
        // prices as lines of text, such as `0.50 EUR 1700000000000000 -`.
        try db.execute(
            sql: """
                PRAGMA legacy_alter_table = 1;
                ALTER TABLE product RENAME TO old_product;
                ALTER TABLE offer RENAME TO old_offer;
                PRAGMA legacy_alter_table = 0;
                DROP INDEX code_key;
                \(tables)
                INSERT INTO product SELECT number, id, name, unit, attributes FROM old_product;
                CREATE TEMP VIEW old AS
                SELECT number AS product, '' AS scope, listed, price, currency, dated_prices
                FROM old_product WHERE listed IS NOT NULL
                UNION ALL SELECT o.product, s.name, o.listed, o.price, o.currency, o.dated_prices
                FROM old_offer AS o JOIN scope AS s ON s.number = o.scope
                WHERE o.listed IS NOT NULL AND o.product IN (SELECT number FROM product);
                INSERT INTO offer SELECT product, scope, 0, listed, price, currency, NULL, NULL FROM old;
                INSERT INTO offer SELECT 0, name, -1, NULL, NULL, NULL, NULL, NULL FROM scope;
                INSERT INTO offer
                SELECT product, scope, key + 1, NULL, value ->> 0, value ->> 1,
                    nullif(value ->> 2, '-'), nullif(value ->> 3, '-')
                FROM old, json_each('[["' || replace(
                    replace(dated_prices, ' ', '","'), char(10), '"],["') || '"]]');
                DROP VIEW temp.old;
                """)
        if try db.tableExists("written_back") { try dropWrittenBack(db) }
        let drop = """
            SELECT group_concat('DROP TABLE ' || name, ';') FROM sqlite_schema
            WHERE type = 'table' AND name NOT IN ('product', 'code', 'offer') AND name NOT LIKE 'sqlite%'
            """
        try db.execute(sql: try String.fetchOne(db, sql: drop) ?? "")
    }

    private static func dropWrittenBack(_ db: Database) throws {
        let sql = "SELECT p.number, w.text FROM written_back AS w JOIN product AS p USING (id)"
        for row in try Row.fetchAll(db, sql: sql) {
            let number: Int64 = row[0]
            let product = try ProductRows.product(db, where: "p.number = ?", number)
            guard let product, JSONWriter.text(of: product.jsonValue) == row[1] else { continue }
            for place in ["offer WHERE product", "code WHERE product", "product WHERE number"] {
                try db.execute(sql: "DELETE FROM \(place) = \(number)")
            }
        }
    }
}
