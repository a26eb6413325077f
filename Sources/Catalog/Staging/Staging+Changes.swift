import GRDB

extension Staging {
    /// Records how the import changes products and offers; `ids` are the ids of products that it removes.
    func compare(removing ids: [String] = []) throws {
        guard firstNew > 1 else { return }
        try findLeftOut(ids)
        db.add(function: mergedAttributes)
        let absent = ["item", "line", "name", "unit", "attributes", "price", "currency"]
        let withoutRow = """
            (SELECT product, scope, kind, listed, \(absent.map { "NULL AS \($0)" }.joined(separator: ", "))
            FROM temp.without_row WHERE scope <> '' OR kind <> 3)
            """
        try db.execute(
            sql: """
                INSERT INTO temp.change (product, scope, source, kind)
                SELECT product, scope, 3, 0 FROM temp.without_row WHERE scope = '' AND kind = 3;
                \(insertChanges(of: "temp.source"));
                \(insertChanges(of: withoutRow));
                """)
    }

    /// Records what to remove: products with these ids and, for a complete file, products and offers without a row.
    ///
    /// A file without a scope column does not remove products that only certain shops sell.
    private func findLeftOut(_ ids: [String]) throws {
        func leaveOut(_ rows: String, in scope: String, _ values: StatementArguments = []) throws {
            let sql = """
                INSERT OR IGNORE INTO temp.without_row SELECT \(rows) AND NOT EXISTS (
                    SELECT 1 FROM temp.known AS x JOIN temp.staged AS y ON y.item = x.item
                    WHERE x.product = p.number AND \(scope))
                """
            try db.cachedStatement(sql: sql).execute(arguments: values)
        }
        let products = "p.number, '', 3, NULL FROM main.product AS p"
        for id in ids where !id.utf8.contains(0) {
            try leaveOut("\(products) WHERE p.id = ?", in: "1", [id])
        }
        guard isWhole else { return }
        if let scope {
            let rows = "p.number, '\(scope)', 3, 0 FROM \(ProductRows.all(of: scope))"
            return try leaveOut(rows, in: "y.scope = '\(scope)'")
        }
        let offers = "(SELECT product AS number, scope FROM main.offer WHERE position = 0) AS p"
        guard columns == nil || saysScope else {
            return try leaveOut("p.number, '', 3, NULL FROM \(offers) WHERE scope = ''", in: "1")
        }
        try leaveOut("\(products) WHERE 1", in: "1")
        guard saysScope else { return }
        try leaveOut(
            "p.number, p.scope, 3, NULL FROM \(offers) WHERE scope <> ''", in: "y.scope = p.scope")
    }

