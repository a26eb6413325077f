import Catalog

/// A reader of changes: what it has after taking them.
struct Reader {
    private(set) var names: [String: String] = [:]
    private(set) var cursor: ChangeCursor?
    private(set) var pages = 0
    private(set) var hadToStartAnew = 0

    /// Takes all changes there are.
    mutating func read(
        _ catalog: EmbeddedCatalog, limit: Int = 2, between: (Int) throws -> Void = { _ in }
    ) throws {
        var round = 0
        while true {
            switch try catalog.changes(since: cursor, limit: limit) {
            case .unknownRevision:
                names = [:]
                cursor = nil
                hadToStartAnew += 1
            case .page(let page):
                pages += 1
                for id in page.removed { names[id] = nil }
                for product in page.changed { names[product.id] = product.name ?? "" }
                cursor = page.next ?? ChangeCursor(page.revision)
                guard page.next != nil else { return }
            }
            try between(round)
            round += 1
        }
    }
}

extension EmbeddedCatalog {
    /// The names of all products by their ids, as an export has them.
    func names() throws -> [String: String] {
        var names: [String: String] = [:]
        var after: Int64?
        repeat {
            let page = try products(after: after, limit: 100)
            for product in page.products { names[product.id] = product.name ?? "" }
            after = page.next
        } while after != nil
        return names
    }
}
