import GRDB

extension EmbeddedCatalog {
    /// The catalog's revision: it is another one after every import that changed something.
    ///
    /// - Returns: The revision.
    /// - Throws: `CatalogError`; `.untracked` for the file of an older keywedge.
    package func revision() throws -> CatalogRevision {
        try read { try RevisionLog.current($0, path: path) }
    }

    /// How much has changed since a revision.
    ///
    /// - Parameter revision: The revision.
    /// - Returns: How much; nil where that is none of this catalog's, or too long ago.
    /// - Throws: `CatalogError`.
    package func extent(since revision: CatalogRevision) throws -> ChangesExtent? {
        try readAtOnce { db in
            guard try RevisionLog.knows(revision, db) else { return nil }
            return try ChangesExtent(of: ChangeCursor(revision), from: changedProducts, db)
        }
    }

    /// Reads what has changed, a page at a time.
    ///
    /// - Parameters:
    ///   - cursor: What the reader has; nil where it has nothing.
    ///   - limit: How many products the page has at the most, changed and removed together; at
    ///     least 1.
    /// - Returns: The page, or that the reader has to start anew.
    /// - Throws: `CatalogError`; `.untracked` for the file of an older keywedge.
    package func changes(since cursor: ChangeCursor?, limit: Int) throws -> ChangesAnswer {
        try readAtOnce { db in
            let now = try RevisionLog.current(db, path: path)
            let cursor = cursor ?? ChangeCursor(base: now, position: .products(number: 0))
            guard try RevisionLog.knows(cursor.base, db) else { return .unknownRevision(now: now) }
            var page =
                switch cursor.position {
                case .start:
                    try changes(db, cursor.base, (cursor.base.number, .max), now, limit)
                case .changes(let revision, let number):
                    try changes(db, cursor.base, (revision, number), now, limit)
                case .products(let number):
                    try Self.products(db, cursor.base, number, now, limit)
                }
            if page.next != nil {
                page.extent = try ChangesExtent(of: cursor, from: changedProducts, db)
            }
            return .page(page)
        }
    }

    /// What finds products by their revision.
    private var changedProducts: String { scope == nil ? "product" : "changed" }

    private func changes(
        _ db: Database, _ base: CatalogRevision, _ place: (revision: Int64, number: Int64),
        _ now: CatalogRevision, _ limit: Int
    ) throws -> ChangePage {
        var rows = ChangeRows(db, from: changedProducts, limit: limit)
        let found = try rows.changes(after: place.revision, place.number)
        let last = found.isCut ? found.changes.last : nil
        return ChangePage(
            revision: now, changed: found.changes.compactMap(\.change.product),
            removed: found.changes.compactMap(\.change.removedID),
            next: last.map {
                ChangeCursor(
                    base: base, position: .changes(revision: $0.revision, number: $0.number))
            })
    }

    private static func products(
        _ db: Database, _ base: CatalogRevision, _ number: Int64, _ now: CatalogRevision,
        _ limit: Int
    ) throws -> ChangePage {
        var size = 0
        let found = try ProductRows.list(
            db, "WHERE number > ?", arguments: [number], limit: limit, size: &size)
        var next: ChangeCursor?
        if found.isCut, let last = found.products.last {
            next = ChangeCursor(base: base, position: .products(number: last.number))
        } else if base != now {
            // Products read earlier may have changed since.
            next = ChangeCursor(base)
        }
        return ChangePage(
            revision: now, changed: found.products.map(\.product), removed: [], next: next)
    }
}

extension ChangeRows.Change {
    fileprivate var product: Product? {
        if case .product(let product) = self { product } else { nil }
    }

    fileprivate var removedID: String? {
        if case .removal(let id) = self { id } else { nil }
    }
}

/// What changed in a catalog, or a part of it.
///
/// A reader that takes all pages has the catalog as it was when the last one was read, whatever was
/// imported meanwhile.
package struct ChangePage: Sendable {
    /// The catalog's revision when the page was read; where this is the last page, the reader has
    /// everything up to it.
    package let revision: CatalogRevision
    /// Products that are new or have changed.
    package let changed: [Product]
    /// The ids of products that are gone; also of some the reader has never seen.
    package let removed: [String]
    /// Where to go on; nil on the last page.
    package let next: ChangeCursor?
    /// How much there is to come with all pages; on the first of several alone.
    package var extent: ChangesExtent?
}

/// How much a reader of changes has in front of it.
package struct ChangesExtent: Equatable, Sendable {
    /// How many products have changed or are gone.
    package let changes: Int
    /// How many products there are.
    package let products: Int

    /// Makes an extent.
    ///
    /// - Parameters:
    ///   - changes: How many products have changed or are gone.
    ///   - products: How many products there are.
    package init(changes: Int, products: Int) {
        self.changes = changes
        self.products = products
    }

    /// Counts; nil for a reader that is on its way.
    init?(of cursor: ChangeCursor, from table: String, _ db: Database) throws {
        let sinceRevision: Int64?
        switch cursor.position {
        case .products(number: 0): sinceRevision = nil
        case .start: sinceRevision = cursor.base.number
        default: return nil
        }
        products = try Int.fetchOne(db, sql: "SELECT count(*) FROM product") ?? 0
        guard let sinceRevision else {
            changes = products
            return
        }
        let sql = """
            SELECT (SELECT count(*) FROM \(table) WHERE revision > 0 AND revision > ?1)
                + (SELECT count(*) FROM removal WHERE revision > ?1)
            """
        changes = try Int.fetchOne(db, sql: sql, arguments: [sinceRevision]) ?? 0
    }
}

/// What a catalog says of its changes.
package enum ChangesAnswer: Sendable {
    /// These are the next.
    case page(ChangePage)
    /// The revision asked for is none of this catalog, or too long ago: the reader has to start
    /// anew. With the catalog's present revision.
    case unknownRevision(now: CatalogRevision)
}
