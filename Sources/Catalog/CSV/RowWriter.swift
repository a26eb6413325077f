import GRDB

/// Writes the rows of one import into the tables.
final class RowWriter {
    /// What became of a row.
    enum Outcome: Equatable {
        case added, updated, unchanged
        /// The row only adds to a product that an earlier row has brought.
        case further
    }

    private let db: Database
    private let columns: ColumnMap
    private let products: ProductWriter
    private let remover: ProductRemover
    private let numberByKey: Statement
    /// Products this import has met, those with their usual price, and older ones that it has changed.
    private var (met, told, changed) = (NumberSet(), NumberSet(), NumberSet())
    /// How many products that were there the import has met.
    private(set) var metCount = 0
    /// Whether the file says which prices hold for a time.
    private let hasTimes: Bool
    /// The prices for a time of the file, by the product's number.
    private var dated: [Int64: [DatedPrice]] = [:]
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
        hasTimes = columns.columns[.validFrom] != nil || columns.columns[.validUntil] != nil
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
            guard let product = try ProductRows.product(db, number: number) else {
                throw InvalidRow.Reason.repeatedCode(code)
            }
            return try meet(product, draft, .repeatedCode(code))
        }
        let number = products.next
        if try products.add(draft.product) {
            note(draft, of: number)
            return .added
        }
        guard let id = draft.id else {
            throw InvalidRow.Reason.codeIsOtherID(draft.codes.first ?? "")
        }
        guard let product = try ProductRows.product(db, id: id) else {
            throw InvalidRow.Reason.repeatedID(id)
        }
        return try meet(product, draft, .repeatedID(id))
    }

    /// Takes a row of a product that is there: as the first row of it, as its usual price behind
    /// prices for a time, or as one more of those.
    private func meet(
        _ product: ProductRows.Numbered, _ draft: ProductDraft, _ repeated: InvalidRow.Reason
    ) throws -> Outcome {
        let isFirst = !met.contains(product.number)
        guard draft.isDated || !told.contains(product.number) else { throw repeated }
        note(draft, of: product.number)
        if isFirst, product.number < products.firstNew { metCount += 1 }
        // What a row with a price for a time leaves open, it does not clear.
        let outcome = draft.isDated ? .unchanged : try update(product, by: draft)
        return isFirst ? outcome : .further
    }

    private func note(_ draft: ProductDraft, of number: Int64) {
        _ = met.insert(number)
        if !draft.isDated { _ = told.insert(number) }
        if !draft.datedPrices.isEmpty { dated[number, default: []] += draft.datedPrices }
    }

    /// The product imported first among those with a code, in whatever spelling.
    private func number(of code: String) throws -> Int64? {
        try Int64.fetchOne(numberByKey, arguments: [CodeKeys(code).first])
    }

    private func update(
        _ existing: ProductRows.Numbered, by draft: ProductDraft
    ) throws -> Outcome {
        let product = draft.updating(existing.product, columns: columns)
        guard product != existing.product else { return .unchanged }
        try products.replace(existing, by: product)
        noteChange(of: existing, to: product)
        return .updated
    }

    /// Writes the prices for a time of all products that the file names; those that it does not give
    /// any more go.
    ///
    /// - Throws: SQLite's error.
    func writeDatedPrices() throws {
        guard hasTimes else { return }
        let sql = "SELECT number FROM product WHERE dated_prices IS NOT NULL"
        let had = try Int64.fetchAll(db, sql: sql).filter { met.contains($0) }
        for number in Set(had).union(dated.keys).sorted() {
            guard let existing = try ProductRows.product(db, number: number) else { continue }
            var product = existing.product
            var known: Set<DatedPrice> = []
            product.datedPrices = (dated[number] ?? []).filter { known.insert($0).inserted }
                .sorted { $0.precedes($1) }
            guard product != existing.product else { continue }
            try products.replace(existing, by: product)
            noteChange(of: existing, to: product)
        }
    }

    private func noteChange(of existing: ProductRows.Numbered, to product: Product) {
        guard existing.number < products.firstNew, changed.insert(existing.number) else { return }
        noted.note(existing.product, became: product)
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
        for row in rows where !met.contains(row[0]) {
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
