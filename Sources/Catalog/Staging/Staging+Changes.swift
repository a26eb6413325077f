import GRDB

/// What the rows change in products and offers that were there.
extension Staging {
    /// What becomes of a code that another product has, when a row brings it for its own.
    func findMovedCodes(areRefused: Bool) throws -> [InvalidRow] {
        guard scope == nil, !isWhole, firstNew > 1, columns.codes else { return [] }
        // What the rows name themselves, they may share.
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.moved
                SELECT o.product, c.key, c.text, s.item, s.line
                FROM temp.source AS s
                CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
                CROSS JOIN main.code AS o ON o.key = c.key AND o.product IS NOT s.product
                WHERE s.kind > 0 AND \(saysCodes)
                    AND EXISTS (
                        SELECT 1 FROM main.offer AS f
                        WHERE f.product = o.product AND f.scope = '' AND f.position = 0)
                    AND NOT EXISTS (
                        SELECT 1 FROM main.code AS h WHERE h.product = s.product AND h.key = c.key)
                    AND NOT EXISTS (
                        SELECT 1 FROM temp.known AS k
                        JOIN temp.staged AS n ON n.item = k.item AND n.scope = ''
                        WHERE k.product = o.product)
                """)
        guard areRefused else {
            try takeMovedCodes()
            return []
        }
        let sql = """
            SELECT m.line, min(m.text), p.id, m.item FROM temp.moved AS m
            JOIN main.product AS p ON p.number = m.product GROUP BY m.line
            """
        let rows = try Row.fetchAll(db, sql: sql)
        try db.execute(sql: "DELETE FROM temp.moved")
        return try rows.map { row in
            try remove(item: row[3], line: row[0])
            return InvalidRow(line: row[0], reason: .movedCode(row[1], id: row[2]))
        }
    }

    private func takeMovedCodes() throws {
        let numbers = try Int64.fetchAll(db, sql: "SELECT DISTINCT product FROM temp.moved")
        for number in numbers {
            guard var product = try ProductRows.product(db, number: number)?.product else {
                continue
            }
            let sql = "SELECT key FROM temp.moved WHERE product = ?"
            let moved = Set(try String.fetchAll(db, sql: sql, arguments: [number]))
            product.codes.removeAll { !moved.isDisjoint(with: CodeKeys($0).all) }
            let item = try addItem(of: number)
            try setContent(of: item, to: product, line: 0, isCommon: true)
        }
    }

    /// Notes which products go: those with these ids, and with a whole file those that no row names.
    ///
    /// A file that says nothing of shops does not have what only they have.
    func findGone(ids: [String]) throws {
        let isNamed = """
            EXISTS (SELECT 1 FROM temp.known AS k JOIN temp.staged AS s ON s.item = k.item
                WHERE k.product = p.number)
            """
        let selection = "INSERT OR IGNORE INTO temp.gone SELECT number FROM main.product AS p"
        for id in ids where !id.utf8.contains(0) {
            try db.cachedStatement(sql: "\(selection) WHERE p.id = ? AND NOT \(isNamed)")
                .execute(arguments: [id])
        }
        guard isWhole, scope == nil, firstNew > 1 else { return }
        let isCommon = """
            EXISTS (SELECT 1 FROM main.offer AS o
                WHERE o.product = p.number AND o.scope = '' AND o.position = 0)
            """
        let isLeft = columns.map == nil || columns.scope ? "1" : isCommon
        try db.execute(sql: "\(selection) WHERE \(isLeft) AND NOT \(isNamed)")
    }

    /// Notes the offers of shops that go with a whole file, or that a shop's whole file does not list.
    func findUnlisted() throws {
        guard isWhole, scope != nil || columns.scope else { return }
        let isNamed = "EXISTS (SELECT 1 FROM temp.shop_row AS r WHERE r.product = %.product"
        guard let scope else {
            return try db.execute(
                sql: """
                    INSERT INTO temp.shop_row
                    SELECT product, scope, NULL, NULL, NULL, NULL, NULL, 0 FROM main.offer AS f
                    WHERE f.scope <> '' AND f.position = 0
                        AND NOT \(isNamed.replacing("%", with: "f")) AND r.scope = f.scope)
                    """)
        }
        try db.execute(
            sql: """
                INSERT INTO temp.shop_row
                SELECT p.number, ?1, NULL, NULL, 0, NULL, NULL, s.product IS NULL
                FROM main.product AS p
                \(ProductRows.usualOffer) \(ProductRows.ofShop(named: "?1"))
                WHERE \(ProductRows.isListed)
                    AND NOT \(isNamed.replacing("%.product", with: "p.number")) AND r.scope = ?1)
                """, arguments: [scope.name])
    }

    /// Compares old and new rows: the one query that every count, limit and example comes from.
    func findChanges() throws {
        guard firstNew > 1 else { return }
        try db.execute(sql: "INSERT INTO temp.change \(changesOfProducts)")
        try db.execute(
            sql: """
                INSERT INTO temp.change SELECT product, '', 0, NULL, NULL, 0, 0 FROM temp.gone
                """)
        guard hasShopRows else { return }
        try db.execute(sql: "INSERT INTO temp.change \(changesOfOffers)")
    }

    var hasShopRows: Bool { hasShops || scope != nil || columns.scope }

    /// The kinds are numbered as `ImportChanges.Kind` lists them.
    private var changesOfProducts: String {
        let (name, unit, attributes) = texts
        let codes = "SELECT count(*) FROM main.code AS c WHERE c.product = s.product"
        let newCodes = "temp.staged_code AS c WHERE c.item = s.item AND c.line = s.line"
        // Of an article that a shop did not have, nothing is a change.
        let isOthers =
            scope.map { scope in
                """
                WHEN NOT EXISTS (SELECT 1 FROM main.offer AS f WHERE f.product = product_number
                    AND f.scope = '\(scope)' AND f.position = 0 AND f.listed = 1) THEN NULL
                """
            } ?? ""
        return """
            SELECT product_number, '', CASE \(isOthers)
                WHEN old_listed IS NOT NULL AND new_listed IS NULL THEN 0
                WHEN old_listed = 1 AND new_listed = 0 THEN 0
                WHEN is_moved THEN 1
                WHEN has_other_prices AND new_price IS NULL AND NOT has_times THEN 2
                WHEN old_name IS NOT NULL AND new_name IS NULL THEN 3
                WHEN has_other_codes AND had_codes AND NOT has_codes THEN 4
                WHEN has_other_prices THEN 5 ELSE 6 END,
                old_price, new_price, has_other_codes, has_other_times
            FROM (SELECT *, old_price IS NOT new_price OR has_other_times AS has_other_prices FROM (
                SELECT s.product AS product_number,
                    p.name AS old_name, \(name) AS new_name,
                    (p.name, p.unit, p.attributes) IS NOT (\(name), \(unit), \(attributes))
                        AS has_other_texts,
                    \(saysCodes) AND ((\(codes)) <> (SELECT count(*) FROM \(newCodes))
                        OR EXISTS (SELECT 1 FROM \(newCodes) AND NOT EXISTS (
                            SELECT 1 FROM main.code AS h WHERE h.product = s.product
                                AND h.position = c.position AND h.key = c.key
                                AND h.text = c.text))) AS has_other_codes,
                    EXISTS (SELECT 1 FROM main.code AS c WHERE c.product = s.product) AS had_codes,
                    EXISTS (SELECT 1 FROM \(newCodes)) AS has_codes,
                    o.listed AS old_listed, \(listed) AS new_listed,
                    o.price || ' ' || o.currency AS old_price,
                    \(price("price")) || ' ' || \(price("currency")) AS new_price,
                    \(hasOtherTimes) AS has_other_times, \(hasTimesAfter) AS has_times,
                    s.kind = 0 AND EXISTS (
                        SELECT 1 FROM temp.moved AS m WHERE m.product = s.product) AS is_moved
                FROM temp.source AS s CROSS JOIN main.product AS p ON p.number = s.product
                \(Self.offer("o", of: "s.product", in: "''"))))
            WHERE has_other_texts OR has_other_codes OR old_listed IS NOT new_listed
                OR has_other_prices
            """
    }

    /// An offer is compared as its shop sees the article before and after.
    ///
    /// If all rows are of one shop, what it had is everything it listed; else only its own offers: a new
    /// one is no change.
    private var changesOfOffers: String {
        let wasSeen = scope == nil ? "ifnull(o.listed, 0)" : "coalesce(o.listed, c.listed, 0)"
        let leaves = """
            EXISTS (SELECT 1 FROM temp.gone AS g WHERE g.product = s.product) OR EXISTS (
                SELECT 1 FROM temp.known AS k JOIN temp.staged AS x ON x.item = k.item
                    AND x.scope = '' AND x.kind = 0 AND x.listed IS NULL
                WHERE k.product = s.product)
            """
        return """
            SELECT product_number, scope, CASE WHEN NOT was_seen THEN NULL
                WHEN NOT is_seen THEN 0
                WHEN (old_price IS NOT new_price OR has_other_times) AND new_price IS NULL
                    AND NOT has_times THEN 2
                WHEN old_price IS NOT new_price OR has_other_times THEN 5 ELSE NULL END,
                old_price, new_price, 0, has_other_times
            FROM (
                SELECT s.product AS product_number, s.scope, \(wasSeen) AS was_seen,
                    coalesce(s.after, iif(\(leaves), 0, c.listed), 0) AS is_seen,
                    coalesce(o.price || ' ' || o.currency, c.price || ' ' || c.currency)
                        AS old_price,
                    coalesce(s.price || ' ' || s.currency, c.price || ' ' || c.currency)
                        AS new_price,
                    \(hasOtherTimes) AS has_other_times,
                    \(hasTimesAfter) OR s.price IS NULL AND EXISTS (
                        SELECT 1 FROM main.offer AS f
                        WHERE f.product = s.product AND f.scope = '' AND f.position > 0)
                        AS has_times,
                    s.is_new OR s.after IS NOT o.listed
                        OR (s.price, s.currency) IS NOT (o.price, o.currency) AS is_other
                FROM (
                    SELECT product, scope, item, price, currency, is_new, listed AS after,
                        iif(item IS NULL, 0, 1) AS kind, iif(item IS NULL, NULL, 1) AS listed
                    FROM temp.shop_row
                ) AS s
                \(Self.offer("o", of: "s.product", in: "s.scope"))
                \(Self.offer("c", of: "s.product", in: "''"))
                WHERE s.product < \(firstNew))
            WHERE is_other OR has_other_times
            """
    }
}
