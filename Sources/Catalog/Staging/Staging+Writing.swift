import GRDB

/// Writes what differs into the catalog.
extension Staging {
    /// Writes everything that is new, has changed or goes.
    func apply() throws {
        try removeGone()
        try writeProducts()
        if try hasMoreCodes() {
            try CatalogSchema.withoutCodeIndices(db, writeCodes)
        } else {
            try writeCodes()
        }
        try writeOffers()
    }

    /// The number that the product of an item `s` has.
    private var number: String { "coalesce(s.product, s.item + \(firstNew - 1))" }

    /// Whether the item `s` is new, or what was there in its scope differs.
    private func differs(in scope: String) -> String {
        """
        (s.product IS NULL OR EXISTS (
            SELECT 1 FROM temp.change AS c WHERE c.product = s.product AND c.scope = \(scope)))
        """
    }

    private func removeGone() throws {
        for (table, column) in [("offer", "product"), ("code", "product"), ("product", "number")] {
            try db.execute(
                sql: """
                    DELETE FROM main.\(table) WHERE \(column) IN (SELECT product FROM temp.gone)
                    """)
        }
        // A catalog that is written whole, as that of a feed, knows no shops.
        if isWhole, columns.map == nil {
            try db.execute(sql: "DELETE FROM main.offer WHERE scope <> ''")
        }
    }

    private func writeProducts() throws {
        let (name, unit, attributes) = texts
        try db.execute(
            sql: """
                INSERT INTO main.product
                SELECT \(number), s.id, \(name), \(unit), \(attributes)
                FROM temp.source AS s LEFT JOIN main.product AS p ON p.number = s.product
                WHERE \(differs(in: "''"))
                ON CONFLICT (number) DO UPDATE
                SET name = excluded.name, unit = excluded.unit, attributes = excluded.attributes
                """)
    }

    private func hasMoreCodes() throws -> Bool {
        let sql = """
            SELECT (SELECT count(*) FROM (SELECT 1 FROM temp.staged_code LIMIT 1000)) = 1000
                AND (SELECT count(*) FROM temp.staged_code) > (SELECT count(*) FROM main.code)
            """
        return try Bool.fetchOne(db, sql: sql) ?? false
    }

    private func writeCodes() throws {
        try db.execute(
            sql: """
                DELETE FROM main.code WHERE product IN (
                    SELECT product FROM temp.change WHERE has_other_codes);
                INSERT INTO main.code
                SELECT \(number), c.position, c.key, c.text FROM temp.source AS s
                CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
                WHERE s.product IS NULL OR EXISTS (
                    SELECT 1 FROM temp.change AS d
                    WHERE d.product = s.product AND d.scope = '' AND d.has_other_codes)
                """)
    }

    private func writeOffers() throws {
        try db.execute(
            sql: """
                DELETE FROM main.offer WHERE position > 0 AND (product, scope) IN (
                    SELECT product, scope FROM temp.change WHERE has_other_times);
                DELETE FROM main.offer WHERE scope = '' AND product IN (
                    SELECT product FROM temp.source WHERE kind = 0 AND listed IS NULL);
                """)
        let update = """
            ON CONFLICT (product, scope, position) DO UPDATE
            SET listed = excluded.listed, price = excluded.price, currency = excluded.currency
            """
        try db.execute(
            sql: """
                INSERT INTO main.offer
                SELECT \(number), '', 0, \(listed), \(price("price")), \(price("currency")), NULL, NULL
                FROM temp.source AS s \(Self.offer("o", of: "s.product", in: "''"))
                WHERE s.kind > 0 AND \(differs(in: "''")) \(update)
                """)
        if hasShopRows { try writeShopOffers(update) }
        guard hasTimes else { return }
        try db.execute(
            sql: """
                INSERT INTO main.offer
                SELECT \(number), s.scope, s.position, NULL, s.price, s.currency, s.valid_from,
                    s.valid_until
                FROM (
                    SELECT d.*, k.product FROM temp.dated AS d
                    LEFT JOIN temp.known AS k ON k.item = d.item
                ) AS s
                WHERE s.product IS NULL OR EXISTS (
                    SELECT 1 FROM temp.change AS c
                    WHERE c.product = s.product AND c.scope = s.scope AND c.has_other_times)
                """)
    }

    private func writeShopOffers(_ update: String) throws {
        try db.execute(
            sql: """
                DELETE FROM main.offer WHERE (product, scope) IN (
                    SELECT product, scope FROM temp.shop_row WHERE listed IS NULL);
                INSERT INTO main.offer
                SELECT product, scope, 0, listed, price, currency, NULL, NULL
                FROM temp.shop_row AS r
                WHERE listed IS NOT NULL AND (
                    product >= \(firstNew) OR EXISTS (
                        SELECT 1 FROM temp.change AS c
                        WHERE c.product = r.product AND c.scope = r.scope))
                \(update);
                INSERT OR IGNORE INTO main.offer
                SELECT DISTINCT 0, scope, -1, NULL, NULL, NULL, NULL, NULL FROM temp.shop_row;
                """)
    }
}
