import Barcodes
import Catalog
import Foundation
import TestFolders
import Testing
import WireText

/// Tests the assortments and prices of shops.
@Suite struct ScopeTests {
    private static let articles = """
        id,ean,name,price,currency,valid_from,valid_until,scope,listed
        1,4006381333931,Pencil,0.89,EUR,,,,
        1,,,0.69,EUR,2026-12-01T00:00:00Z,2026-12-07T00:00:00Z,,
        2,,Milk,1.29,EUR,,,,
        3,,Sledge,39.00,EUR,,,,no
        1,,,0.99,EUR,,,airport,
        3,,,,,,,alps,yes
        2,,,,,,,alps,no
        2,,,1.19,EUR,2026-12-01T00:00:00Z,2026-12-02T00:00:00Z,harbour,
        9,,Bun,0.50,EUR,,,harbour,

        """

    private let chain: ShopCatalog

    init() throws {
        chain = try ShopCatalog(Self.articles)
    }

    @Test func eachShopHasItsAssortmentAndItsPrices() throws {
        #expect(try chain.prices("airport") == ["1": "0.99", "2": "1.29"])
        #expect(try chain.prices("alps") == ["1": "0.89", "3": "39.00"])
        #expect(try chain.prices("harbour") == ["1": "0.89", "2": "1.29", "9": "0.50"])
        #expect(try chain.whole.count() == 4)
    }

    @Test func promotionsHoldByTimeAndNotWhereTheShopHasAPriceOfItsOwn() throws {
        #expect(try chain.prices("airport", day: 1) == ["1": "0.99", "2": "1.29"])
        #expect(try chain.prices("alps", day: 1) == ["1": "0.69", "3": "39.00"])
        #expect(try chain.prices("harbour", day: 1) == ["1": "0.69", "2": "1.19", "9": "0.50"])
        #expect(try chain.prices("harbour", day: 2) == ["1": "0.69", "2": "1.29", "9": "0.50"])
    }

    /// If both prices belonged to one shop, the one that ends first would hold.
    @Test func aShopsOwnPriceHoldsAlsoWhereItsExportIsImported() throws {
        let chain = try ShopCatalog(
            """
            id,scope,price,valid_from,valid_until
            1,,1.00,2026-12-01T00:00:00Z,2026-12-02T00:00:00Z
            1,airport,2.00,2026-12-01T00:00:00Z,2026-12-10T00:00:00Z

            """)
        let register = try CatalogFile.inMemory()
        try register.take(try chain.exported(of: "airport"))
        let begin = try #require(RFC3339.microseconds("2026-12-01T00:00:00Z"))
        #expect(try register.product(id: "1")?.priced(at: begin).price?.amount == "2.00")
        #expect(try chain.prices("airport", day: 1) == ["1": "2.00"])
    }

    @Test func aLookupHasTheCommonPrices() throws {
        let scan = BarcodeDecoder().decode("4006381333931")
        #expect(try chain.whole.match(for: scan)?.product.price?.amount == "0.89")
        #expect(try chain.whole.product(id: "9")?.price == nil)
    }

    @Test(arguments: ["shop-17", "Airport", "common"])
    func anUnknownShopIsTold(name: String) throws {
        #expect(throws: CatalogError.unknownScope(path: chain.path, scope: name)) {
            try chain.products(of: name)
        }
        #expect(throws: CatalogError.unknownScope(path: chain.path, scope: name)) {
            try chain.exported(of: name)
        }
    }

    @Test(arguments: [
        "a b", "../x", "Ä", "a\u{301}", "x;y", "\"'", String(repeating: "a", count: 65),
    ])
    func whatIsNoNameIsRefusedWithItsLine(name: String) throws {
        #expect(CatalogScope(name) == nil)
        let field = "\"" + name.replacing("\"", with: "\"\"") + "\""
        let found = try invalidRows("id,name,scope\n1,one,\n1,,\(field)\n")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Line 3: The scope ") == true)
    }

    @Test func rowsThatContradictOthersAreRefused() throws {
        let found = try invalidRows(
            "id,price,scope,listed\n1,1.00,a,\n1,2.00,a,\n1,3.00,b,maybe\n1,1.00,,\n1,2.00,,\n")
        #expect(found.count == 3)
        #expect(found.contains { $0.contains("for the scope \"a\", too") })
        #expect(found.contains { $0.contains("\"maybe\" cannot be read; expected yes or no") })
        let other = try TriedImport("id,scope\n1,b\n2,\n3,a\n") { $0.scope = CatalogScope("a") }
        #expect(other.invalid.count == 1)
    }

    @Test func whatIsExportedIsImportedAsTheSame() throws {
        try chain.expectRoundTrip(of: ["airport", "alps", "harbour"])
        #expect(try chain.whole.exported().contains("\n9,,Bun,0.50,EUR,,,,harbour,yes\n"))
    }

    @Test func aShopsExportHasNothingOfOthers() throws {
        let text = try chain.exported(of: "alps")
        #expect(text.contains("Sledge,39.00"))
        for part in ["0.99", "1.19", "Bun", "Milk", "airport", "harbour", "scope"] {
            #expect(!text.contains(part))
        }
    }

    @Test func newOffersAreNoChangeAndLostOnesAre() throws {
        let empty = try CatalogFile.inMemory()
        func take(_ csv: String) throws {
            try empty.take(csv) { $0.changeLimit = ChangeLimit("0%") }
        }
        try take(Self.articles)
        try take("id,price,currency,scope,listed\n1,0.79,EUR,a,\n2,,,a,no\n1,0.80,EUR,b,\n")
        #expect(throws: ExcessiveChange.self) { try take("id,scope,listed\n1,b,no\n") }
    }

    @Test func tooMuchOfAShopIsHeldBack() throws {
        #expect(throws: ExcessiveChange.self) {
            try chain.take("id,price,currency\n2,1.35,EUR\n") { options in
                options.scope = CatalogScope("airport")
                options.isWhole = true
                options.lossLimit = .standard
            }
        }
        #expect(try chain.prices("airport") == ["1": "0.99", "2": "1.29"])
    }

    @Test func anArticleThatGoesTakesTheOffersWithIt() throws {
        try chain.take("id,name,price,currency\n2,Milk,1.29,EUR\n") { $0.isWhole = true }
        // The shop is still known, because a row has named it.
        #expect(try chain.prices("airport") == ["2": "1.29"])
        try chain.take("id,name,price,currency\n1,Pencil,0.95,EUR\n")
        #expect(try chain.prices("airport") == ["1": "0.95", "2": "1.29"])
    }
}
