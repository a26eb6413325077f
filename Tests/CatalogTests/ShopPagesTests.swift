import GRDB
import GRDBSQLite
import Testing

@testable import Catalog

/// What it costs to read the changes of a shop page by page.
@Suite struct ShopPagesTests {
    /// Tens of steps of SQLite's machine.
    private final class Cost {
        var steps = 0
    }

    @Test func aPageCostsTheSameHoweverManyThereAre() throws {
        let few = try costs(articles: 1000)
        let many = try costs(articles: 8000)
        #expect((few.count, many.count) == (10, 80))
        // The first page counts what is to come.
        let (dear, dearer) = (few.dropFirst().max() ?? 0, many.dropFirst().max() ?? 0)
        #expect(dear > 0)
        #expect(dearer < 2 * dear, "\(dear) tens of steps become \(dearer).")
    }

    /// What each page of 100 costs of a shop that has a new price for each article.
    private func costs(articles: Int) throws -> [Int] {
        func rows(_ price: String) -> String {
            "id,name,price\n" + (1...articles).map { "\($0),name,\(price)\n" }.joined()
        }
        let chain = try ShopCatalog(rows("1.00"))
        try chain.take(rows("2.00"), for: "airport")
        let shop = try chain.shop("airport")
        var cursor: ChangeCursor? = ChangeCursor(try shop.revision())
        try chain.take(rows("3.00"), for: "airport")

        let cost = Cost()
        var costs: [Int] = []
        while let since = cursor {
            try shop.read { db in
                let context = Unmanaged.passUnretained(cost).toOpaque()
                sqlite3_progress_handler(
                    db.sqliteConnection, 10,
                    { context in
                        guard let context else { return 0 }
                        Unmanaged<Cost>.fromOpaque(context).takeUnretainedValue().steps += 1
                        return 0
                    }, context)
            }
            cost.steps = 0
            guard case .page(let page) = try shop.changes(since: since, limit: 100) else { break }
            costs.append(cost.steps)
            #expect(page.changed.count == 100)
            cursor = page.next
        }
        return costs
    }
}
