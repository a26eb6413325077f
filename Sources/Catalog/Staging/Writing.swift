import GRDB
import WireText

extension CatalogFile {
    /// Writes products as they are, all or nothing.
    ///
    /// A product replaces the one with its id, and all shops have it at its prices. If it `isWhole`,
    /// products that are not added go, and everything that shops have of their own. `rows` adds the
    /// products while others may still write to the catalog; `check` looks at what was written, and what
    /// it throws takes everything back. A product that is added twice, or has a NUL in a text, is an
    /// `InvalidRow`.
    @discardableResult
    package func write(
        whole isWhole: Bool, removing ids: [String] = [],
        _ rows: (_ add: (Product) throws -> Void) throws -> Void,
        check: (WriteSummary) throws -> Void = { _ in }
    ) throws -> WriteSummary {
        try write(
            staging: { db in
                let staging = try Staging(db, StagedColumns(), isWhole: isWhole)
                try rows { try staging.add($0) }
                return staging
            },
            { db, staging in
                if let invalid = try staging.resolve().first { throw invalid }
                try staging.compare(removing: ids)
                let summary = WriteSummary(try staging.summary(), staging)
                try staging.keepOldProducts()
                try staging.apply()
                try check(summary)
                try Staging.drop(db)
                return summary
            })
    }
}

/// What a write did.
package struct WriteSummary {
    /// Products that were not in the catalog before.
    package let added: Int
    /// Products that have changed.
    package let updated: Int
    /// Products that are gone.
    package let removed: Int
    /// Products that were there as they were added.
    package let unchanged: Int

    private let staging: Staging

    fileprivate init(_ summary: ImportSummary, _ staging: Staging) {
        (added, updated) = (summary.added, summary.updated)
        (removed, unchanged) = (summary.removed, summary.unchanged)
        self.staging = staging
    }

    /// Goes through the products that are new (nil before), have changed or are gone (nil after); only
    /// while they are checked.
    package func forEachChange(
        _ body: ((before: Product?, after: Product?)) throws -> Void
    ) throws {
        try staging.forEachChange(body)
    }
}

extension Staging {
    /// Keeps the products that change or go as they were.
    fileprivate func keepOldProducts() throws {
        try db.execute(sql: "ALTER TABLE temp.change ADD COLUMN before TEXT")
        let numbers = try Int64.fetchAll(
            db, sql: "SELECT product FROM temp.change WHERE scope = ''")
        for number in numbers {
            let before = try ProductRows.product(db, number: number)?.product.json
            try db.cachedStatement(
                sql: "UPDATE temp.change SET before = ? WHERE product = ? AND scope = ''"
            ).execute(arguments: [before, number])
        }
    }

    fileprivate func forEachChange(
        _ body: ((before: Product?, after: Product?)) throws -> Void
    ) throws {
        let changed = "SELECT product, before FROM temp.change WHERE scope = ''"
        let rows = try Row.fetchCursor(db, sql: changed)
        while let row = try rows.next() {
            let before = (row[1] as String?).flatMap { try? JSONReader.read($0) }
            let after = try ProductRows.product(db, number: row[0])?.product
            try body((before.flatMap { Product(json: $0) }, after))
        }
        let numbers = "SELECT number FROM main.product WHERE number >= ?"
        let new = try Row.fetchCursor(db, sql: numbers, arguments: [firstNew])
        while let row = try new.next() {
            try body((nil, try ProductRows.product(db, number: row[0])?.product))
        }
    }
}
