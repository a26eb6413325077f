import GRDB

/// Collects what is to be written in temporary tables, without a lock on the catalog.
///
/// A stalled pipe keeps nobody else from writing. When everything is there, one transaction finds the
/// products that the rows mean (``resolve()``), compares old and new rows (``findChanges()``), and writes
/// what differs (``apply()``).
///
/// - `item`: the products that rows name, by their id, or by the key of their first code; numbered in the
///   order of their first row.
/// - `known`: the numbers of the items that are in the catalog.
/// - `staged`: the rows, see ``Kind``. The scope `''` is what all shops have.
/// - `staged_code`: their codes under each key; `names` marks the key by which a row without an id names
///   its product.
/// - `dated`: the prices for a time of each item and scope, in the order in which they count.
/// - `shop_row`: what shops have afterwards; `listed` null for an offer that goes.
/// - `change`: the products and offers that were there and differ, see `StagedChanges`.
/// - `gone`: the products that go.
final class Staging {
    /// What a row says.
    enum Kind: Int64 {
        /// All of a product's texts and codes, which this module has worked out; `listed` is null for an
        /// article that only shops have.
        case content = 0
        /// The product and its usual price, or what a shop has in their place.
        case usual = 1
        /// One more price, for a time.
        case dated = 2
    }

    let db: Database
    let columns: StagedColumns
    /// The shop that all rows are of; nil if they may be of any.
    let scope: CatalogScope?
    /// Whether what the rows do not name goes.
    let isWhole: Bool

    /// The number of the first product that is new.
    private(set) var firstNew: Int64 = 1

    private let insertItem: Statement
    private let findItem: Statement
    private let insertRow: Statement
    private let insertCode: Statement
    /// The last number of a line that was given to a row without one.
    private var line = 0
    private var itemCount: Int64 = 0
    private(set) var hasItemsByKey = false
    private(set) var hasShops = false
    private(set) var hasTimes = false
    private var hasUndecided = false
    /// The rows that say something about a product or an offer.
    var rowCount = 0

