import GRDB
import WireText

/// Counts what the rows do, and names the first of it.
extension Staging {
    /// How many products are shown as examples.
    private static let exampleLimit = 5

    /// What the rows make of the catalog.
    func summary() throws -> ImportSummary {
        var summary = ImportSummary()
        // A row changes a product or an offer that was there, unless it adds a shop's offer.
        let isNewOffer = "is_new AND scope <> ''"
        let rows = try Row.fetchOne(
            db, sql: "SELECT count(*), count(product) FROM temp.source WHERE kind IN (1, 2)")
        let (all, known): (Int, Int) = (rows?[0] ?? 0, rows?[1] ?? 0)
        summary.added = all - known
        summary.added += try count("temp.change WHERE source IN (1, 2) AND \(isNewOffer)")
        summary.updated = try count("temp.change WHERE source IN (1, 2) AND NOT (\(isNewOffer))")
        summary.unchanged = all - summary.added - summary.updated
        summary.further = rowCount - all
        summary.removed = try count("temp.change WHERE source = 3 OR source = 0 AND kind = 0")
        summary.movedCodes = try count("temp.moved")
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

    /// The shops that rows name.
    static let shops = """
        SELECT scope FROM temp.staged WHERE scope <> ''
        UNION SELECT scope FROM temp.change WHERE scope <> ''
        """

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
        let sql = """
            SELECT kind, count(*) FROM (
                SELECT min(kind) AS kind FROM temp.change WHERE kind IS NOT NULL GROUP BY \(subject))
            GROUP BY kind
            """
        for row in try Row.fetchAll(db, sql: sql) {
            changes.counts[ImportChanges.Kind.allCases[row[0]]] = row[1]
        }
        changes.examples = try examples("kind IS NOT NULL")
        let moved = ImportChanges.Kind.allCases.firstIndex(of: .codeMoved)
        changes.movedCodes = try examples("kind = \(moved ?? 0)")
        return changes
    }

    /// What is counted once: a shop's own article and its offer are one thing to that shop.
    private var subject: String { scope == nil ? "product, scope" : "product" }

    private func examples(_ condition: String) throws -> [String] {
        let sql = """
            SELECT min(kind), product, max(scope), old_price, new_price FROM temp.change
            WHERE \(condition) GROUP BY \(subject)
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

    private func count(_ selection: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(selection)") ?? 0
    }
}
