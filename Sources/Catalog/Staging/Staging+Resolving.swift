import GRDB

extension Staging {
    /// Finds the product of each row; removes contradictory rows, and returns the removed rows sorted by line.
    ///
    /// Call it inside the write transaction. A row without an id belongs to the product that a lookup of its first code
    /// finds, or else to the product of another row with that code.
    func resolve(refusingMovedCodes: Bool = false) throws -> [InvalidRow] {
        firstNew = (try Int64.fetchOne(db, sql: "SELECT max(number) FROM main.product") ?? 0) + 1
        try db.execute(
            sql: """
                INSERT INTO temp.known
                SELECT i.number, p.number FROM temp.item AS i
                CROSS JOIN main.product AS p ON p.id = i.name WHERE NOT i.by_key AND \(firstNew) > 1
                """)
        var invalid: [InvalidRow] = []
        if hasItemsByKey {
            try findByCodes()
            invalid += try takeOutForeignIDs()
        }
        try db.execute(sql: "CREATE UNIQUE INDEX temp.known_product ON known (product)")
        if hasRepeatedItems || hasItemsByKey { invalid += try takeOutRepeated() }
        try db.execute(
            sql: """
                CREATE TEMP VIEW source AS
                SELECT s.*, k.product, coalesce(k.product, s.item + \(firstNew - 1)) AS number
                FROM temp.staged AS s LEFT JOIN temp.known AS k ON k.item = s.item
                WHERE s.kind <> 2 OR NOT EXISTS (
                    SELECT 1 FROM temp.staged AS e
                    WHERE e.item = s.item AND e.scope = s.scope AND (e.kind <> 2 OR e.line < s.line))
                """)
        if firstNew > 1 { invalid += try findOtherCodes(refusingMoved: refusingMovedCodes) }
        if hasShops { invalid += try settleArticles() }
        try orderTimes()
        return invalid.sorted { $0.line < $1.line }
    }

