import GRDB
import WireText

/// Counts what the rows do, and names the first of it.
extension Staging {
    /// How many products are shown as examples.
    private static let exampleLimit = 5

    /// What the rows make of the catalog.
    func summary() throws -> ImportSummary {
        var summary = ImportSummary()
        let added = try count("temp.source WHERE kind > 0 AND product IS NULL")
        let met = try count("temp.source WHERE kind > 0 AND product IS NOT NULL")
        summary.updated = try count(
            "temp.source AS s JOIN temp.change AS c USING (product) WHERE c.scope = '' AND s.kind > 0"
        )
        summary.removed = try count("temp.gone")
        summary.added = added
        summary.unchanged = met - summary.updated
        if hasShopRows { try countOffers(into: &summary) }
        summary.further = rowCount - summary.added - summary.updated - summary.unchanged
        summary.changes = try changes()
        summary.newShops = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT scope FROM temp.shop_row AS r WHERE NOT EXISTS (
                    SELECT 1 FROM main.offer AS o WHERE o.scope = r.scope AND o.scope <> '')
                ORDER BY scope
                """)
        summary.movedCodes = try count("temp.moved")
        return summary
    }

    private func countOffers(into summary: inout ImportSummary) throws {
        summary.added += try count("temp.shop_row WHERE is_new AND item IS NOT NULL")
        let met = try count("temp.shop_row WHERE NOT is_new AND item IS NOT NULL")
        // The row of a shop may change an article that the shop alone has.
        let updated = try count(
            """
            temp.shop_row AS r WHERE NOT is_new AND item IS NOT NULL AND (EXISTS (
                SELECT 1 FROM temp.change AS c WHERE c.product = r.product AND c.scope = r.scope)
            OR EXISTS (
                SELECT 1 FROM temp.staged AS s
                WHERE s.item = r.item AND s.scope = '' AND s.kind = 0 AND s.line = -r.line))
            """)
        summary.updated += updated
        summary.unchanged += met - updated
        summary.removed += try count("temp.shop_row WHERE item IS NULL")
        summary.removed += try count(
            """
            temp.source AS s JOIN main.offer AS o
                ON o.product = s.product AND o.scope = '' AND o.position = 0
            WHERE s.kind = 0 AND s.listed IS NULL
            """)
    }

    private func changes() throws -> ImportChanges {
        var changes = ImportChanges()
        changes.hasOffers = scope == nil && columns.scope
        if let scope {
            changes.before =
                try Int.fetchOne(db, sql: ProductRows.countOfShop, arguments: [scope.name]) ?? 0
        } else {
            changes.before = try count("main.product")
        }
        if changes.hasOffers {
            changes.before += try count("main.offer WHERE scope <> '' AND position = 0")
        }
        let all = ImportChanges.Kind.allCases
        // A shop's own article and its offer are one thing to that shop.
        let sql = """
            SELECT kind, count(*) FROM (
                SELECT min(kind) AS kind FROM temp.change WHERE kind IS NOT NULL
                GROUP BY product, \(scope == nil ? "scope" : "NULL"))
            GROUP BY kind
            """
        for row in try Row.fetchAll(db, sql: sql) { changes.counts[all[row[0]]] = row[1] }
        changes.examples = try examples()
        changes.movedCodes = try examples(of: .codeMoved)
        return changes
    }

    private func examples(of kind: ImportChanges.Kind? = nil) throws -> [String] {
        let number = kind.flatMap(ImportChanges.Kind.allCases.firstIndex)
        let sql = """
            SELECT min(kind), product, max(scope), old_price, new_price FROM temp.change
            WHERE kind \(number.map { "= \($0)" } ?? "IS NOT NULL") GROUP BY product, \(scope == nil ? "scope" : "NULL")
            ORDER BY max(scope) <> '', product, max(scope) LIMIT \(Self.exampleLimit)
            """
        return try Row.fetchAll(db, sql: sql).compactMap { row in
            guard let old = try ProductRows.product(db, number: row[1])?.product else { return nil }
            let place: String = scope?.name ?? row[2]
            let subject = old.id.quoted() + (place.isEmpty ? "" : " in \(place)")
            let detail = try detail(
                of: ImportChanges.Kind.allCases[row[0]], old, number: row[1],
                prices: (row[3], row[4]))
            return "\(subject): \(detail)"
        }
    }

    private func detail(
        of kind: ImportChanges.Kind, _ old: Product, number: Int64,
        prices: (old: String?, new: String?)
    ) throws -> String {
        switch kind {
        case .removed: return "goes"
        case .other: return kind.rawValue
        case .price where prices.old == prices.new: return "other prices for a time"
        case .priceLost where prices.old == nil: return "no price for a time any more"
        case .price, .priceLost:
            return "price \(prices.old ?? "none") becomes \(prices.new ?? "none")"
        case .nameLost: return "name \((old.name ?? "").quoted()) becomes none"
        case .codeLost:
            let codes = old.codes.prefix(3).map { $0.quoted() }.joined(separator: ", ")
            return "codes \(codes) become none"
        case .codeMoved:
            let sql = """
                SELECT m.text, s.id FROM temp.moved AS m
                JOIN temp.staged AS s ON s.item = m.item AND s.line = m.line
                WHERE m.product = ?
                """
            let row = try Row.fetchOne(db, sql: sql, arguments: [number])
            let (code, id): (String, String) = (row?[0] ?? "", row?[1] ?? "")
            return "its code \(code.quoted()) goes to \(id.quoted())"
        }
    }

    func count(_ selection: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(selection)") ?? 0
    }
}
