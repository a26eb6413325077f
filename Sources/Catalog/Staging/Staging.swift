import GRDB

/// Collects what is to be written in temporary tables, without a lock on the catalog.
///
/// A stalled pipe keeps nobody else from writing. When all rows are there, one transaction finds the
/// products they mean (``resolve(refusingMovedCodes:)``), compares old and new (``compare(removing:)``),
/// and writes what differs (``apply()``).
///
/// - `item`: the products that rows name, by their id, or by the key of their first code; numbered in
///   the order of their first row.
/// - `known`: the numbers of the items that are in the catalog; the others are new.
/// - `staged`: the rows, see ``Kind``; `staged_code`: their codes under each key.
/// - `source`: of each item and scope, the row that says what the product or its offer is. The scope `''`
///   is what all shops have.
/// - `dated`: the prices for a time of each item and scope, in the order in which they count.
/// - `moved`: the codes that go to another product, which a row has.
/// - `without_row`: the products and offers of the catalog that change or go although no row names them.
/// - `recoded` and `new_code`: the products of the catalog that get other codes, and all their codes then.
/// - `change`: the products and offers of the catalog's products that differ, as they are to be.
final class Staging {
    /// What a row says.
    enum Kind: Int64 {
        /// The texts and codes of an article that only shops have, worked out from their rows.
        case article = 0
        /// The product and its usual price, or what a shop has in their place.
        case usual = 1
        /// One more price, for a time.
        case dated = 2
        /// Nothing: a whole file leaves it out.
        case leftOut = 3
        /// Nothing, but a row of another product takes a code of it.
        case robbed = 4
    }

    /// The fields that rows set; all others stay as they are.
    struct Columns {
        var (codes, name, unit, price, listed) = (true, true, true, true, true)
        /// Prices for a time: those that no row has go.
        var times = true
        /// The scope of each row.
        var scope = false
        /// The names of attributes; nil for all of them.
        var attributes: Set<String>?
        /// The columns of a file; nil for products as they are.
        var map: ColumnMap?
    }

    let db: Database
    let columns: Columns
    /// The shop that all rows are of; nil if they may be of any.
    let scope: CatalogScope?
    /// Whether what the rows do not name goes.
    let isWhole: Bool

    /// The number of the first product that is new.
    var firstNew: Int64 = 1
    /// The rows that say something about a product or an offer.
    private(set) var rowCount = 0
    private(set) var itemCount: Int64 = 0
    private(set) var hasItemsByKey = false
    private(set) var hasShops = false
    /// Whether an item may have more than one row, or prices for a time.
    private(set) var hasRepeatedItems = false
    private var hasUndecided = false
    /// The last number of a line that was given to a product.
    private var line = 0

    private let insertItem: Statement
    private let findItem: Statement
    private let insertRow: Statement
    private let insertCode: Statement

