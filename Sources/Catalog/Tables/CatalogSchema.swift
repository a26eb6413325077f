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
/// - `revision`: the states of the catalog that changes can be told since, each with a random tag,
///   so that a copy that went its own way is not taken for this one. The highest is the present one.
/// - `product.revision`: in which revision the product last changed; 0 for what was there in the
///   first revision there is a row of. It is counted from there on, so that filling an empty
///   catalog need not keep the index of changes.
/// - `removal`: products that are gone, with the number they had; `number` is unique in `product`
///   and `removal` together.
/// - `product.dated_prices`: prices for a time (see `DatedPricesText`), or null.
/// - `product.listed`: whether every shop has the article: 1 or 0, or null where only rows of shops
///   have named it, which is as 0. `product.delisted`: in which revision it became 0, if it did.
/// - `scope` and `offer`: the shops, and what a shop has in place of what all have. An offer whose
///   `listed` is null was withdrawn: its row stays, for readers of changes. `offer.revision`: in
///   which revision it last changed what the shop has; 0 also for a shop that never had the article.
///   The offers of a product that is gone stay as long as its `removal`, whose `listed` says whether
///   shops without one are told of it.
/// - `upstream` and `synced`: the catalog that this one follows, and which products are from there.
enum CatalogSchema {
    /// The schema this code writes, and the newest it reads.
    static let version = 4
    /// "kwCa".
    static let applicationID = 0x6B77_4361

    /// The statements that bring a file from each schema to the next; the first from an empty file.
    private static let steps = [
        """
        CREATE TABLE product (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT,
            price TEXT,
            currency TEXT,
            unit TEXT,
            attributes TEXT
        ) STRICT;
        CREATE TABLE code (
            product INTEGER NOT NULL REFERENCES product (number),
            position INTEGER NOT NULL,
            key TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (product, position, key)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX code_key ON code (key, product, position);
        """,
        """
        ALTER TABLE product ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX product_revision ON product (revision) WHERE revision > 0;
        CREATE TABLE revision (
            number INTEGER PRIMARY KEY,
            tag TEXT NOT NULL
        ) STRICT;
        CREATE TABLE removal (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX removal_revision ON removal (revision);
        CREATE TABLE upstream (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            url TEXT NOT NULL,
            revision TEXT NOT NULL,
            run INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE synced (
            product INTEGER PRIMARY KEY,
            run INTEGER NOT NULL
        ) STRICT;
        INSERT INTO revision (number, tag) VALUES (1, \(RevisionLog.newTag));
        """,
        """
        ALTER TABLE product ADD COLUMN dated_prices TEXT;
        CREATE INDEX product_dated ON product (number) WHERE dated_prices IS NOT NULL;
        """,
        """
        ALTER TABLE product ADD COLUMN listed INTEGER DEFAULT 1;
        ALTER TABLE product ADD COLUMN delisted INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX product_delisted ON product (delisted) WHERE delisted > 0;
        ALTER TABLE removal ADD COLUMN listed INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE scope (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE offer (
            scope INTEGER NOT NULL,
            product INTEGER NOT NULL,
            listed INTEGER,
            price TEXT,
            currency TEXT,
            dated_prices TEXT,
            revision INTEGER NOT NULL,
            PRIMARY KEY (scope, product)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX offer_product ON offer (product);
        CREATE INDEX offer_revision ON offer (scope, revision) WHERE revision > 0;
        """,
    ]

    /// Lets the file of an older keywedge be read as one of this one; nothing is written to it.
    ///
    /// - Returns: Whether it is one.
    static func standIn(_ db: Database) throws -> Bool {
        let (found, isOurs) = try state(db)
        guard isOurs, found > 0, found < version else { return false }
        let revision = found < 2 ? "0 AS revision" : "revision"
        let datedPrices = found < 3 ? "NULL AS dated_prices" : "dated_prices"
        try db.execute(
            sql: """
                PRAGMA query_only = 0;
                PRAGMA temp_store = MEMORY;
                CREATE TEMP VIEW product AS
                SELECT number, id, name, price, currency, unit, attributes, \(revision),
                    \(datedPrices), 1 AS listed
                FROM main.product;
                PRAGMA query_only = 1;
                """)
        return true
    }

    /// Whether a file has the column of prices for a time.
    static func hasDatedPrices(_ db: Database) throws -> Bool { try state(db).version > 2 }

    /// Whether a file has the tables of shops.
    static func hasScopes(_ db: Database) throws -> Bool { try state(db).version > 3 }

    /// Whether a file is as this code writes it.
    static func isPresent(_ db: Database) throws -> Bool { try state(db).version == version }

    /// Makes sure that a file is a catalog this code can read.
    static func validate(_ db: Database, path: String) throws {
        let (found, isOurs) = try state(db)
        guard isOurs, found > 0 else { throw CatalogError.notACatalog(path: path) }
        guard found <= version else {
            throw CatalogError.newerSchema(path: path, found: found, supported: version)
        }
    }

    /// Whether a file has the tables that tell changes.
    static func tracksChanges(_ db: Database) throws -> Bool { try state(db).version >= 2 }

    /// Creates the tables in an empty file, or brings those of an older one up to date.
    static func prepare(_ db: Database, path: String) throws {
        let (found, isOurs) = try state(db)
        if found > 0 || isOurs {
            try validate(db, path: path)
            guard found < version else { return }
        } else {
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard tables == 0 else { throw CatalogError.notACatalog(path: path) }
            // Lookups go on while an import is under way. The mode is kept in the file.
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try db.inTransaction(.immediate) {
            try build(db, from: try state(db).version)
            return .commit
        }
    }

    /// Creates the tables of a schema, or what is missing to it.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - found: The schema it has; 0 for none.
    ///   - wanted: The schema it gets.
    /// - Throws: SQLite's error.
    static func build(_ db: Database, from found: Int = 0, to wanted: Int = version) throws {
        for step in steps[found..<wanted] { try db.execute(sql: step) }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(wanted)")
    }

    private static func state(_ db: Database) throws -> (version: Int, isOurs: Bool) {
        let sql =
            "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"
        guard let row = try Row.fetchOne(db, sql: sql) else { return (0, false) }
        return (row[0], row[1] == applicationID)
    }
}
