import GRDB

/// Temporary tables that collect rows without locking the catalog; one transaction then finds the products that the
/// rows describe, compares the old and the new state, and writes the differences.
///
/// - `item`: the products that the rows describe, by id or by the key of the first code, in the order of the rows.
/// - `known`: the product numbers of the items that are in the catalog; the other items are new.
/// - `staged`: the rows, see ``Kind``; `staged_code`: their codes, once for each key.
/// - `source`: for each item and scope, the row that describes the product or its offer.
/// - `dated`: the dated prices of each item and scope, in the order of their precedence.
/// - `moved`: the codes that rows take from another product.
/// - `without_row`: the products and offers that change or are removed although no row describes them.
/// - `recoded` and `new_code`: the products whose codes change, and all their new codes.
/// - `change`: the existing products and offers that differ, in their new state.
final class Staging {
    /// The content of a staged row; its raw value is stored in the column `kind`.
    ///
    /// A `usual` row describes a product or offer with its usual price, and a `dated` row a dated price. An `article`
    /// row describes an article that only certain shops sell; it combines the rows for these shops. In the table
    /// `without_row`, `kind` is 3 for a removed product or offer, and 4 for a product that loses a code.
    enum Kind: Int64 { case article, usual, dated }

    let db: Database
    /// The columns of the imported file; nil if complete products are staged instead.
    let columns: ColumnMap?
    let scope: CatalogScope?
    let isWhole: Bool
    var firstNew: Int64 = 1
    private(set) var rowCount = 0
    private(set) var itemCount: Int64 = 0
    private(set) var hasItemsByKey = false
    private(set) var hasShops = false
    /// Whether any item has dated prices or may have several rows.
    private(set) var hasRepeatedItems = false
    private var hasUndecided = false
    private var line = 0
    private let insertItem, findItem, insertRow, insertCode: Statement

    init(
        _ db: Database, _ columns: ColumnMap? = nil, scope: CatalogScope? = nil, isWhole: Bool
    ) throws {
        (self.db, self.columns, self.scope, self.isWhole) = (db, columns, scope, isWhole)
        // An earlier import may have left its tables.
        let drop = """
            SELECT 'DROP ' || type || ' temp.' || name FROM temp.sqlite_schema
            WHERE type IN ('table', 'view') ORDER BY type DESC
            """
        for statement in try String.fetchAll(db, sql: drop) { try db.execute(sql: statement) }
        try db.execute(sql: Self.tables)
        func insertion(_ target: String, _ count: Int) throws -> Statement {
            let values = repeatElement("?", count: count).joined(separator: ", ")
            return try db.makeStatement(sql: "INSERT \(target) VALUES (\(values))")
        }
        insertItem = try insertion("OR IGNORE INTO temp.item", 3)
        insertRow = try insertion("INTO temp.staged", 14)
        insertCode = try insertion("INTO temp.staged_code", 5)
        findItem = try db.makeStatement(
            sql: "SELECT number FROM temp.item WHERE by_key = ? AND name = ?")
    }

    private static let tables = """
        CREATE TEMP TABLE item (
            by_key INTEGER, name TEXT, number INTEGER, PRIMARY KEY (by_key, name)) WITHOUT ROWID;
        CREATE TEMP TABLE known (item INTEGER PRIMARY KEY, product INTEGER);
        CREATE TEMP TABLE staged (
            item INTEGER, scope TEXT, kind INTEGER, line INTEGER, id TEXT, by_key INTEGER, listed INTEGER,
            name TEXT, unit TEXT, attributes TEXT, price TEXT, currency TEXT, valid_from INTEGER,
            valid_until INTEGER, PRIMARY KEY (item, scope, kind, line)) WITHOUT ROWID;
        CREATE TEMP TABLE staged_code (
            item INTEGER, line INTEGER, position INTEGER, key TEXT, text TEXT,
            PRIMARY KEY (item, line, position, key)) WITHOUT ROWID;
        CREATE TEMP TABLE dated (
            item INTEGER, scope TEXT, position INTEGER, price TEXT, currency TEXT, valid_from INTEGER,
            valid_until INTEGER, PRIMARY KEY (item, scope, position)) WITHOUT ROWID;
        CREATE TEMP TABLE moved (
            product INTEGER, key TEXT, text TEXT, item INTEGER, line INTEGER,
            PRIMARY KEY (product, key)) WITHOUT ROWID;
        CREATE TEMP TABLE recoded (product INTEGER PRIMARY KEY);
        CREATE TEMP TABLE new_code (
            product INTEGER, position INTEGER, key TEXT, text TEXT,
            PRIMARY KEY (product, position, key)) WITHOUT ROWID;
        CREATE TEMP TABLE without_row (
            product INTEGER, scope TEXT, kind INTEGER, listed INTEGER, PRIMARY KEY (product, scope)
        ) WITHOUT ROWID;
        CREATE TEMP TABLE change (
            product INTEGER, scope TEXT, source INTEGER, kind INTEGER, is_new INTEGER,
            old_price TEXT, new_price TEXT, has_other_texts INTEGER, has_other_times INTEGER,
            name TEXT, unit TEXT, attributes TEXT, listed INTEGER, price TEXT, currency TEXT,
            PRIMARY KEY (product, scope)) WITHOUT ROWID;
        """

