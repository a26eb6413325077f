import GRDB

/// What the rows change in products and offers that were there.
extension Staging {
    /// Compares old and new; the products with these ids go.
    func compare(removing ids: [String] = []) throws {
        guard firstNew > 1 else { return }
        try findLeftOut(ids)
        db.add(function: mergedAttributes)
        try db.execute(
            sql: """
                INSERT INTO temp.change (product, scope, source, kind)
                SELECT product, scope, 3, 0 FROM temp.without_row WHERE scope = '' AND kind = 3;
                \(insertChanges(of: "temp.source"));
                \(insertChanges(of: Self.withoutRow));
                """)
    }

    private static let withoutRow = """
        (SELECT product, NULL AS item, scope, kind, NULL AS line, listed, NULL AS name, NULL AS unit,
            NULL AS attributes, NULL AS price, NULL AS currency
        FROM temp.without_row WHERE scope <> '' OR kind <> 3)
        """

    /// Finds the products that go: those with these ids, and with a whole file those that no row names; and
    /// the offers of shops that go with a whole file, or that a shop's whole file does not list.
    ///
    /// A file that says nothing of shops does not have what only they have.
    private func findLeftOut(_ ids: [String]) throws {
        func isNamed(_ product: String, in scope: String) -> String {
            """
            EXISTS (SELECT 1 FROM temp.known AS k JOIN temp.staged AS s ON s.item = k.item
                WHERE k.product = \(product) AND \(scope))
            """
        }
        let products =
            "INSERT OR IGNORE INTO temp.without_row SELECT number, '', 3, NULL FROM main.product AS p"
        let isLeft = "NOT \(isNamed("p.number", in: "1"))"
        for id in ids where !id.utf8.contains(0) {
            try db.cachedStatement(sql: "\(products) WHERE p.id = ? AND \(isLeft)")
                .execute(arguments: [id])
        }
        guard isWhole else { return }
        if let scope {
            return try db.execute(
                sql: """
                    INSERT INTO temp.without_row
                    SELECT p.number, ?1, 3, 0 FROM main.product AS p
                    \(ProductRows.usualOffer) \(ProductRows.ofShop(named: "?1"))
                    WHERE \(ProductRows.isListed) AND NOT \(isNamed("p.number", in: "s.scope = ?1"))
                    """, arguments: [scope.name])
        }
        let isCommon = """
            EXISTS (SELECT 1 FROM main.offer AS o
                WHERE o.product = p.number AND o.scope = '' AND o.position = 0)
            """
        let hasAll = columns.map == nil || columns.scope
        try db.execute(sql: "\(products) WHERE \(hasAll ? "1" : isCommon) AND \(isLeft)")
        guard columns.scope else { return }
        try db.execute(
            sql: """
                INSERT INTO temp.without_row
                SELECT product, scope, 3, NULL FROM main.offer AS f
                WHERE scope <> '' AND position = 0
                    AND NOT \(isNamed("f.product", in: "s.scope = f.scope"))
                """)
    }

