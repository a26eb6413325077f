import GRDB

/// Writes the rows of one import into the tables.
final class RowWriter {
    /// What became of a row.
    enum Outcome: Equatable {
        case added, updated, unchanged
    }

    private let db: Database
    private let columns: ColumnMap
    private let products: ProductWriter
    private let remover: ProductRemover
    private let numberByKey: Statement
    /// Older products this import has met.
    private var seen = NumberSet()
    /// What became of older products.
    private(set) var noted = ImportChanges()

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - columns: What the rows say.
    /// - Throws: SQLite's error.
    init(_ db: Database, columns: ColumnMap) throws {
        self.db = db
        self.columns = columns
        let changes = try ChangeTracker(db)
        products = try ProductWriter(db, changes: changes)
        remover = ProductRemover(db, changes: changes)
        noted.before = try Int.fetchOne(db, sql: "SELECT count(*) FROM product") ?? 0
        numberByKey = try db.makeStatement(
            sql: "SELECT product FROM code WHERE key = ? ORDER BY product LIMIT 1")
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
        if try products.add(draft.product) { return .added }
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
        number < products.firstNew && seen.insert(number)
    }

    private func update(
        _ existing: ProductRows.Numbered, by draft: ProductDraft
    ) throws -> Outcome {
        let product = draft.updating(existing.product, columns: columns)
        guard product != existing.product else { return .unchanged }
        try products.replace(existing, by: product)
        noted.note(existing.product, became: product)
        return .updated
    }

    /// Takes out the products that this import has not met, all but those of a catalog that is
    /// followed.
    ///
    /// - Returns: How many went.
    /// - Throws: SQLite's error.
    func removeOthers() throws -> Int {
        let sql = """
            SELECT number, id FROM product
            WHERE number < ? AND number NOT IN (SELECT product FROM synced) ORDER BY number
            """
        let rows = try Row.fetchAll(db, sql: sql, arguments: [products.firstNew])
        var count = 0
        for row in rows where !seen.contains(row[0]) {
            try remover.remove(number: row[0], id: row[1])
            noted.noteRemoval(id: row[1])
            count += 1
        }
        if count > 0 { try remover.trim() }
        return count
    }
}

/// A set of small numbers, a bit each: a million products take 125 kB.
private struct NumberSet {
    private var words: [UInt64] = []

    /// Whether a number was added.
    func contains(_ number: Int64) -> Bool {
        let (word, bit) = Int(number).quotientAndRemainder(dividingBy: 64)
        return word < words.count && words[word] & (1 << UInt64(bit)) != 0
    }

    /// Adds a number; returns whether it was new.
    mutating func insert(_ number: Int64) -> Bool {
        let (word, bit) = Int(number).quotientAndRemainder(dividingBy: 64)
        if word >= words.count {
            words += repeatElement(0, count: max(words.count, word + 1 - words.count))
        }
        let mask: UInt64 = 1 << UInt64(bit)
        defer { words[word] |= mask }
        return words[word] & mask == 0
    }
}
