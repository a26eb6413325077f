import GRDB
import WireText

/// Writes what differs into the catalog.
extension Staging {
    /// Writes everything that is new, has changed or goes.
    func apply() throws {
        if try hasMostlyNewProducts() {
            try CatalogSchema.withoutCodeIndices(db, writeCodes)
        } else {
            try writeCodes()
        }
        try db.execute(sql: Self.products)
        // A catalog that is written whole, as that of a feed, knows no shops.
        if isWhole, columns.map == nil {
            try db.execute(sql: "DELETE FROM main.offer WHERE scope <> ''")
        }
        try db.execute(sql: Self.offers)
        try writeTimes()
        guard hasShops || scope != nil else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO main.offer
                SELECT 0, scope, -1, NULL, NULL, NULL, NULL, NULL FROM (\(Self.shops))
                """)
    }

    private func hasMostlyNewProducts() throws -> Bool {
        let sql = """
            SELECT max(?1 - (SELECT count(*) FROM temp.known), 1000)
                > max((SELECT count(*) FROM main.product), 1000)
            """
        return try Bool.fetchOne(db, sql: sql, arguments: [itemCount]) ?? false
    }

    /// The products that go.
    private static let gone = "(SELECT product FROM temp.change WHERE source = 3 AND scope = '')"

    private func writeCodes() throws {
        try db.execute(
            sql: """
                DELETE FROM main.code WHERE product IN \(Self.gone);
                DELETE FROM main.code WHERE product IN (SELECT product FROM temp.recoded);
                INSERT INTO main.code
                SELECT product, dense_rank() OVER (PARTITION BY product ORDER BY position) - 1, key, text
                FROM temp.new_code;
                INSERT INTO main.code
                SELECT s.number, c.position, c.key, c.text FROM temp.source AS s
                CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
                WHERE s.product IS NULL AND s.scope = '';
                """)
    }

    private static let products = """
        DELETE FROM main.product WHERE number IN \(gone);
        INSERT INTO main.product
        SELECT number, id, name, unit, attributes FROM temp.source
        WHERE product IS NULL AND scope = '';
        UPDATE main.product AS p SET name = c.name, unit = c.unit, attributes = c.attributes
        FROM temp.change AS c WHERE c.product = p.number AND c.scope = '' AND c.has_other_texts;
        """

    private static let offers = """
        DELETE FROM main.offer WHERE product IN \(gone);
        DELETE FROM main.offer WHERE position = 0 AND (product, scope) IN (
            SELECT product, scope FROM temp.change WHERE listed IS NULL);
        INSERT INTO main.offer
        SELECT number, scope, 0, ifnull(listed, 1), iif(kind = 1, price, NULL),
            iif(kind = 1, currency, NULL), NULL, NULL
        FROM temp.source WHERE product IS NULL AND kind > 0;
        INSERT OR REPLACE INTO main.offer
        SELECT product, scope, 0, listed, price, currency, NULL, NULL
        FROM temp.change WHERE listed IS NOT NULL;
        """

    private func writeTimes() throws {
        try db.execute(
            sql: """
                DELETE FROM main.offer WHERE position > 0 AND (product, scope) IN (
                    SELECT product, scope FROM temp.change WHERE has_other_times);
                INSERT INTO main.offer
                SELECT coalesce(k.product, d.item + \(firstNew - 1)), d.scope, d.position, NULL, d.price,
                    d.currency, d.valid_from, d.valid_until
                FROM temp.dated AS d LEFT JOIN temp.known AS k ON k.item = d.item
                WHERE k.product IS NULL OR EXISTS (
                    SELECT 1 FROM temp.change AS c
                    WHERE c.product = k.product AND c.scope = d.scope AND c.has_other_times)
                """)
    }

    /// Reads the products that change or go, or what became of them, and the new ones.
    fileprivate func forEachChanged(_ body: (Product) throws -> Void) throws {
        let condition = """
            p.number >= \(firstNew) OR p.number IN (
                SELECT product FROM temp.change WHERE scope = '')
            """
        try ProductRows.forEach(db, where: condition, by: .number) { try body($0.product) }
    }
}

extension CatalogFile {
    /// Writes products as they are, all or nothing.
    ///
    /// A product replaces the one with its id, and all shops have it at its prices. If it `isWhole`,
    /// products that are not added go, and everything that shops have of their own. `rows` adds the
    /// products while others may still write to the catalog. `before` gets each product that changes or
    /// goes as it was, then `after` each one that has changed or is new. What `check` throws at the end
    /// takes everything back. A product that is added twice, or has a NUL in a text, is an `InvalidRow`.
    @discardableResult
    package func write(
        whole isWhole: Bool, removing ids: [String] = [],
        _ rows: (_ add: (Product) throws -> Void) throws -> Void,
        before: ((Product) throws -> Void)? = nil, after: ((Product) throws -> Void)? = nil,
        check: (WriteSummary) throws -> Void = { _ in }
    ) throws -> WriteSummary {
        try write(
            staging: { db in
                let staging = try Staging(db, Staging.Columns(), isWhole: isWhole)
                try rows { try staging.add($0) }
                return staging
            },
            { db, staging in
                if let invalid = try staging.resolve().first { throw invalid }
                try staging.compare(removing: ids)
                let summary = WriteSummary(try staging.summary())
                try before.map(staging.forEachChanged)
                try staging.apply()
                try after.map(staging.forEachChanged)
                try check(summary)
                return summary
            })
    }
}

/// What a write did.
package struct WriteSummary: Sendable {
    /// Products that were not in the catalog before.
    package let added: Int
    /// Products that have changed.
    package let updated: Int
    /// Products that are gone.
    package let removed: Int
    /// Products that were there as they were added.
    package let unchanged: Int

    fileprivate init(_ summary: ImportSummary) {
        (added, updated) = (summary.added, summary.updated)
        (removed, unchanged) = (summary.removed, summary.unchanged)
    }
}
