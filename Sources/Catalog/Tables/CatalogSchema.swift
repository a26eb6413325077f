import GRDB

/// The tables of a catalog file.
///
/// The file says by SQLite's `application_id` that it is a catalog and by `user_version` of which
/// schema: both lie in its first page, so that opening costs one statement.
///
/// - `product`: `number` counts up in the order of import; `attributes` is a JSON object of texts,
///   or null.
/// - `code`: one row for each code and each key it is found under (see `CodeKeys`); `position`
///   is the code's place in the product.
/// - `offer`: what a shop has, and at which prices; the scope `''` is what all shops have. Position 0
///   says whether the product is listed, and the usual price if there is one; the positions from 1 on
///   are the prices for a time in the order in which they count, with times in microseconds since
///   1970. A product without an offer for all shops is one that only shops' rows have named. A row of
///   product 0 at position -1 says that there is such a shop, which may have nothing of its own.
enum CatalogSchema {
    /// The schema this code writes, and the only one it reads.
    static let version = 5
    /// "kwCa".
    static let applicationID = 0x6B77_4361

    private static let product = """
        CREATE TABLE product (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT,
            unit TEXT,
            attributes TEXT
        ) STRICT
        """

    private static let code = """
        CREATE TABLE code (
            product INTEGER NOT NULL REFERENCES product (number),
            position INTEGER NOT NULL,
            key TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (product, position, key)
        ) STRICT, WITHOUT ROWID
        """

    private static let offer = """
        CREATE TABLE offer (
            product INTEGER NOT NULL REFERENCES product (number),
            scope TEXT NOT NULL,
            position INTEGER NOT NULL,
            listed INTEGER,
            price TEXT,
            currency TEXT,
            valid_from INTEGER,
            valid_until INTEGER,
            PRIMARY KEY (product, scope, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX offer_scope ON offer (scope) WHERE scope <> ''
        """

    /// The indices of codes; the second finds a code in capital or small letters.
    private static let codeIndices = [
        "code_key": "CREATE UNIQUE INDEX code_key ON code (key, product, position)",
        "code_folded": """
        CREATE INDEX code_folded ON code (key COLLATE NOCASE)
        WHERE \(hasLetters(of: "key"))
        """,
    ]

    /// The condition for a key with letters, as the index of such keys has it.
    static func hasLetters(of key: String) -> String { "\(key) GLOB '*[A-Za-z]*'" }

    /// Makes sure that a file is a catalog this code can read.
    static func validate(_ db: Database, path: String) throws {
        let found = try knownVersion(db, path: path)
        guard found == version else { throw CatalogError.olderSchema(path: path) }
    }