    /// Makes the tables.
    init(
        _ db: Database, _ columns: StagedColumns, scope: CatalogScope? = nil, isWhole: Bool
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
            sql: "INSERT INTO temp.staged_code VALUES (?, ?, ?, ?, ?, ?)")
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
            item INTEGER, line INTEGER, position INTEGER, key TEXT, text TEXT, names INTEGER,
            PRIMARY KEY (item, line, position, key)) WITHOUT ROWID;
        CREATE TEMP TABLE dated (
            item INTEGER, scope TEXT, position INTEGER, price TEXT, currency TEXT,
            valid_from INTEGER, valid_until INTEGER,
            PRIMARY KEY (item, scope, position)) WITHOUT ROWID;
        CREATE TEMP TABLE shop_row (
            product INTEGER, scope TEXT, item INTEGER, line INTEGER, listed INTEGER,
            price TEXT, currency TEXT, is_new INTEGER,
            PRIMARY KEY (product, scope)) WITHOUT ROWID;
        CREATE TEMP TABLE change (
            product INTEGER, scope TEXT, kind INTEGER, old_price TEXT, new_price TEXT,
            has_other_codes INTEGER, has_other_times INTEGER,
            PRIMARY KEY (product, scope)) WITHOUT ROWID;
        CREATE TEMP TABLE gone (product INTEGER PRIMARY KEY);
        CREATE TEMP TABLE moved (
            product INTEGER, key TEXT, text TEXT, item INTEGER, line INTEGER,
            PRIMARY KEY (product, key)) WITHOUT ROWID;
        """

    /// Finds the products that the rows mean, in the transaction that writes; takes out rows that
    /// contradict others, and returns them in the order of their lines.
    func resolve(refusingMovedCodes: Bool = false) throws -> [InvalidRow] {
        firstNew = (try Int64.fetchOne(db, sql: "SELECT max(number) FROM main.product") ?? 0) + 1
        var invalid = try findProducts()
        try makeState()
        invalid += try findMovedCodes(areRefused: refusingMovedCodes)
        return invalid.sorted { $0.line < $1.line }
    }

    /// Compares old and new rows; the products with these ids go.
    func compare(removing ids: [String] = []) throws {
        try findGone(ids: ids)
        try findUnlisted()
        try findChanges()
    }

    /// Drops the tables of an earlier time.
    static func drop(_ db: Database) throws {
        try db.execute(sql: "DROP VIEW IF EXISTS temp.source")
        for table in [
            "item", "known", "staged", "staged_code", "dated", "shop_row", "change", "gone",
            "moved",
        ] {
            try db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)")
        }
    }

    /// Adds a row of a file; it has an id or a code.
    func add(_ draft: ProductDraft, line: Int) throws {
        let keys = draft.codes.map { CodeKeys($0).all }
        let item = try number(of: draft, firstKey: keys.first?.first)
        let line = Int64(line)
        var row = Row(
            item: item, scope: draft.scope?.name ?? "", line: line,
            id: draft.id ?? draft.codes.first ?? "")
        row.isByKey = draft.id == nil
        row.isListed = draft.isListed
        row.texts = (draft.name, draft.unit, AttributesText.json(draft.attributes))
        let undecided = draft.undecidedPrices
        if !draft.isDated {
            row.price = draft.price
            row.undecided = undecided.first { $0.from == nil && $0.until == nil }
            try insert(row)
        }
        row.kind = .dated
        for (index, dated) in draft.datedPrices.enumerated() {
            row.line = line + Int64(index)
            (row.price, row.undecided) = (dated.price, nil)
            (row.from, row.until) = (dated.from, dated.until)
            try insert(row)
        }
        for dated in undecided where dated.from != nil || dated.until != nil {
            (row.price, row.undecided) = (nil, dated)
            (row.from, row.until) = (dated.from, dated.until)
            try insert(row)
        }
        try insert(draft.codes, keys, item: item, line: line, names: draft.id == nil)
        rowCount += 1
        if draft.scope != nil { hasShops = true }
    }

    /// Adds a product with everything it has.
    func add(_ product: Product) throws {
        line += 1
        let texts = [product.id, product.name ?? "", product.unit ?? ""] + product.codes
        guard
            !(texts + product.attributes.flatMap { [$0.key, $0.value] }).contains(
                where: Self.hasNUL)
        else { throw InvalidRow(line: line, reason: .nulCharacter(column: "of a text")) }
        var draft = ProductDraft()
        draft.id = product.id
        draft.codes = product.codes
        (draft.name, draft.price, draft.unit) = (product.name, product.price, product.unit)
        draft.attributes = product.attributes
        draft.datedPrices = product.datedPrices
        draft.isListed = true
        try add(draft, line: line)
        // Each price for a time has a line of its own.
        line += max(0, product.datedPrices.count - 1)
    }

    /// SQLite reads a text up to its first NUL.
    private static func hasNUL(_ text: String) -> Bool { text.utf8.contains(0) }

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
            SELECT item, line, min(substr(price, 2)) FROM temp.staged WHERE \(isOpen)
            GROUP BY line, item
            """
        return try GRDB.Row.fetchAll(db, sql: open).map { row in
            try remove(item: row[0], line: row[1])
            return InvalidRow(line: row[1], reason: .price(.ambiguous(text: row[2])))
        }
    }

    /// Sets the texts and codes of an item, as a row says them; `isCommon` tells whether it has an offer for
    /// all shops.
    func setContent(
        of item: Int64, to product: Product, line: Int64, isCommon: Bool
    ) throws {
        // The row's own codes stay under its own line.
        var row = Row(item: item, scope: "", line: -line, id: product.id)
        row.kind = .content
        row.isListed = isCommon ? true : nil
        row.texts = (product.name, product.unit, AttributesText.json(product.attributes))
        try insert(row)
        try insertCodes(product.codes, item: item, line: -line)
    }

    /// Gives a row other codes.
    func replaceCodes(item: Int64, line: Int64, by codes: [String]) throws {
        try db.execute(
            sql: "DELETE FROM temp.staged_code WHERE item = ? AND line = ?",
            arguments: [item, line])
        try insertCodes(codes, item: item, line: line)
        try db.execute(
            sql: "UPDATE temp.staged SET by_key = 0 WHERE item = ? AND line = ?",
            arguments: [item, line])
    }

    /// Adds an item for a product of the catalog that no row names.
    func addItem(of product: Int64) throws -> Int64 {
        itemCount += 1
        try db.execute(
            sql: "INSERT INTO temp.known VALUES (?, ?)", arguments: [itemCount, product])
        return itemCount
    }

    private func number(of draft: ProductDraft, firstKey: String?) throws -> Int64 {
        let isByKey = draft.id == nil
        if isByKey { hasItemsByKey = true }
        for statement in [insertItem, findItem] {
            statement.bind(isByKey ? 1 : 0, at: 1)
            statement.bind(draft.id ?? firstKey, at: 2)
        }
        insertItem.bind(itemCount + 1, at: 3)
        try insertItem.run(db)
        if db.changesCount > 0 {
            itemCount += 1
            return itemCount
        }
        return try findItem.firstNumber(db) ?? 0
    }

    private struct Row {
        var item: Int64
        var scope: String
        var kind = Kind.usual
        var line: Int64
        var id: String
        var isByKey = false
        var isListed: Bool?
        var texts: (name: String?, unit: String?, attributes: String?) = (nil, nil, nil)
        var price: Price?
        var undecided: UndecidedPrice?
        var from: Int64?
        var until: Int64?
    }

    private func insert(_ row: Row) throws {
        insertRow.bind(row.item, at: 1)
        insertRow.bind(row.scope, at: 2)
        insertRow.bind(row.kind.rawValue, at: 3)
        insertRow.bind(row.line, at: 4)
        insertRow.bind(row.id, at: 5)
        insertRow.bind(row.isByKey ? 1 : 0, at: 6)
        insertRow.bind(row.isListed.map { $0 ? 1 : 0 }, at: 7)
        insertRow.bind(row.texts.name, at: 8)
        insertRow.bind(row.texts.unit, at: 9)
        insertRow.bind(row.texts.attributes, at: 10)
        insertRow.bind(row.price?.amount ?? row.undecided.map { "?" + $0.text }, at: 11)
        insertRow.bind((row.price?.currency ?? row.undecided?.currency)?.code, at: 12)
        insertRow.bind(row.from, at: 13)
        insertRow.bind(row.until, at: 14)
        try insertRow.run(db)
        if row.kind == .dated { hasTimes = true }
        if row.undecided != nil { hasUndecided = true }
    }

    private func insertCodes(_ codes: [String], item: Int64, line: Int64) throws {
        try insert(
            codes, codes.map { CodeKeys($0).all }, item: item, line: line, names: false)
    }

    private func insert(
        _ codes: [String], _ keys: [[String]], item: Int64, line: Int64, names: Bool
    ) throws {
        for (position, code) in codes.enumerated() {
            for (index, key) in keys[position].enumerated() {
                insertCode.bind(item, at: 1)
                insertCode.bind(line, at: 2)
                insertCode.bind(Int64(position), at: 3)
                insertCode.bind(key, at: 4)
                insertCode.bind(code, at: 5)
                insertCode.bind(names && position == 0 && index == 0 ? 1 : 0, at: 6)
                try insertCode.run(db)
            }
        }
    }
}
