import GRDB

extension EmbeddedCatalog {
    /// Reads all products, sorted by id (byte order), in one state of the catalog.
    package func forEachProduct(
        in scope: CatalogScope? = nil, _ body: (Product) throws -> Void
    ) throws {
        try seen(in: scope).readAtOnce { db in
            var last: String?
            while true {
                let page = try ProductRows.list(
                    db, IDRange(from: last, before: nil), limit: 1001)
                let rows = last == nil ? page[...] : page.dropFirst()
                guard !rows.isEmpty else { return }
                for product in rows { try body(product) }
                last = rows.last?.id
            }
        }
    }

    /// Writes products, all or nothing.
    @discardableResult
    package func write(
        whole: Bool, removing ids: [String] = [],
        _ rows: (_ add: (Product) throws -> Void) throws -> Void,
        check: (WriteSummary) throws -> Void = { _ in }
    ) throws -> WriteSummary {
        var products: [Product] = []
        try rows { products.append($0) }
        return try write { db in
            var summary = WriteSummary()
            let changes = try ChangeTracker(db)
            let writer = try ProductWriter(db, changes: changes)
            let remover = ProductRemover(db, changes: changes)
            var going = ids
            if whole {
                let kept = Set(products.map { Array($0.id.utf8) })
                going += try String.fetchAll(db, sql: "SELECT id FROM product")
                    .filter { !kept.contains(Array($0.utf8)) }
            }
            for id in going {
                guard let before = try ProductRows.product(db, id: id) else { continue }
                guard try remover.remove(id: id) else { continue }
                summary.removed += 1
                summary.changes.append((before.product, nil))
            }
            for product in products {
                if try writer.add(product) {
                    summary.added += 1
                    summary.changes.append((nil, product))
                } else if let existing = try ProductRows.product(db, id: product.id) {
                    let isSame = existing.product.json == product.json
                    if isSame { summary.unchanged += 1 } else {
                        try writer.replace(existing, by: product)
                        summary.updated += 1
                        summary.changes.append((existing.product, product))
                    }
                }
            }
            try remover.trim()
            try check(summary)
            return summary
        }
    }
}

/// What a write did.
package struct WriteSummary {
    package var added = 0
    package var updated = 0
    package var removed = 0
    package var unchanged = 0
    var changes: [(before: Product?, after: Product?)] = []

    package func forEachChange(
        _ body: ((before: Product?, after: Product?)) throws -> Void
    ) rethrows {
        try changes.forEach(body)
    }
}
