import GRDB

/// Finds the products that rows mean.
extension Staging {
    /// Finds the product of each item, and takes out rows that contradict others.
    ///
    /// An item with an id is the product with it. One with a code alone is the product imported first
    /// among those with that code, or else the product of another row that brings it.
    func findProducts() throws -> [InvalidRow] {
        if firstNew > 1 {
            try db.execute(
                sql: """
                    INSERT INTO temp.known
                    SELECT i.number, p.number FROM temp.item AS i
                    CROSS JOIN main.product AS p ON p.id = i.name WHERE NOT i.by_key
                    """)
        }
        var invalid: [InvalidRow] = []
        if hasItemsByKey {
            try findByCodes()
            invalid += try takeOutForeignIDs()
        }
        try db.execute(sql: "CREATE UNIQUE INDEX temp.known_product ON known (product)")
        invalid += try takeOutRepeated()
        if hasShops { invalid += try settleShopArticles() }
        try mergeCodes()
        try orderTimes()
        return invalid
    }

    /// Takes a row out.
    func remove(item: Int64, line: Int64) throws {
        for table in ["staged", "staged_code"] {
            let sql = "DELETE FROM temp.\(table) WHERE item = ? AND line = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [item, line])
        }
        rowCount -= 1
    }

    private func findByCodes() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.known
                SELECT * FROM (
                    SELECT number, (SELECT min(product) FROM main.code AS c WHERE c.key = i.name)
                        AS product
                    FROM temp.item AS i WHERE by_key)
                WHERE product IS NOT NULL;
                CREATE INDEX temp.staged_code_key ON staged_code (key) WHERE NOT names;
                CREATE TEMP TABLE twin (item INTEGER PRIMARY KEY, other INTEGER, id TEXT);
                INSERT INTO twin
                SELECT i.number, min(s.item), s.id
                FROM temp.item AS i CROSS JOIN temp.staged_code AS c ON c.key = i.name
                CROSS JOIN temp.staged AS s ON s.item = c.item AND s.line = c.line
                WHERE i.by_key AND i.number NOT IN (SELECT item FROM temp.known)
                    AND NOT c.names AND (NOT s.by_key OR s.item < i.number)
                GROUP BY i.number;
                INSERT INTO twin
                SELECT k.item, f.first, s.id FROM (
                    SELECT product, min(item) AS first FROM temp.known
                    GROUP BY product HAVING count(*) > 1
                ) AS f JOIN temp.known AS k ON k.product = f.product AND k.item > f.first
                JOIN temp.staged AS s ON s.item = k.item GROUP BY k.item;
                """)
        repeat {
            try db.execute(
                sql: """
                    UPDATE twin SET other = (SELECT t.other FROM twin AS t WHERE t.item = twin.other)
                    WHERE other IN (SELECT item FROM twin)
                    """)
        } while db.changesCount > 0
        try db.execute(
            sql: """
                UPDATE temp.staged SET (item, id) = (
                    SELECT other, twin.id FROM twin WHERE twin.item = staged.item)
                WHERE item IN (SELECT item FROM twin);
                UPDATE temp.staged_code SET item = (
                    SELECT other FROM twin WHERE twin.item = staged_code.item)
                WHERE item IN (SELECT item FROM twin);
                DELETE FROM temp.item WHERE number IN (SELECT item FROM twin);
                DELETE FROM temp.known WHERE item IN (SELECT item FROM twin);
                DROP TABLE twin;
                """)
    }

    /// Takes out rows without an id whose first code is the id of a product without that code.
    private func takeOutForeignIDs() throws -> [InvalidRow] {
        let sql = """
            SELECT DISTINCT s.line, s.id, s.item FROM temp.item AS i
            CROSS JOIN temp.staged AS s ON s.item = i.number
            WHERE i.by_key AND i.number NOT IN (SELECT item FROM temp.known) AND (
                EXISTS (SELECT 1 FROM main.product AS p WHERE p.id = s.id)
                OR EXISTS (SELECT 1 FROM temp.item AS o WHERE NOT o.by_key AND o.name = s.id))
            ORDER BY s.line
            """
        return try Row.fetchAll(db, sql: sql).map { row in
            try remove(item: row[2], line: row[0])
            return InvalidRow(line: row[0], reason: .codeIsOtherID(row[1]))
        }
    }

    /// Takes out all but the first of the rows that say the same thing about a product.
    private func takeOutRepeated() throws -> [InvalidRow] {
        let sql = """
            SELECT s.line, s.item, s.scope, s.id,
                iif(s.by_key, (
                    SELECT c.text FROM temp.staged_code AS c
                    WHERE c.item = s.item AND c.line = s.line AND c.position = 0), NULL)
            FROM (
                SELECT item, scope, min(line) AS first FROM temp.staged
                WHERE kind = 1 GROUP BY item, scope HAVING count(*) > 1
            ) AS f
            JOIN temp.staged AS s ON s.item = f.item AND s.scope = f.scope AND s.kind = 1
                AND s.line > f.first
            ORDER BY s.line
            """
        return try Row.fetchAll(db, sql: sql).map { row in
            try remove(item: row[1], line: row[0])
            let (scope, id): (String, String) = (row[2], row[3])
            let reason: InvalidRow.Reason =
                scope.isEmpty
                ? (row[4] as String?).map { .repeatedCode($0) } ?? .repeatedID(id)
                : .repeatedOffer(id: id, scope: scope)
            return InvalidRow(line: row[0], reason: reason)
        }
    }

    /// Gives rows that go by a code all codes of their product: they add codes and take none away.
    private func mergeCodes() throws {
        guard hasItemsByKey, columns.codes else { return }
        let sql = """
            SELECT DISTINCT s.item, s.line, k.product FROM temp.staged AS s
            JOIN temp.known AS k ON k.item = s.item
            JOIN temp.staged_code AS c ON c.item = s.item AND c.line = s.line
            WHERE s.scope = '' AND s.kind = 1 AND s.by_key AND NOT EXISTS (
                SELECT 1 FROM main.code AS o WHERE o.product = k.product AND o.key = c.key)
            """
        for row in try Row.fetchAll(db, sql: sql) {
            guard let product = try ProductRows.product(db, number: row[2])?.product else {
                continue
            }
            let codes = try codes(item: row[0], line: row[1])
            try replaceCodes(
                item: row[0], line: row[1], by: ProductDraft.merged(product.codes, codes))
        }
    }

    /// The codes of a row.
    func codes(item: Int64, line: Int64) throws -> [String] {
        let sql = """
            SELECT DISTINCT position, text FROM temp.staged_code WHERE item = ? AND line = ?
            ORDER BY position
            """
        return try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: [item, line])
            .map { $0[1] }
    }

    /// Puts the prices for a time in the order in which they count, each once.
    private func orderTimes() throws {
        guard hasTimes else { return }
        // The order of `DatedPrice.precedes`.
        try db.execute(
            sql: """
                INSERT INTO temp.dated
                SELECT item, scope, row_number() OVER (
                        PARTITION BY item, scope
                        ORDER BY ifnull(valid_from, -9223372036854775807) DESC,
                            ifnull(valid_until, 9223372036854775807), length(price), price,
                            currency),
                    price, currency, valid_from, valid_until
                FROM (
                    SELECT DISTINCT item, scope, price, currency, valid_from, valid_until
                    FROM temp.staged WHERE kind = 2)
                """)
    }
}