    private func findByCodes() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.known
                SELECT * FROM (
                    SELECT number, (
                        SELECT p.number FROM main.code AS c CROSS JOIN main.product AS p ON p.number = c.product
                        WHERE c.key = i.name ORDER BY p.id LIMIT 1) AS product
                    FROM temp.item AS i WHERE by_key)
                WHERE product IS NOT NULL;
                CREATE INDEX temp.staged_code_key ON staged_code (key);
                CREATE TEMP TABLE twin (item INTEGER PRIMARY KEY, other INTEGER, id TEXT);
                INSERT INTO twin
                SELECT i.number, min(s.item), s.id
                FROM temp.item AS i CROSS JOIN temp.staged_code AS c ON c.key = i.name
                CROSS JOIN temp.staged AS s ON s.item = c.item AND s.line = c.line
                WHERE i.by_key AND i.number NOT IN (SELECT item FROM temp.known)
                    AND (NOT s.by_key OR s.item < i.number)
                GROUP BY i.number;
                INSERT INTO twin
                SELECT k.item, f.first, s.id FROM (
                    SELECT product, min(item) AS first FROM temp.known GROUP BY product HAVING count(*) > 1
                ) AS f JOIN temp.known AS k ON k.product = f.product AND k.item > f.first
                JOIN temp.staged AS s ON s.item = k.item GROUP BY k.item;
                """)
        repeat {
            try db.execute(
                sql: "UPDATE twin SET other = t.other FROM twin AS t WHERE t.item = twin.other")
        } while db.changesCount > 0
        try db.execute(
            sql: """
                UPDATE temp.staged AS s SET item = t.other, id = t.id FROM twin AS t WHERE t.item = s.item;
                UPDATE temp.staged_code AS c SET item = t.other FROM twin AS t WHERE t.item = c.item;
                DELETE FROM temp.item WHERE number IN (SELECT item FROM twin);
                DELETE FROM temp.known WHERE item IN (SELECT item FROM twin);
                """)
    }

    /// Removes and returns rows that have no id and whose first code is a product's id but no product's code.
    private func takeOutForeignIDs() throws -> [InvalidRow] {
        let sql = """
            SELECT DISTINCT s.line, s.item, s.id FROM temp.item AS i
            CROSS JOIN temp.staged AS s ON s.item = i.number
            WHERE i.by_key AND i.number NOT IN (SELECT item FROM temp.known) AND (
                EXISTS (SELECT 1 FROM main.product AS p WHERE p.id = s.id)
                OR EXISTS (SELECT 1 FROM temp.item AS o WHERE NOT o.by_key AND o.name = s.id))
            """
        return try takeOut(sql) { .codeIsOtherID($0[2]) }
    }

    /// Removes and returns ``Kind/usual`` rows for the same product and shop as an earlier one.
    private func takeOutRepeated() throws -> [InvalidRow] {
        let sql = """
            SELECT s.line, s.item, s.scope, s.id,
                iif(s.by_key, (
                    SELECT c.text FROM temp.staged_code AS c
                    WHERE c.item = s.item AND c.line = s.line AND c.position = 0), NULL)
            FROM (
                SELECT item, scope, min(line) AS first FROM temp.staged
                WHERE kind = 1 GROUP BY item, scope HAVING count(*) > 1
            ) AS f JOIN temp.staged AS s USING (item, scope) WHERE s.kind = 1 AND s.line > f.first
            """
        return try takeOut(sql) { row in
            let (scope, id): (String, String) = (row[2], row[3])
            guard scope.isEmpty else { return .repeatedOffer(id: id, scope: scope) }
            return (row[4] as String?).map { .repeatedCode($0) } ?? .repeatedID(id)
        }
    }

    /// Copies the dated prices to `temp.dated`, sorted by `DatedPrice.rank` and without duplicates.
    private func orderTimes() throws {
        guard hasRepeatedItems else { return }
        try db.execute(
            sql: """
                INSERT INTO temp.dated
                SELECT item, scope, row_number() OVER (
                        PARTITION BY item, scope ORDER BY valid_from DESC NULLS LAST,
                            valid_until NULLS LAST, length(price), price, currency),
                    price, currency, valid_from, valid_until
                FROM temp.staged WHERE kind = 2
                GROUP BY item, scope, price, currency, valid_from, valid_until
                """)
    }

    /// Records changes to codes; if `refusingMoved`, removes and returns rows that take other products' codes.
    ///
    /// A row with an id lists all codes of its product; a row without an id adds codes.
    private func findOtherCodes(refusingMoved: Bool) throws -> [InvalidRow] {
        guard says(.code) else { return [] }
        try db.execute(
            sql: "DELETE FROM temp.recoded; DELETE FROM temp.new_code; DELETE FROM temp.moved")
        try recode("s.kind = 1 AND NOT s.by_key")
        if hasItemsByKey { try addCodes() }
        guard scope == nil, !isWhole, columns != nil else { return [] }
        try findMovedCodes()
        guard refusingMoved else {
            try removeMovedCodes()
            return []
        }
        let sql = """
            SELECT m.line, m.item, min(m.text), p.id FROM temp.moved AS m
            JOIN main.product AS p ON p.number = m.product GROUP BY m.line
            """
        let invalid = try takeOut(sql) { .movedCode($0[2], id: $0[3]) }
        // Another row of the product may now provide the code.
        return invalid.isEmpty ? [] : invalid + (try findOtherCodes(refusingMoved: true))
    }

    /// Records the new codes of products whose codes change; `rows` is an SQL condition on the staged rows (alias `s`).
    func recode(_ rows: String) throws {
        try db.execute(
            sql: """
                INSERT INTO temp.recoded
                SELECT s.product FROM temp.source AS s
                WHERE s.product IS NOT NULL AND s.scope = '' AND \(rows) AND (
                    SELECT group_concat(quote(key) || quote(text)) FROM main.code WHERE product = s.product
                ) IS NOT (
                    SELECT group_concat(quote(key) || quote(text)) FROM temp.staged_code
                    WHERE item = s.item AND line = s.line);
                INSERT INTO temp.new_code
                SELECT r.product, c.position, c.key, c.text
                FROM temp.recoded AS r CROSS JOIN temp.known AS k ON k.product = r.product
                CROSS JOIN temp.source AS s ON s.item = k.item AND s.scope = '' AND \(rows)
                CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line;
                """)
    }

    /// Adds the codes of rows without an id to the existing codes of their products.
    private func addCodes() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.new_code
                SELECT s.product, 1000000 + c.position, c.key, c.text FROM temp.source AS s
                CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
                WHERE s.product IS NOT NULL AND s.scope = '' AND s.kind = 1 AND s.by_key
                    AND NOT EXISTS (
                        SELECT 1 FROM temp.staged_code AS f
                        JOIN main.code AS o ON o.key = f.key AND o.product = s.product
                        WHERE f.item = c.item AND f.line = c.line AND f.position = c.position);
                INSERT OR IGNORE INTO temp.recoded SELECT product FROM temp.new_code;
                INSERT INTO temp.new_code
                SELECT * FROM main.code WHERE product IN (
                    SELECT product FROM temp.new_code WHERE position >= 1000000);
                """)
    }

    /// Finds the codes that products in the file take away from products that are not in the file.
    private func findMovedCodes() throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.moved
                SELECT o.product, c.key, c.text, s.item, s.line FROM temp.source AS s
                CROSS JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
                CROSS JOIN main.code AS o ON o.key = c.key AND o.product IS NOT s.product
                WHERE s.scope = '' AND s.kind > 0
                    AND (s.product IS NULL OR s.product IN (SELECT product FROM temp.recoded))
                    AND EXISTS (
                        SELECT 1 FROM main.offer WHERE product = o.product AND scope = '' AND position = 0)
                    AND NOT EXISTS (SELECT 1 FROM main.code WHERE product = s.product AND key = c.key)
                    AND NOT EXISTS (
                        SELECT 1 FROM temp.known AS k JOIN temp.staged AS n USING (item)
                        WHERE k.product = o.product AND n.scope = '')
                """)
    }

    private func removeMovedCodes() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.recoded SELECT DISTINCT product FROM temp.moved;
                INSERT INTO temp.without_row SELECT DISTINCT product, '', 4, NULL FROM temp.moved;
                INSERT INTO temp.new_code
                SELECT c.* FROM temp.without_row AS r CROSS JOIN main.code AS c ON c.product = r.product
                WHERE NOT EXISTS (
                    SELECT 1 FROM temp.moved AS m
                    JOIN main.code AS x ON x.product = m.product AND x.key = m.key
                    WHERE m.product = c.product AND x.position = c.position);
                """)
    }
}
