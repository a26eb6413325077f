import GRDB
import WireText

extension Staging {
    func apply() throws {
        let hasMostlyNewProducts = """
            SELECT max(?1 - (SELECT count(*) FROM temp.known), 1000)
                > max((SELECT count(*) FROM main.product), 1000)
            """
        var steps = Self.codes
        // Building the index from sorted rows takes a fraction of the time and makes it a third smaller.
        if try Bool.fetchOne(db, sql: hasMostlyNewProducts, arguments: [itemCount]) == true {
            steps =
                "DROP INDEX code_key; DROP INDEX code_folded; \(steps) \(CatalogSchema.codeIndices)"
        }
        steps += Self.products
        // A catalog that is replaced completely, such as a feed's, has no shops.
        if isWhole, columns == nil { steps += "DELETE FROM main.offer WHERE scope <> '';" }
        try db.execute(sql: steps + Self.offers + times)
        guard hasShops || scope != nil else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO main.offer
                SELECT 0, scope, -1, NULL, NULL, NULL, NULL, NULL FROM (\(Self.shops))
                """)
    }

    private static let gone = "(SELECT product FROM temp.change WHERE source = 3 AND scope = '')"
    private static let codes = """
        DELETE FROM main.code WHERE product IN \(gone);
        DELETE FROM main.code WHERE product IN (SELECT product FROM temp.recoded);
        INSERT INTO main.code
        SELECT product, dense_rank() OVER (PARTITION BY product ORDER BY position) - 1, key, text
        FROM temp.new_code;
        INSERT INTO main.code
        SELECT s.number, c.position, c.key, c.text FROM temp.source AS s
        CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
        WHERE s.product IS NULL AND s.scope = '';
        """

    private static let products = """
        DELETE FROM main.product WHERE number IN \(gone);
        INSERT INTO main.product
        SELECT number, id, name, unit, attributes FROM temp.source WHERE product IS NULL AND scope = '';
        UPDATE main.product AS p SET name = c.name, unit = c.unit, attributes = c.attributes
        FROM temp.change AS c WHERE c.product = p.number AND c.scope = '' AND c.has_other_texts;
        """

    private static let offers = """
        DELETE FROM main.offer WHERE product IN \(gone);
        DELETE FROM main.offer WHERE position = 0 AND (product, scope) IN (
            SELECT product, scope FROM temp.change WHERE listed IS NULL);
        INSERT INTO main.offer
        SELECT number, scope, 0, ifnull(listed, 1), iif(kind = 1, price, NULL),
            iif(kind = 1, currency, NULL), NULL, NULL FROM temp.source WHERE product IS NULL AND kind > 0;
        INSERT OR REPLACE INTO main.offer
        SELECT product, scope, 0, listed, price, currency, NULL, NULL FROM temp.change WHERE listed IS NOT NULL;
        """

    private var times: String {
        """
        DELETE FROM main.offer WHERE position > 0 AND (product, scope) IN (
            SELECT product, scope FROM temp.change WHERE has_other_times);
        INSERT INTO main.offer
        SELECT coalesce(k.product, d.item + \(firstNew - 1)), d.scope, d.position, NULL, d.price,
            d.currency, d.valid_from, d.valid_until
        FROM temp.dated AS d LEFT JOIN temp.known AS k ON k.item = d.item
        WHERE k.product IS NULL OR EXISTS (
            SELECT 1 FROM temp.change AS c
            WHERE c.product = k.product AND c.scope = d.scope AND c.has_other_times);
        """
    }
}

extension CatalogFile {
    /// Writes complete products, and removes other products by their `ids`, in one transaction.
    ///
    /// Each written product replaces the one with the same id, and its prices apply to every shop without an offer of
    /// its own. If `isWhole` is true, all other products and all offers of single shops are removed. Until `rows`
    /// returns, the catalog is not locked, so other processes can still write to it.
    ///
    /// - Throws: `InvalidRow` if a product is added twice or one of its texts contains a NUL character.
    @discardableResult
    package func write(
        whole isWhole: Bool, removing ids: [String] = [],
        _ rows: (_ add: (Product) throws -> Void) throws -> Void
    ) throws -> ImportSummary {
        try write(
            staging: { db in
                let staging = try Staging(db, isWhole: isWhole)
                try rows { try staging.add($0) }
                return staging
            },
            { db, staging in
                if let invalid = try staging.resolve().first { throw invalid }
                try staging.compare(removing: ids)
                let summary = try staging.summary()
                try staging.apply()
                return summary
            })
    }
}
