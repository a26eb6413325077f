import GRDB

/// Writes the rows of one import that are of shops.
final class OfferRows {
    /// What was met of one shop.
    private struct Shop {
        let scope: CatalogScope
        let number: Int64
        /// Products that the file names, those with their usual price, those whose offer it has
        /// changed, and of these the ones that had none.
        var (met, told) = (NumberSet(), NumberSet())
        var (changed, added) = (NumberSet(), NumberSet())
        /// Products of which it was looked up whether the shop had them before, and those it had.
        var (known, had) = (NumberSet(), NumberSet())
        /// In which revision it had the others last, where it ever did.
        var lastSeen: [Int64: Int64] = [:]
        var noted = NotedKinds()
        /// The shop's prices for a time, by the product's number.
        var dated: [Int64: [DatedPrice]] = [:]

        init(_ scope: CatalogScope, number: Int64) {
            (self.scope, self.number) = (scope, number)
        }
    }

    private let db: Database
    private let columns: ColumnMap
    private let changes: ChangeTracker
    /// Whether all rows are of one shop, so that what it has is held against what it had.
    private let isOfOneShop: Bool
    private let table: OfferTable
    private var shops: [CatalogScope: Shop] = [:]
    /// The numbers of shops that are new are higher.
    private let lastKnownShop: Int64
    /// How many offers that were there the file names, and how many of those it has changed.
    private(set) var (knownCount, updatedCount) = (0, 0)
    /// What shops have otherwise than before.
    private(set) var noted = ImportChanges()

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - columns: What the rows say.
    ///   - changes: Marks what is changed.
    ///   - isOfOneShop: Whether all rows are of one shop.
    /// - Throws: SQLite's error.
    init(
        _ db: Database, columns: ColumnMap, changes: ChangeTracker, isOfOneShop: Bool
    ) throws {
        self.db = db
        self.isOfOneShop = isOfOneShop
        self.columns = columns
        self.changes = changes
        table = OfferTable(db)
        lastKnownShop = try Int64.fetchOne(db, sql: "SELECT max(number) FROM scope") ?? 0
    }

    /// The names of the shops that the catalog did not know before.
    func newShops() throws -> [String] {
        let sql = "SELECT name FROM scope WHERE number > ? ORDER BY name"
        return try String.fetchAll(db, sql: sql, arguments: [lastKnownShop])
    }

    /// Writes what a row says of a shop's offer.
    ///
    /// - Parameters:
    ///   - draft: The row.
    ///   - article: What is offered.
    ///   - scope: The shop.
    /// - Returns: What became of the row.
    /// - Throws: `InvalidRow.Reason` where the row contradicts an earlier one, with nothing
    ///   written; SQLite's error.
    func write(
        _ draft: ProductDraft, of article: Article, in scope: CatalogScope
    ) throws -> RowWriter.Outcome {
        try with(scope) { shop in
            let isFirst = !shop.met.contains(article.number)
            guard draft.isDated || !shop.told.contains(article.number) else {
                throw InvalidRow.Reason.repeatedOffer(id: article.id, scope: scope.name)
            }
            _ = shop.met.insert(article.number)
            if !draft.isDated { _ = shop.told.insert(article.number) }
            if !draft.datedPrices.isEmpty {
                shop.dated[article.number, default: []] += draft.datedPrices
            }
            let before = try table.offer(scope: shop.number, product: article.number)
            try noteBefore(of: article, before, in: &shop)
            let isBack = try changes.waiting.restore(
                id: article.id, as: article.number, of: shop.number, revision: changes.mark)
            let old =
                try isBack ? table.offer(scope: shop.number, product: article.number) : before
            if isFirst, old?.isListed != nil { knownCount += 1 }
            // What a row with a price for a time leaves open, it does not clear.
            let standing =
                old?.isListed == nil ? Offer(isListed: draft.isListed ?? true) : old ?? Offer()
            let hasChanged = try replace(
                old, by: draft.isDated ? standing : offer(draft, old), of: article, in: &shop)
            guard isFirst else { return .further }
            return old?.isListed == nil ? .added : hasChanged ? .updated : .unchanged
        }
    }