    /// Returns SQL that records the changed products and offers in their new state, with their `ChangeSummary.Kind`.
    ///
    /// A shop's offer without a price is taken to have the price for all shops. A change to a shop's offer counts only
    /// if the shop sold the product before: by its own offer or, in an import for one shop, by the offer for all shops.
    private func insertChanges(of rows: String) -> String {
        let merged =
            "iif(s.attributes IS p.attributes, p.attributes, merged_attributes(p.attributes, s.attributes))"
        let name = text("name", says(.name), "s.name")
        let unit = text("unit", says(.unit), "s.unit")
        let attributes = text(
            "attributes", columns?.attributes.isEmpty != true,
            columns == nil ? "s.attributes" : merged)
        let standing = says(.listed) ? "1" : "iif(s.scope = '', ifnull(o.listed, 1), 1)"
        let listed = """
            CASE WHEN s.kind IN (0, 3) THEN s.listed
            WHEN s.kind > 1 AND o.listed IS NOT NULL THEN o.listed
            ELSE coalesce(s.listed, \(standing)) END
            """
        func price(_ column: String) -> String {
            """
            CASE WHEN s.kind IN (0, 3) THEN NULL
            WHEN s.kind = 1 AND (\(says(.price)) OR o.product IS NULL) THEN s.\(column)
            ELSE o.\(column) END
            """
        }
        let wasSeen =
            scope.map { scope in
                """
                iif(s.scope = '', EXISTS (
                    SELECT 1 FROM main.offer AS f WHERE f.product = s.product
                        AND f.scope = '\(scope)' AND f.position = 0 AND f.listed = 1),
                    coalesce(o.listed, c.listed, 0))
                """
            } ?? "(s.scope = '' OR ifnull(o.listed, 0))"
        let leaves = """
            EXISTS (SELECT 1 FROM temp.without_row WHERE product = s.product AND scope = '' AND kind = 3)
            OR EXISTS (
                SELECT 1 FROM temp.known AS k
                JOIN temp.staged AS x ON x.item = k.item AND x.scope = '' AND x.kind = 0
                WHERE k.product = s.product)
            """
        let saysTimes = says(.validFrom, .validUntil)
        let oldTimes = ProductRows.times(
            of: "main.offer", "d.product = s.product AND d.scope = s.scope")
        let saidTimes = ProductRows.times(
            of: "temp.dated", "d.item = s.item AND d.scope = s.scope")
        let newTimes = saysTimes ? saidTimes : oldTimes
        let hasOtherTimes = """
            CASE WHEN s.kind IN (0, 3) THEN \(oldTimes) IS NOT NULL
            WHEN s.kind = 4 OR NOT \(saysTimes) THEN 0 ELSE \(oldTimes) IS NOT \(newTimes) END
            """
        return """
            INSERT INTO temp.change
            SELECT product, scope, source, CASE WHEN NOT was_seen THEN NULL
                WHEN NOT iif(scope = '', ifnull(listed, -1) >= ifnull(old_listed, -1),
                    coalesce(listed, common_listed, 0)) THEN 0
                WHEN source = 4 THEN 1
                WHEN has_other_prices AND new_price IS NULL AND NOT has_times
                    AND NOT (price IS NULL AND has_common_times) THEN 2
                WHEN old_name IS NOT NULL AND name IS NULL THEN 3
                WHEN has_other_codes AND had_codes AND NOT has_codes THEN 4
                WHEN has_other_prices THEN 5 WHEN scope = '' THEN 6 END,
                is_new, old_price, new_price, has_other_texts, has_other_times,
                name, unit, attributes, listed, price, currency
            FROM (SELECT *, old_price IS NOT new_price OR has_other_times AS has_other_prices FROM (
                SELECT s.product, s.scope, s.kind AS source, o.product IS NULL AS is_new,
                    \(wasSeen) AS was_seen, p.name AS old_name,
                    \(name) AS name, \(unit) AS unit, \(attributes) AS attributes,
                    (p.name, p.unit, p.attributes) IS NOT (\(name), \(unit), \(attributes))
                        AS has_other_texts,
                    r.product IS NOT NULL AS has_other_codes,
                    EXISTS (SELECT 1 FROM main.code WHERE product = s.product) AS had_codes,
                    EXISTS (SELECT 1 FROM temp.new_code WHERE product = s.product) AS has_codes,
                    o.listed AS old_listed, \(listed) AS listed,
                    iif(\(leaves), 0, c.listed) AS common_listed,
                    \(price("price")) AS price, \(price("currency")) AS currency,
                    coalesce(o.price || ' ' || o.currency, c.price || ' ' || c.currency) AS old_price,
                    coalesce(\(price("price")) || ' ' || \(price("currency")),
                        c.price || ' ' || c.currency) AS new_price,
                    (\(price("price")), \(price("currency"))) IS NOT (o.price, o.currency)
                        AS has_other_offer,
                    \(hasOtherTimes) AS has_other_times,
                    s.kind IN (1, 2) AND \(newTimes) IS NOT NULL AS has_times,
                    s.scope <> '' AND EXISTS (
                        SELECT 1 FROM main.offer WHERE product = s.product AND scope = '' AND position > 0)
                        AS has_common_times,
                    s.scope <> '' AND EXISTS (
                        SELECT 1 FROM temp.staged AS x
                        WHERE x.item = s.item AND x.scope = '' AND x.kind = 0 AND x.line = -s.line)
                        AS is_author
                FROM \(rows) AS s CROSS JOIN main.product AS p ON p.number = s.product
                LEFT JOIN main.offer AS o ON o.product = s.product AND o.scope = s.scope AND o.position = 0
                LEFT JOIN main.offer AS c
                    ON c.product = s.product AND c.scope = '' AND c.position = 0 AND s.scope <> ''
                LEFT JOIN temp.recoded AS r ON r.product = s.product AND s.scope = ''))
            WHERE has_other_texts OR has_other_codes OR old_listed IS NOT listed
                OR has_other_offer OR has_other_times OR is_author
            """
    }

    private func text(_ column: String, _ isSaid: Bool, _ said: String) -> String {
        """
        CASE WHEN s.kind = 0 THEN s.\(column)
        WHEN s.kind = 1 AND s.scope = '' AND \(isSaid) THEN \(said) ELSE p.\(column) END
        """
    }

    private var mergedAttributes: DatabaseFunction {
        let said = Set(columns?.attributes.map(\.name) ?? [])
        return DatabaseFunction("merged_attributes", argumentCount: 2, pure: true) { values in
            let texts = values.map { AttributesText.attributes(String.fromDatabaseValue($0)) }
            let kept = texts[0].filter { !said.contains($0.key) }
            return AttributesText.text(kept.merging(texts[1]) { $1 })
        }
    }
}
