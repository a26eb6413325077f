import Catalog
import TestFolders
import Testing

/// A catalog file with the offers of several shops.
struct ShopCatalog {
    let scratch: TemporaryFolder
    let path: String
    let whole: CatalogFile

    init(_ csv: String = "") throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        whole = try CatalogFile(path: path, access: .writing)
        if !csv.isEmpty { try take(csv) }
    }

    /// Imports a CSV text; `scope` names the shop to which it belongs, if any.
    @discardableResult
    func take(
        _ csv: String, for scope: String? = nil, isWhole: Bool = false,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        try whole.take(csv) {
            ($0.scope, $0.isWhole) = (scope.flatMap { CatalogScope($0) }, isWhole)
            change(&$0)
        }
    }

    /// Imports a CSV text, which must fail, and returns one message for each invalid row.
    func faults(_ csv: String, for scope: String? = nil) throws -> [String] {
        var options = ImportOptions(currency: Currency("EUR"))
        options.scope = scope.flatMap { CatalogScope($0) }
        var sentences: [String] = []
        #expect(throws: ImportError.self) {
            try whole.importCSV(bytes: Array(csv.utf8), name: "products.csv", options: options) {
                if case .invalid(let row) = $0 { sentences.append("\(row)") }
            }
        }
        return sentences
    }

    /// Returns a product as it is sold in a shop; nil if the shop does not sell it.
    func product(_ id: String, of shop: String) throws -> Product? {
        try products(of: shop).first { $0.id == id }
    }

    /// Returns a shop's prices by product id, at the beginning of a day in December.
    func prices(_ shop: String, day: Int64 = 30) throws -> [String: String] {
        let time = (1_796_083_200 + (day - 1) * 86_400) * 1_000_000
        return Dictionary(
            uniqueKeysWithValues: try products(of: shop).map {
                ($0.id, $0.priced(at: time).price?.amount ?? "none")
            })
    }

    func exported(of shop: String) throws -> String {
        let scope: CatalogScope = try #require(CatalogScope(shop))
        return try whole.exported(in: scope)
    }

    /// Expects that exporting the catalog and importing it into another one gives an equal catalog.
    func expectRoundTrip(of shops: [String]) throws {
        let text = try whole.exported()
        let other = try ShopCatalog(text)
        #expect(try other.whole.exported() == text)
        try other.expectSameProducts(as: self, of: shops)
    }

    /// All products, or those of a shop, sorted by id.
    func products(of shop: String? = nil) throws -> [Product] {
        var products: [Product] = []
        let scope: CatalogScope? = try shop.map { name -> CatalogScope in
            try #require(CatalogScope(name))
        }
        try whole.forEachProduct(in: scope) { products.append($0) }
        return products
    }

    func expectSameProducts(as other: ShopCatalog, of shops: [String]) throws {
        for shop in [nil] + shops.map(Optional.some) {
            let (mine, others) = (try products(of: shop), try other.products(of: shop))
            #expect(mine.map(\.id) == others.map(\.id))
            for (one, other) in zip(mine, others) { #expect(one == other) }
        }
    }
}