    /// The products and offers that differ, as they are to be; the kinds of differences are numbered as
    /// `ImportChanges.Kind` lists them.
    ///
    /// An offer is compared as its shop sees the article before and after. If all rows are of one shop, what
    /// it had is everything it listed, and of an article that it did not have nothing is a change; else only
    /// its own offers count, and a new one is no change.
    private func insertChanges(of rows: String) -> String {
        let (name, unit, attributes) = texts
        let standing = columns.listed ? "1" : "iif(s.scope = '', ifnull(o.listed, 1), 1)"
        let listed = """
            CASE WHEN s.kind IN (0, 3) THEN s.listed
            WHEN s.kind > 1 AND o.listed IS NOT NULL THEN o.listed
            ELSE coalesce(s.listed, \(standing)) END
            """
        func price(_ column: String) -> String {
            """
            CASE WHEN s.kind IN (0, 3) THEN NULL
            WHEN s.kind = 1 AND (\(columns.price) OR o.product IS NULL) THEN s.\(column)
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
            EXISTS (SELECT 1 FROM temp.without_row AS l
                WHERE l.product = s.product AND l.scope = '' AND l.kind = 3)
            OR EXISTS (
                SELECT 1 FROM temp.known AS k
                JOIN temp.staged AS x ON x.item = k.item AND x.scope = '' AND x.kind = 0
                WHERE k.product = s.product)
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
                    EXISTS (SELECT 1 FROM main.code AS c WHERE c.product = s.product)
                        AS had_codes,
                    EXISTS (SELECT 1 FROM temp.new_code AS c WHERE c.product = s.product)
                        AS has_codes,
                    o.listed AS old_listed, \(listed) AS listed,
                    iif(\(leaves), 0, c.listed) AS common_listed,
                    \(price("price")) AS price, \(price("currency")) AS currency,
                    coalesce(o.price || ' ' || o.currency, c.price || ' ' || c.currency)
                        AS old_price,
                    coalesce(\(price("price")) || ' ' || \(price("currency")),
                        c.price || ' ' || c.currency) AS new_price,
                    (\(price("price")), \(price("currency"))) IS NOT (o.price, o.currency)
                        AS has_other_offer,
                    \(hasOtherTimes) AS has_other_times, \(hasTimes) AS has_times,
                    s.scope <> '' AND EXISTS (
                        SELECT 1 FROM main.offer AS f
                        WHERE f.product = s.product AND f.scope = '' AND f.position > 0)
                        AS has_common_times,
                    s.scope <> '' AND EXISTS (
                        SELECT 1 FROM temp.staged AS x
                        WHERE x.item = s.item AND x.scope = '' AND x.kind = 0 AND x.line = -s.line)
                        AS is_author
                FROM \(rows) AS s CROSS JOIN main.product AS p ON p.number = s.product
                LEFT JOIN main.offer AS o
                    ON o.product = s.product AND o.scope = s.scope AND o.position = 0
                LEFT JOIN main.offer AS c
                    ON c.product = s.product AND c.scope = '' AND c.position = 0 AND s.scope <> ''
                LEFT JOIN temp.recoded AS r ON r.product = s.product AND s.scope = ''))
            WHERE has_other_texts OR has_other_codes OR old_listed IS NOT listed
                OR has_other_offer OR has_other_times OR is_author
            """
    }

    /// The name, the unit and the attributes.
    private var texts: (name: String, unit: String, attributes: String) {
        func text(_ column: String, _ isSaid: Bool, _ said: String) -> String {
            """
            CASE WHEN s.kind = 0 THEN s.\(column)
            WHEN s.kind = 1 AND s.scope = '' AND \(isSaid) THEN \(said) ELSE p.\(column) END
            """
        }
        let merged = """
            iif(s.attributes IS p.attributes, p.attributes,
                merged_attributes(p.attributes, s.attributes))
            """
        return (
            text("name", columns.name, "s.name"), text("unit", columns.unit, "s.unit"),
            text(
                "attributes", columns.attributes?.isEmpty != true,
                columns.attributes == nil ? "s.attributes" : merged)
        )
    }

    /// Whether the prices for a time are others than before.
    private var hasOtherTimes: String {
        """
        CASE WHEN s.kind IN (0, 3) THEN EXISTS (SELECT 1 FROM \(Self.timesBefore))
        WHEN s.kind = 4 OR NOT \(columns.times) THEN 0
        ELSE (SELECT count(*) FROM \(Self.timesBefore)) <> (
            SELECT iif(count(d.product) = count(*), count(*), -1)
            FROM temp.dated AS n LEFT JOIN main.offer AS d ON d.product = s.product
                AND d.scope = n.scope AND d.position = n.position
                AND (d.price, d.currency, d.valid_from, d.valid_until)
                    IS (n.price, n.currency, n.valid_from, n.valid_until)
            WHERE n.item = s.item AND n.scope = s.scope) END
        """
    }

    /// Whether there are prices for a time.
    private var hasTimes: String {
        let said = "temp.dated AS n WHERE n.item = s.item AND n.scope = s.scope"
        return """
            (s.kind IN (1, 2) AND EXISTS (SELECT 1 FROM \(columns.times ? said : Self.timesBefore)))
            """
    }

    private static let timesBefore = """
        main.offer AS d WHERE d.product = s.product AND d.scope = s.scope AND d.position > 0
        """

    /// A product's attributes with those of a row.
    private var mergedAttributes: DatabaseFunction {
        let said = columns.attributes ?? []
        return DatabaseFunction("merged_attributes", argumentCount: 2, pure: true) { values in
            let texts = values.map { AttributesText.attributes(String.fromDatabaseValue($0)) }
            let kept = texts[0].filter { !said.contains($0.key) }
            return AttributesText.text(kept.merging(texts[1]) { $1 })
        }
    }
}
