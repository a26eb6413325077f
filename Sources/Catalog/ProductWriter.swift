import GRDB

/// Writes rows of one import into the tables.
final class ProductWriter {
    /// What became of a row.
    enum Outcome: Equatable {
        case added, updated, unchanged
    }

    private let db: Database
    private let columns: ColumnMap
    private let insertProduct: Statement
    private let insertCode: Statement
    private let updateProduct: Statement
    private let deleteCodes: Statement
    private let numberByKey: Statement
    private let changes: ChangeTracker
    private var next: Int64
    /// Older products this import has met.
    private var seen = NumberSet()

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - columns: What the rows say.
    ///   - changes: Marks what is changed; nil where nothing but this writer changes something.
    /// - Throws: SQLite's error.
    init(_ db: Database, columns: ColumnMap, changes: ChangeTracker? = nil) throws {
        self.db = db
        self.columns = columns
        self.changes = try changes ?? ChangeTracker(db)
        insertProduct = try db.makeStatement(
            sql: """
                INSERT INTO product
                    (number, id, name, price, currency, unit, attributes, revision)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """)
        insertCode = try db.makeStatement(
            sql: "INSERT INTO code (product, position, key, text) VALUES (?, ?, ?, ?)")
        updateProduct = try db.makeStatement(
            sql: """
                UPDATE product
                SET name = ?, price = ?, currency = ?, unit = ?, attributes = ?, revision = ?
                WHERE number = ?
                """)
        deleteCodes = try db.makeStatement(sql: "DELETE FROM code WHERE product = ?")
        numberByKey = try db.makeStatement(
            sql: "SELECT product FROM code WHERE key = ? ORDER BY product LIMIT 1")
        next = self.changes.firstNew
    }

    /// Writes what a row says.
    ///
    /// - Parameter draft: The row; it has an id or a code.
    /// - Returns: What became of the row.
    /// - Throws: `InvalidRow.Reason` where the row contradicts an earlier one, with nothing
    ///   written; SQLite's error.
    func write(_ draft: ProductDraft) throws -> Outcome {
        if draft.id == nil, let code = draft.codes.first, let number = try number(of: code) {
            guard let product = try ProductRows.product(db, number: number), isFirst(number) else {
                throw InvalidRow.Reason.repeatedCode(code)
            }
            return try update(product, by: draft)
        }
        if try add(draft.product) { return .added }
        guard let id = draft.id else {
            throw InvalidRow.Reason.codeIsOtherID(draft.codes.first ?? "")
        }
        guard let product = try ProductRows.product(db, id: id), isFirst(product.number) else {
            throw InvalidRow.Reason.repeatedID(id)
        }
        return try update(product, by: draft)
    }

    /// The product imported first among those with a code, in whatever spelling.
    private func number(of code: String) throws -> Int64? {
        try Int64.fetchOne(numberByKey, arguments: [CodeKeys(code).first])
    }

    /// Whether this import meets a product for the first time.
    private func isFirst(_ number: Int64) -> Bool {
        number < changes.firstNew && seen.insert(number)
    }

    /// Adds a product unless one has its id.
    ///
    /// - Returns: Whether it was added.
    func add(_ product: Product) throws -> Bool {
        try insertProduct.execute(arguments: [
            next, product.id, product.name, product.price?.amount, product.price?.currency.code,
            product.unit, AttributesText.json(product.attributes), changes.mark,
        ])
        guard db.changesCount > 0 else { return false }
        try changes.noteAddition(id: product.id)
        try insert(product.codes, of: next)
        next += 1
        return true
    }

    private func update(
        _ existing: ProductRows.Numbered, by draft: ProductDraft
    ) throws -> Outcome {
        let product = draft.updating(existing.product, columns: columns)
        guard product != existing.product else { return .unchanged }
        try replace(existing, by: product)
        return .updated
    }

    /// Gives a product everything of another one but its id and its place.
    func replace(_ existing: ProductRows.Numbered, by product: Product) throws {
        try updateProduct.execute(arguments: [
            product.name, product.price?.amount, product.price?.currency.code, product.unit,
            AttributesText.json(product.attributes), changes.mark, existing.number,
        ])
        try changes.noteChange()
        guard product.codes != existing.product.codes else { return }
        try deleteCodes.execute(arguments: [existing.number])
        try insert(product.codes, of: existing.number)
    }

    private func insert(_ codes: [String], of number: Int64) throws {
        for (position, code) in codes.enumerated() {
            let keys = CodeKeys(code)
            try insertCode.execute(arguments: [number, position, keys.first, code])
            guard let second = keys.second else { continue }
            try insertCode.execute(arguments: [number, position, second, code])
        }
    }
}
