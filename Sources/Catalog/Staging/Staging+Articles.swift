import GRDB

/// Articles that only rows of shops name.
extension Staging {
    /// An article on its way through the rows of shops.
    private struct Article {
        let item: Int64
        let id: String
        /// Its texts and codes; nil for one that no row has made yet.
        var product: Product?
        /// Whether all shops have had it: then the first row that says otherwise counts.
        let wasCommon: Bool
        /// The shops that list it.
        var shops: Set<String> = []
        /// The row that has changed it last.
        var line: Int64?
        /// The first row of it.
        let first: Int64

        /// Applies a row of a shop.
        mutating func apply(
            _ draft: ProductDraft, in scope: String, line: Int64, isDated: Bool, _ map: ColumnMap?
        ) throws(InvalidRow.Reason) {
            if let product, !isDated {
                if !wasCommon, !shops.subtracting([scope]).isEmpty, let map {
                    try draft.checkAgreement(with: product, columns: map)
                } else if !wasCommon || self.line == nil {
                    let completed = draft.completing(product)
                    if completed != product { (self.product, self.line) = (completed, line) }
                }
            } else if product == nil {
                (product, self.line) = (draft.product, line)
            }
            if isDated, shops.contains(scope) { return }
            if draft.isListed ?? true {
                shops.insert(scope)
            } else if !isDated {
                shops.remove(scope)
            }
        }
    }

    /// Works out what rows of shops make of articles that no common row has named, or names any more.
    ///
    /// Such an article belongs to the shops that have it: a row changes it only for a shop that alone has
    /// it. Takes out rows that say something else than other shops, and returns them.
    func settleArticles() throws -> [InvalidRow] {
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
            let draft = try draft(of: row)
            do throws(InvalidRow.Reason) {
                try article?.apply(
                    draft, in: row[2], line: row[1], isDated: row[3] == 2, columns.map)
            } catch {
                try takeOut(line: row[1], item: row[0])
                invalid.append(InvalidRow(line: row[1], reason: error))
            }
        }
        try article.map(settle)
        if firstNew > 1 { try recode("s.kind = 0") }
        return invalid
    }

    private func article(of row: Row) throws -> Article {
        var article = Article(item: row[0], id: row[9], wasCommon: row[11], first: row[1])
        guard let number: Int64 = row[10] else { return article }
        article.product = try ProductRows.product(db, number: number)?.product
        let sql = """
            SELECT scope FROM main.offer
            WHERE product = ? AND scope <> '' AND position = 0 AND listed = 1
            """
        article.shops = Set(try String.fetchAll(db, sql: sql, arguments: [number]))
        return article
    }

    private func draft(of row: Row) throws -> ProductDraft {
        var draft = ProductDraft()
        let isByKey: Bool = row[5]
        draft.id = isByKey ? nil : row[9] as String
        (draft.isListed, draft.name, draft.unit) = (row[4], row[6], row[7])
        draft.attributes = AttributesText.attributes(row[8])
        let sql = """
            SELECT DISTINCT position, text FROM temp.staged_code WHERE item = ? AND line = ?
            ORDER BY position
            """
        draft.codes = try Row.fetchAll(
            try db.cachedStatement(sql: sql), arguments: [row[0] as Int64, row[1] as Int64]
        ).map { $0[1] }
        return draft
    }

    private func settle(_ article: Article) throws {
        let line = article.line ?? (article.wasCommon ? article.first : nil)
        guard var product = article.product, let line else { return }
        product.id = article.id
        try add(article: product, item: article.item, line: line)
    }
}