    /// Creates the tables in an empty file, if it may become a catalog, or converts those of an older one.
    static func prepare(_ db: Database, path: String, makesCatalog: Bool) throws {
        let (found, isOurs) = try state(db)
        if found > 0 || isOurs || !makesCatalog {
            guard try knownVersion(db, path: path) < version else { return }
        } else {
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard tables == 0 else { throw CatalogError.notACatalog(path: path) }
            // Lookups go on during an import. The mode is kept in the file.
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try db.inTransaction(.immediate) {
            // Another process may have been faster.
            let found = try state(db).version
            if found == 0 { try build(db) } else if found < version { try migrate(db, from: found) }
            return .commit
        }
    }

    /// Drops the indices of codes while `body` writes more codes than there are: an index that is made
    /// of sorted rows is a third smaller, and takes a fraction of the time.
    static func withoutCodeIndices(_ db: Database, _ body: () throws -> Void) throws {
        for name in codeIndices.keys { try db.execute(sql: "DROP INDEX \(name)") }
        try body()
        try buildCodeIndices(db)
    }

    private static func buildCodeIndices(_ db: Database) throws {
        for index in codeIndices.values.sorted() { try db.execute(sql: index) }
    }

    private static func build(_ db: Database) throws {
        for table in [product, code, offer] { try db.execute(sql: table) }
        try buildCodeIndices(db)
        try setVersion(db)
    }

    private static func setVersion(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                """)
    }

    private static func knownVersion(_ db: Database, path: String) throws -> Int {
        let (found, isOurs) = try state(db)
        guard isOurs, found > 0 else { throw CatalogError.notACatalog(path: path) }
        guard found <= version else {
            throw CatalogError.newerSchema(path: path, found: found, supported: version)
        }
        return found
    }

    private static func state(_ db: Database) throws -> (version: Int, isOurs: Bool) {
        let sql =
            "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"
        guard let row = try Row.fetchOne(db, sql: sql) else { return (0, false) }
        return (row[0], row[1] == applicationID)
    }
}

/// Files of earlier versions.
extension CatalogSchema {
    /// Converts the tables of schema 1 to 4.
    ///
    /// Revisions, removals and what was followed are dropped. So are products that were written back
    /// from a web service and left unchanged: their prices were never asked for again.
    private static func migrate(_ db: Database, from found: Int) throws {
        if found < 3 { try db.execute(sql: "ALTER TABLE product ADD COLUMN dated_prices TEXT") }
        if found < 4 {
            try db.execute(
                sql: """
                    ALTER TABLE product ADD COLUMN listed INTEGER DEFAULT 1;
                    CREATE TABLE scope (number, name);
                    CREATE TABLE offer (scope, product, listed, price, currency, dated_prices);
                    """)
        }
        try db.execute(sql: "ALTER TABLE offer RENAME TO old_offer; \(offer)")
        try moveOffers(db)
        try db.execute(
            sql: """
                CREATE TABLE new_product \(product.trimmingPrefix("CREATE TABLE product"));
                INSERT INTO new_product SELECT number, id, name, unit, attributes FROM product;
                DROP TABLE product;
                ALTER TABLE new_product RENAME TO product;
                DROP INDEX code_key;
                """)
        try buildCodeIndices(db)
        try dropWrittenBack(db)
        let others = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema WHERE type = 'table'
                    AND name NOT IN ('product', 'code', 'offer') AND name NOT LIKE 'sqlite%'
                """)
        for table in others { try db.execute(sql: "DROP TABLE \(table)") }
        try setVersion(db)
    }

    private static func moveOffers(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TEMP VIEW old AS
                SELECT number AS product, '' AS scope, listed, price, currency, dated_prices
                FROM product WHERE listed IS NOT NULL
                UNION ALL
                SELECT o.product, s.name, o.listed, o.price, o.currency, o.dated_prices
                FROM old_offer AS o JOIN scope AS s ON s.number = o.scope
                WHERE o.listed IS NOT NULL AND o.product IN (SELECT number FROM product);
                INSERT INTO offer
                SELECT product, scope, 0, listed, price, currency, NULL, NULL FROM old;
                INSERT INTO offer SELECT 0, name, -1, NULL, NULL, NULL, NULL, NULL FROM scope;
                """)
        let insert = try db.makeStatement(
            sql: "INSERT INTO offer VALUES (?, ?, ?, NULL, ?, ?, ?, ?)")
        let dated = "SELECT product, scope, dated_prices FROM old WHERE dated_prices IS NOT NULL"
        for row in try Row.fetchAll(db, sql: dated) {
            for (index, dated) in DatedPricesText.prices(row[2]).enumerated() {
                try insert.run(
                    db, row[0] as Int64, row[1] as String, index + 1, dated.price.amount,
                    dated.price.currency.code, dated.from, dated.until)
            }
        }
        try db.execute(sql: "DROP VIEW temp.old")
    }

    private static func dropWrittenBack(_ db: Database) throws {
        guard try db.tableExists("written_back") else { return }
        for row in try Row.fetchAll(db, sql: "SELECT id, text FROM written_back") {
            guard let found = try ProductRows.product(db, id: row[0]), found.product.json == row[1]
            else { continue }
            for (table, key) in [("offer", "product"), ("code", "product"), ("product", "number")] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE \(key) = ?", arguments: [found.number])
            }
        }
    }
}
