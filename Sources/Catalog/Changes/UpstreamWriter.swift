import GRDB

/// Writes what has changed in a catalog that is followed into the tables.
///
/// A product of that catalog is as it is there, whatever an import made of it. A product that only
/// this catalog has stays.
struct UpstreamWriter {
    private let db: Database
    private let writer: ProductWriter
    private let remover: ProductRemover
    private let changes: ChangeTracker
    private let run: Int64
    private let revision: CatalogRevision?
    private(set) var summary = FollowSummary()

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - run: The number of this time; it counts up.
    ///   - revision: The revision this catalog has at the end; nil for one of its own.
    /// - Throws: SQLite's error.
    init(_ db: Database, run: Int64, leadingTo revision: CatalogRevision?) throws {
        self.db = db
        self.run = run
        self.revision = revision
        changes = try ChangeTracker(db, leadingTo: revision)
        writer = try ProductWriter(db, changes: changes)
        remover = ProductRemover(db, changes: changes)
    }

    /// Takes over some changes.
    mutating func write(_ changes: UpstreamChanges) throws {
        for id in changes.removed { try remove(id) }
        for product in changes.changed { try write(product) }
    }

    /// Takes out what came from there and was not met this time.
    mutating func removeOthers() throws {
        let sql = """
            SELECT p.number, p.id FROM synced AS s JOIN product AS p ON p.number = s.product
            WHERE s.run < ?
            """
        let rows = try Row.fetchAll(db, sql: sql, arguments: [run])
        for row in rows { try remover.remove(number: row[0], id: row[1]) }
        summary.removed += rows.count
    }

    /// To be called at the end.
    func finish() throws {
        // The revision is reached also where its changes have changed nothing here.
        if revision != nil { try changes.noteChange() }
        try remover.trim()
    }

    private mutating func write(_ product: Product) throws {
        if try writer.add(product) {
            summary.added += 1
        } else if let existing = try ProductRows.product(db, id: product.id) {
            let isSame = existing.product.isSpelledLike(product)
            if !isSame { try writer.replace(existing, by: product) }
            let isNewToShops = try writer.makeCommon(existing)
            if isSame, !isNewToShops { summary.unchanged += 1 } else { summary.updated += 1 }
        }
        let sql = """
            INSERT OR REPLACE INTO synced (product, run)
            SELECT number, ? FROM product WHERE id = ?
            """
        try db.cachedStatement(sql: sql).execute(arguments: [run, product.id])
    }

    private mutating func remove(_ id: String) throws {
        let sql = """
            SELECT p.number FROM product AS p JOIN synced AS s ON s.product = p.number
            WHERE p.id = ?
            """
        let statement = try db.cachedStatement(sql: sql)
        guard let number = try Int64.fetchOne(statement, arguments: [id]) else { return }
        try remover.remove(number: number, id: id)
        summary.removed += 1
    }
}

extension Product {
    /// Whether two products are the same byte for byte, where `==` takes a composed and a decomposed
    /// letter for equal.
    fileprivate func isSpelledLike(_ other: Product) -> Bool {
        func bytes(_ product: Product) -> [[UInt8]] {
            let texts = [product.id, product.name, product.unit, product.price?.amount].map {
                Array(($0 ?? "").utf8)
            }
            let attributes = product.sortedAttributes.flatMap { [$0.name, $0.value] }
            return texts + (product.codes + attributes).map { Array($0.utf8) }
        }
        return self == other && bytes(self) == bytes(other)
    }
}
