import Foundation
import GRDB

/// Methods that merge an article's rows if a file lists the article only for certain shops.
extension Staging {
    private struct Article {
        let item: Int64
        let id: String
        /// The article's texts and codes; nil until a row creates the article.
        var product: Product?
        /// Whether the article had an offer for all shops before the import.
        let wasCommon: Bool
        var shops: Set<String> = []
        /// The line of the last row that changed the article; nil if none has.
        var line: Int?
        let first: Int

        mutating func apply(
            _ draft: ProductDraft, in scope: String, line: Int, isDated: Bool, _ map: ColumnMap?
        ) throws(InvalidRow.Reason) {
            if let product, !isDated {
                if !wasCommon, !shops.subtracting([scope]).isEmpty, let map {
                    try draft.checkAgreement(with: product, columns: map)
                } else if !wasCommon || self.line == nil {
                    let completed = draft.completing(product)
                    if completed != product { (self.product, self.line) = (completed, line) }
                }
            } else if product == nil {
                (product, self.line) = (draft.completing(Product(id: id)), line)
            }
            if isDated, shops.contains(scope) { return }
            if draft.isListed ?? true {
                shops.insert(scope)
            } else if !isDated {
                shops.remove(scope)
            }
        }
    }

    /// Merges the rows of articles that only some shops sell; removes and returns any that contradict other shops.
    func settleArticles() throws -> [InvalidRow] {
        // A product that a complete file mentions only for certain shops is no longer sold by all shops.
        let leaves = isWhole && scope == nil && saysScope
        let codes = ProductRows.codes(in: "temp.staged_code", "c.item = s.item AND c.line = s.line")
        let sql = """
            SELECT s.item, s.line, s.scope, s.kind, s.listed, s.by_key, s.name, s.unit, s.attributes,
                s.id, k.product, o.product IS NOT NULL, (
                    SELECT group_concat(scope, ' ') FROM main.offer
                    WHERE product = k.product AND scope <> '' AND position = 0 AND listed = 1),
                CAST(\(codes) AS BLOB)
            FROM temp.staged AS s LEFT JOIN temp.known AS k ON k.item = s.item
            LEFT JOIN main.offer AS o ON o.product = k.product AND o.scope = '' AND o.position = 0
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
            let (draft, isDated) = (draft(of: row), row[3] == 2)
            do throws(InvalidRow.Reason) {
                try article?.apply(draft, in: row[2], line: row[1], isDated: isDated, columns)
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
        // A new product has no number, so the query finds nothing.
        article.product = try ProductRows.product(db, where: "p.number = ?", row[10] as Int64?)
        article.shops = Set((row[12] as String? ?? "").split(separator: " ").map(String.init))
        return article
    }

    private func draft(of row: Row) -> ProductDraft {
        var draft = ProductDraft()
        let isByKey: Bool = row[5]
        draft.id = isByKey ? nil : row[9] as String
        (draft.isListed, draft.name, draft.unit) = (row[4], row[6], row[7])
        draft.attributes = AttributesText.attributes(row[8])
        let codes = (row[13] as Data? ?? Data()).split(separator: 0)
        draft.codes = codes.map { String(decoding: $0, as: UTF8.self) }
        return draft
    }

    private func settle(_ article: Article) throws {
        let line = article.line ?? (article.wasCommon ? article.first : nil)
        guard var product = article.product, let line else { return }
        product.id = article.id
        // The negative line keeps these codes apart from the row's own.
        try insert(.article, ProductDraft(product), nil, article.item, -line)
        try add(product.codes, article.item, -line)
    }
}
