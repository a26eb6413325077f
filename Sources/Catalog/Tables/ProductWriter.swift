import GRDB

/// Writes products into the tables.
final class ProductWriter {
    private let db: Database
    private let insertProduct: Statement
    private let insertCode: Statement
    private let updateProduct: Statement
    private let deleteCodes: Statement
    private let changes: ChangeTracker
    /// The number that the next product gets.
    private(set) var next: Int64
    /// The numbers of products that were there before are lower.
    let firstNew: Int64

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - changes: Marks what is changed; nil where nothing but this writer changes something.
    /// - Throws: SQLite's error.
    init(_ db: Database, changes: ChangeTracker? = nil) throws {
        self.db = db
        self.changes = try changes ?? ChangeTracker(db)
        insertProduct = try db.makeStatement(
            sql: """
                INSERT INTO product
                    (number, id, name, price, currency, unit, attributes, dated_prices, revision,
                    listed)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """)
        insertCode = try db.makeStatement(
            sql: "INSERT INTO code (product, position, key, text) VALUES (?, ?, ?, ?)")
        updateProduct = try db.makeStatement(
            sql: """
                UPDATE product
                SET name = ?, price = ?, currency = ?, unit = ?, attributes = ?,
                    dated_prices = ?, revision = ?
                WHERE number = ?
                """)
        deleteCodes = try db.makeStatement(sql: "DELETE FROM code WHERE product = ?")
        firstNew = self.changes.firstNew
        next = firstNew
    }

    /// Adds a product unless one has its id.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - isListed: Whether every shop has it; nil where nobody has said so.
    /// - Returns: Whether it was added.
    /// - Throws: SQLite's error.
    func add(_ product: Product, listed isListed: Bool? = true) throws -> Bool {
        try insertProduct.execute(arguments: [
            next, product.id, product.name, product.price?.amount, product.price?.currency.code,
            product.unit, AttributesText.json(product.attributes),
            DatedPricesText.text(product.datedPrices), changes.mark, isListed,
        ])
        guard db.changesCount > 0 else { return false }
        try changes.noteAddition(id: product.id, number: next)
        if isListed != nil { try restoreOffers(id: product.id, number: next) }
        try insert(product.codes, of: next)
        next += 1
        return true
    }

    /// Gives a product everything of another one but its id and its place.
    func replace(_ existing: ProductRows.Numbered, by product: Product) throws {
        try updateProduct.execute(arguments: [
            product.name, product.price?.amount, product.price?.currency.code, product.unit,
            AttributesText.json(product.attributes), DatedPricesText.text(product.datedPrices),
            changes.mark, existing.number,
        ])
        try changes.noteChange()
        guard product.codes != existing.product.codes else { return }
        try deleteCodes.execute(arguments: [existing.number])
        try insert(product.codes, of: existing.number)
    }

    /// Says whether every shop has a product.
    ///
    /// - Parameters:
    ///   - number: The product's number.
    ///   - id: Its id.
    ///   - isListed: Whether every shop has it; nil where only rows of shops name it.
    ///   - wasListed: Whether every shop had it; nil where only rows of shops had named it.
    /// - Throws: SQLite's error.
    func list(
        _ number: Int64, id: String, _ isListed: Bool?, was wasListed: Bool?
    ) throws {
        let isLost = changes.wasListed(number, wasListed) && isListed != true
        changes.noteListing(of: number, was: wasListed ?? false)
        let sql = """
            UPDATE product
            SET listed = ?1, revision = ?2, delisted = CASE WHEN ?3 THEN ?2 ELSE delisted END
            WHERE number = ?4
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            isListed, changes.mark, isLost, number,
        ])
        if wasListed == nil { try restoreOffers(id: id, number: number) }
        if isLost { try OfferTable(db).forgetStrangers(to: number) }
        try changes.noteChange()
    }

    private func restoreOffers(id: String, number: Int64) throws {
        try changes.waiting.restore(id: id, as: number, revision: changes.mark)
    }

    /// Gives every shop a product that only rows of shops had named.
    ///
    /// - Returns: Whether it was one.
    func makeCommon(_ existing: ProductRows.Numbered) throws -> Bool {
        let sql = "SELECT listed IS NULL FROM product WHERE number = ?"
        let statement = try db.cachedStatement(sql: sql)
        guard try Bool.fetchOne(statement, arguments: [existing.number]) == true else {
            return false
        }
        try list(existing.number, id: existing.product.id, true, was: nil)
        return true
    }

    private func insert(_ codes: [String], of number: Int64) throws {
        for (position, code) in codes.enumerated() {
            for key in CodeKeys(code).all {
                try insertCode.execute(arguments: [number, position, key, code])
            }
        }
    }
}
