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
    private let changes: ChangeTracker
    private let products: ProductWriter
    private let remover: ProductRemover
    private let offers: OfferRows
    /// The shop that all rows are of; nil where they may be of any.
    private let scope: CatalogScope?
    /// Whether some products may be ones that not every shop has.
    private let mayBeUnlisted: Bool
    private let numberByKey: Statement
    /// Products this import has met, and those with their usual price.
    private var (met, told) = (NumberSet(), NumberSet())
    /// Products that rows of shops have named.
    private var offered = NumberSet()
    /// Common products that no common row has named so far, as a row of a shop says otherwise.
    private var described: [Int64: Product] = [:]
    /// Whether common products go, or become the shops' own, that no common row names.
    private let mayLeave: Bool
    private var ownMetCount = 0
    /// How many products and offers that were there the import has met.
    var metCount: Int { ownMetCount + offers.knownCount }
    /// How many of those it has changed.
    var updatedCount: Int { noted.changedCount + offers.updatedCount }
    /// Whether the file says which prices hold for a time.
    private let hasTimes: Bool
    /// The prices for a time of the file, by the product's number.
    private var dated: [Int64: [DatedPrice]] = [:]
    private var noted: NotedProducts

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - db: The database, in a transaction.
    ///   - columns: What the rows say.
    ///   - scope: The shop that all rows are of; nil where they may be of any.
    ///   - isWhole: Whether products go that the file does not have.
    /// - Throws: SQLite's error.
    init(
        _ db: Database, columns: ColumnMap, scope: CatalogScope? = nil, isWhole: Bool = false
    ) throws {
        self.db = db
        mayLeave = isWhole && scope == nil
        self.columns = columns
        self.scope = scope
        hasTimes = columns.columns[.validFrom] != nil || columns.columns[.validUntil] != nil
        changes = try ChangeTracker(db)
        products = try ProductWriter(db, changes: changes)
        remover = ProductRemover(db, changes: changes)
        offers = try OfferRows(
            db, columns: columns, changes: changes, isOfOneShop: scope != nil)
        let unlisted = "SELECT EXISTS (SELECT 1 FROM product WHERE listed IS NOT 1)"
        mayBeUnlisted =
            try columns.columns[.listed] != nil || columns.columns[.scope] != nil
            || Bool.fetchOne(db, sql: unlisted) ?? true
        var state = ImportChanges()
        state.hasOffers = scope == nil && columns.columns[.scope] != nil
        state.before = try scope.map(offers.count) ?? Self.count(db)
        if state.hasOffers { state.before += try offers.count() }
        noted = NotedProducts(state, hasTimes: hasTimes, firstNew: changes.firstNew)
        numberByKey = try db.makeStatement(
            sql: "SELECT product FROM code WHERE key = ? ORDER BY product LIMIT 1")
    }

    private static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM product") ?? 0
    }

    /// The names of the shops that the catalog did not know before.
    func newShops() throws -> [String] { try offers.newShops() }

    /// What became of older products and offers.
    var allNoted: ImportChanges {
        var all = noted.changes
        all.add(offers.noted)
        return all
    }

    /// Writes what a row says.
    ///
    /// - Parameter draft: The row; it has an id or a code.
    /// - Returns: What became of the row.
    /// - Throws: `InvalidRow.Reason` where the row contradicts an earlier one, with nothing
    ///   written; SQLite's error.
    func write(_ draft: ProductDraft) throws -> Outcome {
        if let scope = draft.scope { return try write(draft, in: scope) }
        if draft.id == nil, let code = draft.codes.first, let number = try number(of: code) {
            guard let product = try ProductRows.product(db, number: number) else {
                throw InvalidRow.Reason.repeatedCode(code)
            }
            return try meet(product, draft, .repeatedCode(code))
        }
        let number = products.next
        if try products.add(draft.product, listed: draft.isListed ?? true) {
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
        if isFirst, product.number < products.firstNew { ownMetCount += 1 }
        let hasChanged = try update(product, by: draft)
        guard isFirst else { return .further }
        // A row of a shop has brought it, and this one brings it to all.
        guard product.number < products.firstNew else { return .added }
        return hasChanged ? .updated : .unchanged
    }

    private func note(_ draft: ProductDraft, of number: Int64) {
        if met.insert(number) { described[number] = nil }
        if !draft.isDated { _ = told.insert(number) }
        if !draft.datedPrices.isEmpty { dated[number, default: []] += draft.datedPrices }
    }

    /// The product imported first among those with a code, in whatever spelling.
    private func number(of code: String) throws -> Int64? {
        try Int64.fetchOne(numberByKey, arguments: [CodeKeys(code).first])
    }

    /// Gives a product that was there what a row says.
    ///
    /// - Returns: Whether it differs.
    private func update(
        _ existing: ProductRows.Numbered, by draft: ProductDraft
    ) throws -> Bool {
        // What a row with a price for a time leaves open, it does not clear.
        let product =
            draft.isDated ? existing.product : draft.updating(existing.product, columns: columns)
        let hasChanged = product != existing.product
        if hasChanged { try products.replace(existing, by: product) }
        let listing = mayBeUnlisted ? try settleListing(of: existing.number, draft) : .same
        guard hasChanged || listing != .same else { return false }
        noted.noteChange(of: existing, to: listing == .lost ? nil : product)
        return true
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
            product.datedPrices = (dated[number] ?? []).inOrder
            guard product != existing.product else { continue }
            try products.replace(existing, by: product)
            noted.noteChange(of: existing, to: product)
        }
        try noted.settle { try ProductRows.product(db, number: $0)?.product }
        try offers.writeDatedPrices()
    }

    /// What a row makes of whether every shop has a product.
    private enum Listing {
        case same, changed
        /// Every shop had it.
        case lost
    }

    /// Says whether every shop has a product that was there; a row without a shop lists what only shops
    /// had named.
    private func settleListing(of number: Int64, _ draft: ProductDraft) throws -> Listing {
        guard let article = try Article.find(db, number: number),
            !draft.isDated || article.isListed == nil
        else { return .same }
        let standing = columns.columns[.listed] != nil ? true : article.isListed ?? true
        let isListed = draft.isListed ?? standing
        guard isListed != article.isListed else { return .same }
        let wasListed = changes.wasListed(number, article.isListed)
        try products.list(number, id: article.id, isListed, was: article.isListed)
        return wasListed && !isListed ? .lost : .changed
    }

    /// Writes a row of a shop; an article that is not there is made for it.
    private func write(_ draft: ProductDraft, in scope: CatalogScope) throws -> Outcome {
        if let known = try article(of: draft) { return try write(draft, of: known, in: scope) }
        var product = draft.product
        product.price = nil
        guard try products.add(product, listed: nil),
            let new = try Article.find(db, id: product.id)
        else {
            throw InvalidRow.Reason.codeIsOtherID(product.id)
        }
        _ = offered.insert(new.number)
        _ = try offers.write(draft, of: new, in: scope)
        return .added
    }

    /// Writes a row of a shop whose article is there.
    ///
    /// One that no row without a shop has named belongs to the shops that have it: a row changes it only
    /// for a shop that alone has it.
    private func write(
        _ draft: ProductDraft, of article: Article, in scope: CatalogScope
    ) throws -> Outcome {
        let isOfShops = article.isListed == nil && !draft.isDated
        let hasOthers = try isOfShops && offers.hasOthers(article, than: scope)
        if hasOthers, let product = try ProductRows.product(db, number: article.number)?.product {
            try draft.checkAgreement(with: product, columns: columns)
        }
        let outcome = try offers.write(draft, of: article, in: scope)
        _ = offered.insert(article.number)
        if isOfShops, !hasOthers { try complete(article, by: draft, in: scope) }
        if mayLeave, article.isListed != nil { try describe(article.number, by: draft) }
        return outcome
    }

    /// Keeps what a row of a shop says of a common product, which counts where no common row follows.
    private func describe(_ number: Int64, by draft: ProductDraft) throws {
        guard !draft.isDated, !met.contains(number), described[number] == nil,
            let product = try ProductRows.product(db, number: number)?.product
        else { return }
        let completed = draft.completing(product)
        if completed != product { described[number] = completed }
    }

    /// The article that a row of a shop is of: the one with its id, or else with its first code.
    private func article(of draft: ProductDraft) throws -> Article? {
        if let id = draft.id { return try Article.find(db, id: id) }
        guard let code = draft.codes.first, let number = try number(of: code) else { return nil }
        return try Article.find(db, number: number)
    }

    /// What no row without a shop has named is as the rows of the shop say that alone has it.
    private func complete(
        _ article: Article, by draft: ProductDraft, in scope: CatalogScope
    ) throws {
        guard let existing = try ProductRows.product(db, number: article.number) else { return }
        let product = draft.completing(existing.product)
        guard product != existing.product else { return }
        try products.replace(existing, by: product)
        try offers.note(existing, became: product, in: scope)
    }

    /// Takes out the products that this import has not met, all but those of a catalog that is
    /// followed; those that rows of shops have named become the shops' own.
    ///
    /// - Returns: How many went.
    /// - Throws: SQLite's error.
    func removeOthers() throws -> Int {
        if let scope { return try offers.unlistOthers(in: scope) }
        // A file that says nothing of shops does not have what only they have.
        let hasScopes = columns.columns[.scope] != nil
        let sql = """
            SELECT number, id, listed IS NOT NULL FROM product
            WHERE number < ? AND number NOT IN (SELECT product FROM synced)
                \(hasScopes ? "" : "AND listed IS NOT NULL") ORDER BY number
            """
        let rows = try Row.fetchAll(db, sql: sql, arguments: [products.firstNew])
            .filter { !met.contains($0[0]) }
        var count = 0
        for row in rows where row[2] && offered.contains(row[0]) {
            try leaveToShops(row[0])
            count += 1
        }
        let leaving = rows.filter { !offered.contains($0[0]) }
        if hasScopes {
            var numbers = NumberSet()
            for row in leaving { _ = numbers.insert(row[0]) }
            count += try offers.withdrawOthers(leaving: numbers)
        }
        for row in leaving {
            try remover.remove(number: row[0], id: row[1])
            noted.noteLoss(of: Product(id: row[1]), number: row[0])
            count += 1
        }
        if hasScopes { try offers.forgetWaiting() }
        if count > 0 { try remover.trim() }
        return count
    }

    /// Makes a common product one that only rows of shops have named.
    private func leaveToShops(_ number: Int64) throws {
        guard let existing = try ProductRows.product(db, number: number) else { return }
        var product = described[number] ?? existing.product
        product.price = nil
        product.datedPrices = []
        try products.replace(existing, by: product)
        try products.list(
            number, id: product.id, nil, was: Article.find(db, number: number)?.isListed)
        noted.noteLoss(of: existing.product, number: number)
    }
}
