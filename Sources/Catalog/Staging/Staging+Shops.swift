import GRDB

/// Articles that only rows of shops name.
extension Staging {
    /// An article on its way through the rows of shops.
    fileprivate struct Article {
        let item: Int64
        let id: String
        /// Its texts and codes; nil for one that no row has made yet.
        var product: Product?
        /// Whether all shops have had it: then the first row that says otherwise counts.
        let wasCommon: Bool
        /// The shops that list it.
        var shops: Set<String>
        /// The row that has changed it last.
        var line: Int64?
        /// The first row of it.
        let first: Int64
    }

    /// Works out what rows of shops make of articles that no common row has named, or names any more.
    ///
    /// Such an article belongs to the shops that have it: a row changes it only for a shop that alone has
    /// it. Takes out rows that say something else than other shops, and returns them.
    func settleShopArticles() throws -> [InvalidRow] {
        // What a whole file names for shops alone becomes theirs.
        let leaves = isWhole && scope == nil && columns.scope
        let sql = """
            SELECT s.item, s.line, s.scope, s.kind, s.listed, s.by_key, s.name, s.unit, s.attributes,
                s.id, k.product, o.product IS NOT NULL
            FROM temp.staged AS s LEFT JOIN temp.known AS k ON k.item = s.item
            LEFT JOIN main.offer AS o
                ON o.product = k.product AND o.scope = '' AND o.position = 0
            WHERE s.scope <> '' AND (o.product IS NULL OR \(leaves)) AND NOT EXISTS (
                SELECT 1 FROM temp.staged AS c WHERE c.item = s.item AND c.scope = '')
            ORDER BY s.item, s.line, s.kind
            """
        var invalid: [InvalidRow] = []
        var article: Article?
        for row in try Row.fetchAll(db, sql: sql) {
            if article?.item != row[0] {
                try article.map(settle)
                article = try self.article(of: row)
            }
            do {
                try article?.take(
                    draft(of: row), in: row[2], line: row[1], isDated: row[3] == 2, columns.map)
            } catch let reason as InvalidRow.Reason {
                try remove(item: row[0], line: row[1])
                invalid.append(InvalidRow(line: row[1], reason: reason))
            }
        }
        try article.map(settle)
        return invalid
    }

    private func article(of row: Row) throws -> Article {
        var product: Product?
        var shops: Set<String> = []
        if let number: Int64 = row[10] {
            product = try ProductRows.product(db, number: number)?.product
            let sql = """
                SELECT scope FROM main.offer
                WHERE product = ? AND scope <> '' AND position = 0 AND listed = 1
                """
            shops = Set(try String.fetchAll(db, sql: sql, arguments: [number]))
        }
        return Article(
            item: row[0], id: row[9], product: product, wasCommon: row[11], shops: shops,
            first: row[1])
    }

    private func draft(of row: Row) throws -> ProductDraft {
        var draft = ProductDraft()
        let isByKey: Bool = row[5]
        draft.id = isByKey ? nil : row[9] as String
        draft.codes = try codes(item: row[0], line: row[1])
        (draft.isListed, draft.name, draft.unit) = (row[4], row[6], row[7])
        draft.attributes = (row[8] as String?).map { AttributesText.attributes(json: $0) } ?? [:]
        return draft
    }

    private func settle(_ article: Article) throws {
        let line = article.line ?? (article.wasCommon ? article.first : nil)
        guard var product = article.product, let line else { return }
        product.id = article.id
        try setContent(of: article.item, to: product, line: line, isCommon: false)
    }
}

extension Staging.Article {
    /// Takes what a row of a shop says.
    fileprivate mutating func take(
        _ draft: ProductDraft, in scope: String, line: Int64, isDated: Bool, _ columns: ColumnMap?
    ) throws {
        if let product, !isDated {
            if !wasCommon, !shops.subtracting([scope]).isEmpty, let columns {
                try draft.checkAgreement(with: product, columns: columns)
            } else {
                let completed = draft.completing(product)
                // A common article that becomes the shops' is as the first of their rows says.
                if completed != product, !wasCommon || self.line == nil {
                    (self.product, self.line) = (completed, line)
                }
            }
        } else if product == nil {
            (product, self.line) = (draft.product, line)
        }
        if isDated, shops.contains(scope) { return }
        if draft.isListed ?? true { shops.insert(scope) } else if !isDated { shops.remove(scope) }
    }
}
