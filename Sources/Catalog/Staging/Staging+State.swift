import GRDB

/// What products and offers are when the rows are written.
///
/// The expressions are over a row `s`, with the item's `product`, and what the catalog has: the product
/// `p`, and the offer `o` of the row's scope.
extension Staging {
    /// The name, the unit and the attributes.
    var texts: (name: String, unit: String, attributes: String) {
        func text(_ column: String, _ isSaid: Bool, _ said: String) -> String {
            """
            CASE WHEN s.kind = 0 OR s.product IS NULL THEN s.\(column)
            WHEN s.kind = 1 AND \(isSaid) THEN \(said) ELSE p.\(column) END
            """
        }
        let merged =
            columns.attributes == nil
            ? "s.attributes"
            : """
            iif(s.attributes IS p.attributes, p.attributes,
                merged_attributes(p.attributes, s.attributes))
            """
        return (
            text("name", columns.name, "s.name"), text("unit", columns.unit, "s.unit"),
            text("attributes", columns.attributes?.isEmpty != true, merged)
        )
    }

    /// Whether the row says all codes of its product.
    var saysCodes: String {
        """
        (s.kind = 0 OR s.product IS NULL OR s.kind = 1 AND \(columns.codes) AND NOT s.by_key)
        """
    }

    /// Whether the product is listed; null if only shops have it.
    var listed: String {
        let standing = columns.listed ? "1" : "iif(s.scope = '', ifnull(o.listed, 1), 1)"
        return """
            CASE WHEN s.kind = 0 THEN iif(s.listed IS NULL, NULL, o.listed)
            WHEN s.kind = 2 AND o.listed IS NOT NULL THEN o.listed
            ELSE coalesce(s.listed, \(standing)) END
            """
    }

    /// The usual price, and its currency.
    func price(_ column: String) -> String {
        """
        CASE WHEN s.kind = 0 THEN iif(s.listed IS NULL, NULL, o.\(column))
        WHEN s.kind = 1 AND (\(columns.price) OR o.product IS NULL) THEN s.\(column)
        ELSE o.\(column) END
        """
    }

    /// Whether the prices for a time are others than before.
    var hasOtherTimes: String {
        let (before, after) = (Self.timesBefore, Self.timesAfter)
        guard columns.times else {
            return "(s.kind = 0 AND s.listed IS NULL AND EXISTS (SELECT 1 FROM \(before)))"
        }
        guard hasTimes else {
            return "((s.kind > 0 OR s.listed IS NULL) AND EXISTS (SELECT 1 FROM \(before)))"
        }
        let same = """
            d.position = n.position AND (d.price, d.currency, d.valid_from, d.valid_until)
                IS (n.price, n.currency, n.valid_from, n.valid_until)
            """
        return """
            ((s.kind > 0 OR s.listed IS NULL) AND (
                (SELECT count(*) FROM \(before)) <> (SELECT count(*) FROM \(after))
                OR EXISTS (SELECT 1 FROM \(after)
                    AND NOT EXISTS (SELECT 1 FROM \(before) AND \(same)))))
            """
    }

    /// Whether there are prices for a time.
    var hasTimesAfter: String {
        columns.times
            ? "(s.kind > 0 AND EXISTS (SELECT 1 FROM \(Self.timesAfter)))"
            : """
            ((s.kind > 0 OR s.listed IS NOT NULL) AND EXISTS (SELECT 1 FROM \(Self.timesBefore)))
            """
    }

    private static let timesBefore = """
        main.offer AS d WHERE d.product = s.product AND d.scope = s.scope AND d.position > 0
        """
    private static let timesAfter = "temp.dated AS n WHERE n.item = s.item AND n.scope = s.scope"

    /// The offer of a scope that a product has, as `o`.
    static func offer(_ alias: String, of product: String, in scope: String) -> String {
        """
        LEFT JOIN main.offer AS \(alias) ON \(alias).product = \(product)
            AND \(alias).scope = \(scope) AND \(alias).position = 0
        """
    }

    /// Makes `source`, the row of each item that says what the product is, and `shop_row`.
    func makeState() throws {
        db.add(function: mergedAttributes)
        try db.execute(
            sql: """
                CREATE TEMP VIEW source AS
                SELECT s.*, k.product FROM temp.staged AS s
                LEFT JOIN temp.known AS k ON k.item = s.item
                WHERE s.scope = '' AND (s.kind < 2 OR NOT EXISTS (
                    SELECT 1 FROM temp.staged AS e
                    WHERE e.item = s.item AND e.scope = '' AND (e.kind < 2 OR e.line < s.line)))
                """)
        guard hasShops || scope != nil || columns.scope else { return }
        try db.execute(
            sql: """
                INSERT INTO temp.shop_row
                SELECT coalesce(s.product, s.item + \(firstNew - 1)), s.scope, s.item, s.line,
                    \(listed), \(price("price")), \(price("currency")), o.product IS NULL
                FROM (
                    SELECT s.*, k.product FROM temp.staged AS s
                    LEFT JOIN temp.known AS k ON k.item = s.item WHERE s.scope <> ''
                ) AS s
                \(Self.offer("o", of: "s.product", in: "s.scope"))
                WHERE s.kind = 1 OR NOT EXISTS (
                    SELECT 1 FROM temp.staged AS e
                    WHERE e.item = s.item AND e.scope = s.scope
                        AND (e.kind = 1 OR e.line < s.line))
                """)
    }

    /// A product's attributes with those of a row.
    private var mergedAttributes: DatabaseFunction {
        let said = columns.attributes ?? []
        return DatabaseFunction("merged_attributes", argumentCount: 2, pure: true) { values in
            func attributes(_ value: DatabaseValue) -> [String: String] {
                String.fromDatabaseValue(value).map { AttributesText.attributes(json: $0) } ?? [:]
            }
            let kept = attributes(values[0]).filter { !said.contains($0.key) }
            return AttributesText.json(kept.merging(attributes(values[1])) { $1 })
        }
    }
}
