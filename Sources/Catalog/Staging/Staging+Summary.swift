import GRDB
import WireText

/// The summary of an import's changes: their counts, and descriptions of the first five.
extension Staging {
    func summary() throws -> ImportSummary {
        var summary = ImportSummary()
        // A row that adds a shop's offer is counted as added, even if the product exists.
        let rows = "count(*) FROM temp.source WHERE kind IN (1, 2)"
        let changed = "count(*) FROM temp.change WHERE source IN (1, 2)"
        let all = try number(rows)
        let newOffers = try number("\(changed) AND is_new AND scope <> ''")
        summary.added = try number("\(rows) AND product IS NULL") + newOffers
        summary.updated = try number(changed) - newOffers
        summary.unchanged = all - summary.added - summary.updated
        summary.further = rowCount - all
        summary.removed = try number(
            "count(*) FROM temp.change WHERE source = 3 OR source = 0 AND kind = 0")
        summary.movedCodes = try number("count(*) FROM temp.moved")
        summary.changes = try changes()
        guard hasShops || scope != nil else { return summary }
        summary.newShops = try String.fetchAll(
            db,
            sql: """
                SELECT scope FROM (\(Self.shops)) AS r WHERE NOT EXISTS (
                    SELECT 1 FROM main.offer AS o WHERE o.scope = r.scope AND o.scope <> '')
                ORDER BY scope
                """)
        return summary
    }

    static let shops = """
        SELECT scope FROM temp.staged WHERE scope <> ''
        UNION SELECT scope FROM temp.change WHERE scope <> ''
        """

    private func changes() throws -> ChangeSummary {
        var changes = ChangeSummary()
        changes.hasOffers = scope == nil && saysScope
        let offers = "count(*) FROM main.offer WHERE scope <> '' AND position = 0"
        changes.before =
            try number("count(*) FROM \(ProductRows.all(of: scope))")
            + (changes.hasOffers ? number(offers) : 0)
        let sql = """
            SELECT kind, count(*) FROM (
                SELECT min(kind) AS kind FROM temp.change WHERE kind IS NOT NULL GROUP BY \(subject))
            GROUP BY kind
            """
        for row in try Row.fetchAll(db, sql: sql) {
            changes.counts[ChangeSummary.Kind.allCases[row[0]]] = row[1]
        }
        changes.examples = try examples("kind IS NOT NULL")
        changes.movedCodes = try examples("kind = 1")
        return changes
    }

    /// The SQL columns to group changes by; an import for a single shop counts a product and its offer as one.
    private var subject: String { scope == nil ? "product, scope" : "product" }

    private func examples(_ condition: String) throws -> [String] {
        let moved = """
            FROM temp.moved AS m JOIN temp.staged AS s ON s.item = m.item AND s.line = m.line
            WHERE m.product = c.product
            """
        let sql = """
            SELECT min(kind), product, max(scope), old_price, new_price,
                (SELECT m.text \(moved)), (SELECT s.id \(moved))
            FROM temp.change AS c WHERE \(condition) GROUP BY \(subject)
            ORDER BY max(scope) <> '', product, max(scope) LIMIT 5
            """
        return try Row.fetchAll(db, sql: sql).compactMap { row in
            guard let old = try ProductRows.product(db, where: "p.number = ?", row[1] as Int64)
            else { return nil }
            let place: String = scope?.name ?? row[2]
            let subject = old.id.quoted() + (place.isEmpty ? "" : " in \(place)")
            return "\(subject): \(detail(row, old))"
        }
    }

    private func detail(_ row: Row, _ old: Product) -> String {
        let kind = ChangeSummary.Kind.allCases[row[0]]
        let (before, after): (String?, String?) = (row[3], row[4])
        switch kind {
        case .removed: return "goes"
        case .other: return kind.rawValue
        case .price where before == after: return "other prices for a time"
        case .priceLost where before == nil: return "no price for a time any more"
        case .price, .priceLost:
            return "price \(before ?? "none") becomes \(after ?? "none")"
        case .nameLost: return "name \((old.name ?? "").quoted()) becomes none"
        case .codeLost:
            let codes = old.codes.prefix(3).map { $0.quoted() }.joined(separator: ", ")
            return "codes \(codes) become none"
        case .codeMoved:
            let names: [String] = [row[5] ?? "", row[6] ?? ""].map { $0.quoted() }
            return "its code \(names[0]) goes to \(names[1])"
        }
    }

    private func number(_ selection: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT \(selection)") ?? 0
    }
}