    /// Works on what was met of a shop.
    private func with<Value>(
        _ scope: CatalogScope, _ body: (inout Shop) throws -> Value
    ) throws -> Value {
        // It is taken out meanwhile: sets that are held twice are copied with each row.
        var shop =
            try shops.removeValue(forKey: scope) ?? Shop(scope, number: table.number(of: scope))
        defer { shops[scope] = shop }
        return try body(&shop)
    }

    private func offer(_ draft: ProductDraft, _ old: Offer?) -> Offer {
        var offer = old ?? Offer()
        offer.isListed = draft.isListed ?? true
        if columns.columns[.price] != nil { offer.price = draft.price }
        return offer
    }

    /// Writes an offer; what the shop has otherwise than before is noted.
    ///
    /// - Returns: Whether it differs.
    private func replace(
        _ old: Offer?, by new: Offer, of article: Article, in shop: inout Shop
    ) throws -> Bool {
        guard old != new else { return false }
        try changes.noteChange()
        try noteBefore(of: article, old, in: &shop)
        let isTold = shop.had.contains(article.number) || article.seen(with: new) != nil
        // Of what it neither had nor has, a shop is not told.
        let revision = isTold ? changes.mark : shop.lastSeen[article.number] ?? 0
        try table.write(
            new, scope: shop.number, product: article.number, revision: revision)
        noteChange(of: article, from: old, to: article.seen(with: new), in: &shop)
        return true
    }

    /// Notes whether a shop had an article, before its offer is first written: what the rows make of it
    /// meanwhile, nobody reads.
    private func noteBefore(of article: Article, _ old: Offer?, in shop: inout Shop) throws {
        guard shop.known.insert(article.number) else { return }
        let wasListed = changes.wasListed(article.number, article.isListed)
        guard !Article.isSeen(with: old, listed: wasListed) else {
            _ = shop.had.insert(article.number)
            return
        }
        let last =
            try old == nil
            ? article.delisted : table.lastSeen(scope: shop.number, product: article.number)
        if last > 0 { shop.lastSeen[article.number] = last }
    }

    private func noteChange(
        of article: Article, from old: Offer?, to new: Product?, in shop: inout Shop
    ) {
        countChange(of: article.number, in: &shop, wasThere: old?.isListed != nil)
        guard let before = article.seen(with: old) else { return }
        note(before, became: new, of: article.number, in: &shop)
    }

    private func countChange(of number: Int64, in shop: inout Shop, wasThere: Bool) {
        guard shop.changed.insert(number) else { return }
        if wasThere { updatedCount += 1 } else { _ = shop.added.insert(number) }
    }

    private func note(
        _ old: Product, became new: Product?, of number: Int64, in shop: inout Shop
    ) {
        // Among all shops a new offer is no change: only what was there can be lost.
        guard number < changes.firstNew, shop.had.contains(number),
            isOfOneShop || !shop.added.contains(number), old != new
        else { return }
        noted.note(old, became: new, number: number, &shop.noted, in: shop.scope)
    }

    /// Notes that a row of a shop has changed an article that it alone has.
    ///
    /// - Parameters:
    ///   - existing: The article as it was.
    ///   - product: The article as it is.
    ///   - scope: The shop.
    /// - Throws: SQLite's error.
    func note(
        _ existing: ProductRows.Numbered, became product: Product, in scope: CatalogScope
    ) throws {
        try with(scope) { shop in
            countChange(of: existing.number, in: &shop, wasThere: true)
            // What it did not have before is no change.
            guard !shop.added.contains(existing.number) else { return }
            note(existing.product, became: product, of: existing.number, in: &shop)
        }
    }