    /// Makes the tables.
    init(
        _ db: Database, _ columns: Columns, scope: CatalogScope? = nil, isWhole: Bool
    ) throws {
        self.db = db
        self.columns = columns
        self.scope = scope
        self.isWhole = isWhole
        try Self.drop(db)
        try db.execute(sql: Self.tables)
        insertItem = try db.makeStatement(
            sql: "INSERT INTO temp.item VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
        findItem = try db.makeStatement(
            sql: "SELECT number FROM temp.item WHERE by_key = ? AND name = ?")
        insertRow = try db.makeStatement(
            sql: "INSERT INTO temp.staged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insertCode = try db.makeStatement(
            sql: "INSERT INTO temp.staged_code VALUES (?, ?, ?, ?, ?)")
    }

    private static let tables = """
        CREATE TEMP TABLE item (
            by_key INTEGER, name TEXT, number INTEGER, PRIMARY KEY (by_key, name)) WITHOUT ROWID;
        CREATE TEMP TABLE known (item INTEGER PRIMARY KEY, product INTEGER);
        CREATE TEMP TABLE staged (
            item INTEGER, scope TEXT, kind INTEGER, line INTEGER, id TEXT, by_key INTEGER,
            listed INTEGER, name TEXT, unit TEXT, attributes TEXT, price TEXT, currency TEXT,
            valid_from INTEGER, valid_until INTEGER,
            PRIMARY KEY (item, scope, kind, line)) WITHOUT ROWID;
        CREATE TEMP TABLE staged_code (
            item INTEGER, line INTEGER, position INTEGER, key TEXT, text TEXT,
            PRIMARY KEY (item, line, position, key)) WITHOUT ROWID;
        CREATE TEMP TABLE dated (
            item INTEGER, scope TEXT, position INTEGER, price TEXT, currency TEXT,
            valid_from INTEGER, valid_until INTEGER,
            PRIMARY KEY (item, scope, position)) WITHOUT ROWID;
        CREATE TEMP TABLE moved (
            product INTEGER, key TEXT, text TEXT, item INTEGER, line INTEGER,
            PRIMARY KEY (product, key)) WITHOUT ROWID;
        CREATE TEMP TABLE recoded (product INTEGER PRIMARY KEY);
        CREATE TEMP TABLE new_code (
            product INTEGER, position INTEGER, key TEXT, text TEXT,
            PRIMARY KEY (product, position, key)) WITHOUT ROWID;
        CREATE TEMP TABLE without_row (
            product INTEGER, scope TEXT, kind INTEGER, listed INTEGER,
            PRIMARY KEY (product, scope)) WITHOUT ROWID;
        CREATE TEMP TABLE change (
            product INTEGER, scope TEXT, source INTEGER, kind INTEGER, is_new INTEGER,
            old_price TEXT, new_price TEXT, has_other_texts INTEGER, has_other_times INTEGER,
            name TEXT, unit TEXT, attributes TEXT, listed INTEGER, price TEXT, currency TEXT,
            PRIMARY KEY (product, scope)) WITHOUT ROWID;
        """

    /// Drops the tables of an earlier time.
    static func drop(_ db: Database) throws {
        let sql = """
            SELECT 'DROP ' || type || ' temp.' || name FROM temp.sqlite_schema
            WHERE type IN ('table', 'view') ORDER BY type DESC
            """
        for statement in try String.fetchAll(db, sql: sql) { try db.execute(sql: statement) }
    }

    /// Adds a row of a file; it has an id or a code.
    func add(_ draft: ProductDraft, line: Int) throws {
        let keys = draft.codes.map { CodeKeys($0).all }
        let item = try number(of: draft, firstKey: keys.first?.first)
        let attributes = AttributesText.text(draft.attributes)
        func insert(_ kind: Kind, _ line: Int, _ price: ProductDraft.Price?) throws {
            if price?.isOpen == true { hasUndecided = true }
            if kind == .dated { hasRepeatedItems = true }
            try insertRow.run(
                db, item, draft.scope?.name ?? "", kind.rawValue, line,
                draft.id ?? draft.codes.first, draft.id == nil, draft.isListed, draft.name,
                draft.unit, attributes, price?.amount, price?.currency.code, price?.from,
                price?.until)
        }
        if !draft.isDated { try insert(.usual, line, draft.prices.first { !$0.isDated }) }
        // Each price for a time of a product has a line of its own.
        for (index, dated) in draft.prices.filter(\.isDated).enumerated() {
            try insert(.dated, line + index, dated)
        }
        try add(draft.codes, keys, item: item, line: line)
        rowCount += 1
        if draft.scope != nil { hasShops = true }
    }

    /// Adds a product with everything it has.
    func add(_ product: Product) throws {
        line += 1
        let texts = [product.id, product.name ?? "", product.unit ?? ""] + product.codes
        // SQLite reads a text up to its first NUL.
        guard
            !(texts + product.attributes.flatMap { [$0.key, $0.value] }).contains(
                where: { $0.utf8.contains(0) })
        else { throw InvalidRow(line: line, reason: .nulCharacter(column: "of a text")) }
        var draft = ProductDraft()
        (draft.id, draft.codes, draft.isListed) = (product.id, product.codes, true)
        (draft.name, draft.unit, draft.attributes) = (
            product.name, product.unit, product.attributes
        )
        draft.prices = product.price.map { [.init(amount: $0.amount, currency: $0.currency)] } ?? []
        draft.prices += product.datedPrices.map {
            .init(
                amount: $0.price.amount, currency: $0.price.currency, from: $0.from, until: $0.until
            )
        }
        try add(draft, line: line)
        line += max(0, product.datedPrices.count - 1)
    }

    /// Adds what only shops have, as the row on a line says it.
    func add(article product: Product, item: Int64, line: Int64) throws {
        try insertRow.run(
            db, item, "", Kind.article.rawValue, -line, product.id, false, nil as Int64?,
            product.name, product.unit, AttributesText.text(product.attributes), nil as String?,
            nil as String?, nil as Int64?, nil as Int64?)
        // The row's own codes stay under its own line.
        try add(
            product.codes, product.codes.map { CodeKeys($0).all }, item: item, line: Int(-line))
    }

    private func number(of draft: ProductDraft, firstKey: String?) throws -> Int64 {
        let isByKey = draft.id == nil
        if isByKey { hasItemsByKey = true }
        try insertItem.run(db, isByKey, draft.id ?? firstKey, itemCount + 1)
        guard db.changesCount == 0 else {
            itemCount += 1
            return itemCount
        }
        hasRepeatedItems = true
        return try findItem.number(db, isByKey, draft.id ?? firstKey) ?? 0
    }

    private func add(
        _ codes: [String], _ keys: [[String]], item: Int64, line: Int
    ) throws {
        for (position, code) in codes.enumerated() {
            for key in keys[position] { try insertCode.run(db, item, line, position, key, code) }
        }
    }

    /// Decides the prices that other rows have to decide; a `?` marks them in the table.
    func decidePrices(
        _ price: @escaping @Sendable (_ text: String, _ currency: Currency?) -> Price?
    ) throws -> [InvalidRow] {
        guard hasUndecided else { return [] }
        db.add(
            function: DatabaseFunction("decided", argumentCount: 2) { values in
                guard let text = String.fromDatabaseValue(values[0]) else { return nil }
                let currency = String.fromDatabaseValue(values[1]).flatMap { Currency($0) }
                return price(String(text.dropFirst()), currency)?.amount ?? text
            })
        let isOpen = "price >= '?' AND price < '@'"
        try db.execute(
            sql: "UPDATE temp.staged SET price = decided(price, currency) WHERE \(isOpen)")
        // A row may have two, the usual price and one for a time.
        let open = """
            SELECT line, item, min(substr(price, 2)) FROM temp.staged WHERE \(isOpen)
            GROUP BY line, item
            """
        return try takeOut(open) { .price(.ambiguous(text: $0[2])) }
    }

    /// Takes out the rows that a query names by line and item.
    func takeOut(
        _ sql: String, because reason: (Row) -> InvalidRow.Reason
    ) throws -> [InvalidRow] {
        try Row.fetchAll(db, sql: sql).map { row in
            try takeOut(line: row[0], item: row[1])
            return InvalidRow(line: row[0], reason: reason(row))
        }
    }

    /// Takes a row out.
    func takeOut(line: Int64, item: Int64) throws {
        for table in ["staged", "staged_code"] {
            let sql = "DELETE FROM temp.\(table) WHERE item = ? AND line = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [item, line])
        }
        rowCount -= 1
    }
}

extension Staging.Columns {
    /// The fields that a file has columns for.
    init(_ map: ColumnMap) {
        func has(_ field: CatalogField) -> Bool { map.columns[field] != nil }
        (codes, name, unit, price) = (has(.code), has(.name), has(.unit), has(.price))
        times = has(.validFrom) || has(.validUntil)
        (listed, scope) = (has(.listed), has(.scope))
        attributes = Set(map.attributes.map(\.name))
        self.map = map
    }
}
