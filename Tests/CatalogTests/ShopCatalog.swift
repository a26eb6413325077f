import Catalog
import TestFolders
import Testing

/// A catalog file with what shops have, and what each of them sees of it.
struct ShopCatalog {
    let scratch: TemporaryFolder
    let path: String
    let whole: EmbeddedCatalog

    init(_ csv: String = "") throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        whole = try EmbeddedCatalog(path: path, access: .writing)
        if !csv.isEmpty { try take(csv) }
    }

    /// Imports a file, as that of one shop where one is named.
    @discardableResult
    func take(
        _ csv: String, for scope: String? = nil, isWhole: Bool = false,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions(currency: Currency("EUR"))
        options.scope = scope.flatMap { CatalogScope($0) }
        options.isWhole = isWhole
        change(&options)
        return try whole.importCSV(
            bytes: Array(csv.utf8), name: "products.csv", options: options)
    }

    /// What is wrong with the rows of a file that is not imported for it, in sentences.
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

    func shop(_ name: String) throws -> EmbeddedCatalog {
        try EmbeddedCatalog(path: path, scope: #require(CatalogScope(name)))
    }

    /// The prices of a shop at the beginning of a day in December.
    func prices(_ shop: String, day: Int64 = 30) throws -> [String: String] {
        let time = (1_796_083_200 + (day - 1) * 86_400) * 1_000_000
        let page = try self.shop(shop).products(limit: 200)
        return Dictionary(
            uniqueKeysWithValues: page.products.map {
                ($0.id, $0.priced(at: time).price?.amount ?? "none")
            })
    }

    /// The ids that have changed, those that are gone with a hyphen ahead, and where to go on.
    func changes(
        _ name: String, since cursor: ChangeCursor?
    ) throws -> (names: [String], at: ChangeCursor?) {
        guard case .page(let page) = try shop(name).changes(since: cursor, limit: 200) else {
            return ([], nil)
        }
        let names = page.removed.map { "-" + $0 } + page.changed.map(\.id)
        return (names, ChangeCursor(page.revision))
    }
}