    func says(_ fields: CatalogField...) -> Bool {
        columns.map { columns in fields.contains { columns.columns[$0] != nil } } ?? true
    }

    /// Whether the file has a column for the shop of each row.
    var saysScope: Bool { columns != nil && says(.scope) }

    /// Stages a row's draft, which must have an id or a code.
    func add(_ draft: ProductDraft, line: Int) throws {
        let item = try number(of: draft)
        if !draft.isDated {
            try insert(.usual, draft, draft.prices.first { !$0.isDated }, item, line)
        }
        // Each dated price of a complete product has a line number of its own.
        for (index, dated) in draft.prices.filter(\.isDated).enumerated() {
            hasRepeatedItems = true
            try insert(.dated, draft, dated, item, line + index)
        }
        try add(draft.codes, item, line)
        rowCount += 1
        if draft.scope != nil { hasShops = true }
    }

    func add(_ product: Product) throws {
        line += 1
        var texts = [product.id, product.name ?? "", product.unit ?? ""] + product.codes
        texts += product.attributes.flatMap { [$0.key, $0.value] }
        // SQLite reads text up to its first NUL.
        if texts.contains(where: { $0.utf8.contains(0) }) {
            throw InvalidRow(line: line, reason: .nulCharacter(column: "of a text"))
        }
        var draft = ProductDraft(product)
        draft.isListed = true
        draft.prices = product.price.map { [.init(amount: $0.amount, currency: $0.currency)] } ?? []
        draft.prices += product.datedPrices.map { dated in
            let (amount, currency) = (dated.price.amount, dated.price.currency)
            return .init(amount: amount, currency: currency, from: dated.from, until: dated.until)
        }
        try add(draft, line: line)
        line += max(0, product.datedPrices.count - 1)
    }

    func insert(
        _ kind: Kind, _ draft: ProductDraft, _ price: ProductDraft.Price?, _ item: Int64,
        _ line: Int
    ) throws {
        if price?.isOpen == true { hasUndecided = true }
        try insertRow.run(
            db, item, draft.scope?.name ?? "", kind.rawValue, line, draft.id ?? draft.codes.first,
            draft.id == nil, draft.isListed, draft.name, draft.unit,
            AttributesText.text(draft.attributes), price?.amount, price?.currency.code, price?.from,
            price?.until)
    }

    func add(_ codes: [String], _ item: Int64, _ line: Int) throws {
        for (position, code) in codes.enumerated() {
            for key in CodeKeys(code).all {
                try insertCode.run(db, item, line, position, key, code)
            }
        }
    }

    private func number(of draft: ProductDraft) throws -> Int64 {
        let isByKey = draft.id == nil
        if isByKey { hasItemsByKey = true }
        let name = draft.id ?? draft.codes.first.map { CodeKeys($0).first }
        try insertItem.run(db, isByKey, name, itemCount + 1)
        guard db.changesCount == 0 else {
            itemCount += 1
            return itemCount
        }
        hasRepeatedItems = true
        return try findItem.run(db, isByKey, name) ?? 0
    }

    /// Resolves ambiguous amounts with `price`; removes and returns rows that stay ambiguous.
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
        // A row may have two undecided prices, the usual one and a dated one.
        let open =
            "SELECT line, item, min(substr(price, 2)) FROM temp.staged WHERE \(isOpen) GROUP BY 1, 2"
        return try takeOut(open) { .price(.ambiguous(text: $0[2])) }
    }

    /// Removes and returns the rows whose line and item the query selects.
    func takeOut(_ sql: String, because reason: (Row) -> InvalidRow.Reason) throws -> [InvalidRow] {
        try Row.fetchAll(db, sql: sql).map { row in
            try takeOut(line: row[0], item: row[1])
            return InvalidRow(line: row[0], reason: reason(row))
        }
    }

    func takeOut(line: Int64, item: Int64) throws {
        for table in ["staged", "staged_code"] {
            let sql = "DELETE FROM temp.\(table) WHERE item = ? AND line = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [item, line])
        }
        rowCount -= 1
    }
}

extension ProductDraft {
    init(_ product: Product) {
        (id, codes, attributes) = (product.id, product.codes, product.attributes)
        (name, unit) = (product.name, product.unit)
    }
}
