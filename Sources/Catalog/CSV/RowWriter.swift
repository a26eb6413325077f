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
    private let numberByKey: Statement
    /// Older products this import has met.
    private var seen = NumberSet()

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - columns: What the rows say.
    /// - Throws: SQLite's error.
    init(_ db: Database, columns: ColumnMap) throws {
        self.db = db
        self.columns = columns
        products = try ProductWriter(db)
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
        return .updated
    }
}

/// A set of small numbers, a bit each: a million products take 125 kB.
private struct NumberSet {
    private var words: [UInt64] = []

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