    /// Writes the prices for a time of all offers that the file names; those that it does not give any
    /// more go.
    ///
    /// - Throws: SQLite's error.
    func writeDatedPrices() throws {
        for scope in shops.keys.sorted(by: { $0.name < $1.name }) {
            try with(scope) { try writeDatedPrices(of: &$0) }
        }
    }

    private func writeDatedPrices(of shop: inout Shop) throws {
        let sql = "SELECT product FROM offer WHERE scope = ? AND dated_prices IS NOT NULL"
        let had = try Int64.fetchAll(db, sql: sql, arguments: [shop.number])
        for number in Set(had.filter(shop.met.contains)).union(shop.dated.keys).sorted() {
            guard let article = try Article.find(db, number: number),
                let old = try table.offer(scope: shop.number, product: number)
            else { continue }
            var new = old
            new.datedPrices = (shop.dated[number] ?? []).inOrder
            _ = try replace(old, by: new, of: article, in: &shop)
        }
    }

    /// Whether any other shop has an article.
    func hasOthers(_ article: Article, than scope: CatalogScope) throws -> Bool {
        let sql = """
            SELECT EXISTS (
                SELECT 1 FROM offer AS o JOIN scope AS s ON s.number = o.scope
                WHERE o.product = ? AND o.listed = 1 AND s.name <> ?)
            """
        let statement = try db.cachedStatement(sql: sql)
        return try Bool.fetchOne(statement, arguments: [article.number, scope.name]) ?? false
    }

    /// How many products a shop has.
    func count(in scope: CatalogScope) throws -> Int {
        let sql = "SELECT count(*) \(Self.assortment)"
        return try Int.fetchOne(db, sql: sql, arguments: [table.number(of: scope)]) ?? 0
    }

    /// How many offers there are in all shops.
    func count() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM offer WHERE listed IS NOT NULL") ?? 0
    }

    /// Takes what the file does not have out of a shop's assortment.
    ///
    /// - Returns: How many products went.
    /// - Throws: SQLite's error.
    func unlistOthers(in scope: CatalogScope) throws -> Int {
        try with(scope) { shop in
            let rows = try Row.fetchAll(
                db, sql: "SELECT p.number, p.id \(Self.assortment)", arguments: [shop.number])
            try changes.waiting.forget(scope: shop.number)
            let gone = rows.filter { !shop.met.contains($0[0]) }
            for row in gone {
                try changes.noteChange()
                try table.write(
                    Offer(isListed: false), scope: shop.number, product: row[0],
                    revision: changes.mark)
                noted.note(
                    Product(id: row[1]), became: nil, number: row[0], &shop.noted, in: scope)
            }
            return gone.count
        }
    }

    private static let assortment = """
        FROM product AS p LEFT JOIN offer AS o ON o.scope = ? AND o.product = p.number
        WHERE coalesce(o.listed, p.listed, 0) = 1
        """

    /// Withdraws the offers that the file does not have; those of products that go, go with them.
    ///
    /// - Parameter leaving: The products that go.
    /// - Returns: How many there were.
    /// - Throws: SQLite's error.
    func withdrawOthers(leaving: NumberSet) throws -> Int {
        let sql = """
            SELECT s.name, o.product FROM offer AS o JOIN scope AS s ON s.number = o.scope
            WHERE o.listed IS NOT NULL
            """
        var count = 0
        for row in try Row.fetchAll(db, sql: sql) {
            guard let scope = CatalogScope(row[0]),
                let article = try Article.find(db, number: row[1])
            else { continue }
            count += try with(scope) { shop in
                guard !shop.met.contains(article.number) else { return 0 }
                let old = try table.offer(scope: shop.number, product: article.number)
                if leaving.contains(article.number) {
                    try noteBefore(of: article, old, in: &shop)
                    noteChange(of: article, from: old, to: nil, in: &shop)
                } else {
                    _ = try replace(old, by: .withdrawn, of: article, in: &shop)
                }
                return 1
            }
        }
        return count
    }

    /// Lets no offer wait for the return of its article: the file says which there are.
    func forgetWaiting() throws { try changes.waiting.forgetAll() }
}
