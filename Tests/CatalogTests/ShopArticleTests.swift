import Catalog
import Testing

/// Articles that no row without a shop has named.
@Suite struct ShopArticleTests {
    private let chain: ShopCatalog

    init() throws {
        chain = try ShopCatalog(
            """
            id,ean,name,price,currency,shelf,scope
            1,4006381333931,Pencil,0.89,EUR,A1,
            1,,,,,,alps
            9,C9,Bun,0.50,EUR,B2,harbour

            """)
    }

    private func bun() throws -> Product? { try chain.shop("harbour").product(id: "9") }

    @Test(arguments: [
        ("id,name\n9,Alps secret\n", "name", "Alps secret", "Bun"),
        ("id,ean\n9,XX\n", "ean", "XX", "C9"),
        ("id,ean\n9,C9|XX\n", "ean", "C9|XX", "C9"),
        ("ean,ean\nC9,XX\n", "ean", "C9|XX", "C9"),
        ("id,shelf\n9,Z\n", "shelf", "Z", "B2"),
        ("id,unit\n9,kg\n", "unit", "kg", ""),
        ("id,new\n9,kg\n", "new", "kg", ""),
    ])
    func noOtherShopChangesAnArticle(
        csv: String, column: String, found: String, expected: String
    ) throws {
        let before = try bun()
        let faults = try chain.faults(csv, for: "alps")
        #expect(
            faults == [
                "Line 2: The column \"\(column)\" holds \"\(found)\", and the article \"9\" of other "
                    + "shops has \"\(expected)\"; expected the same, nothing, or a row without a scope."
            ])
        #expect(try bun() == before)
        #expect(try chain.shop("alps").product(id: "9") == nil)
    }

    @Test(arguments: [
        "id,price\n9,0.60\n", "id,ean,name,price\n9,,,0.60\n", "ean,price\nC9,0.60\n",
        "id,ean,name,shelf,price\n9,C9,Bun,B2,0.60\n",
    ])
    func whatSaysTheSameOrNothingListsIt(csv: String) throws {
        let before = try bun()
        try chain.take(csv, for: "alps")
        #expect(try chain.prices("alps")["9"] == "0.60")
        #expect(try bun() == before)
        // From now on it is not harbour's alone.
        #expect(try chain.faults("id,name\n9,Roll\n", for: "harbour").count == 1)
    }

    @Test func aShopThatAloneHasItMayChangeIt() throws {
        try chain.take("id,name\n9,Roll\n", for: "harbour")
        #expect(try bun()?.name == "Roll")
        try chain.take("id,scope,listed\n9,alps,no\n")
        try chain.take("id,ean\n9,C10\n", for: "harbour")
        #expect(try bun()?.codes == ["C10"])
    }

    @Test func aShopMayTakeWhatNoneHasAnyMore() throws {
        try chain.take("id,listed\n9,no\n", for: "harbour")
        try chain.take("id,name\n9,Cake\n", for: "alps")
        #expect(try chain.shop("alps").product(id: "9")?.name == "Cake")
        #expect(try bun() == nil)
    }

    @Test func theRowsOfOneFileAgree() throws {
        let faults = try chain.faults(
            "id,name,scope\n20,Fish,harbour\n20,Fish,alps\n20,Whale,airport\n")
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("Line 4: The column \"name\" holds \"Whale\"") == true)
    }

    @Test func aCommonPriceForATimeMakesItCommon() throws {
        try chain.take("id,price,valid_from\n9,0.40,2026-12-01T00:00:00Z\n")
        #expect(try chain.prices("alps") == ["1": "0.89", "9": "0.40"])
        #expect(try chain.prices("harbour")["9"] == "0.50")
        try expectRoundTrip()
    }

    @Test func aCatalogThatIsFollowedMakesItCommon() throws {
        func follow(_ revision: String, since base: String?, price: String) throws {
            let price = try Price(reading: price)
            let bun = Product(id: "9", codes: ["C9"], name: "Bun", price: price)
            var parts = [UpstreamChanges(changed: [bun])][...]
            let upstream = Upstream(url: "http://office", revision: revision)
            try chain.whole.follow(upstream, since: base) { parts.popFirst() }
        }
        let before = try chain.changes("alps", since: nil).at
        try follow("1-a", since: nil, price: "0.45 EUR")
        #expect(try chain.prices("alps")["9"] == "0.45")
        #expect(try chain.changes("alps", since: before).names == ["9"])
        try expectRoundTrip()
        try follow("2-b", since: "1-a", price: "0.55 EUR")
        #expect(try chain.prices("alps")["9"] == "0.55")
        #expect(try chain.prices("harbour")["9"] == "0.50")
    }

    /// What only one shop has, what only some have, and prices for a time of each kind.
    @Test func everyKindOfArticleIsExportedAsItIs() throws {
        try chain.take(
            """
            id,name,price,currency,valid_from,scope,listed
            9,,0.40,EUR,2026-12-01T00:00:00Z,,
            30,Sledge,39.00,EUR,,,no
            30,,35.00,EUR,2026-12-01T00:00:00Z,,
            30,,,,,alps,yes
            31,Fish,,,,harbour,
            31,,2.00,EUR,2026-12-01T00:00:00Z,harbour,
            31,,,,,alps,no
            1,,,,,alps,no

            """)
        try expectRoundTrip()
    }

    private func expectRoundTrip() throws {
        let text = try chain.whole.exported()
        let other = try ShopCatalog(text)
        #expect(try other.whole.exported() == text)
        for name in ["alps", "harbour"] {
            #expect(try other.shop(name).exported() == chain.shop(name).exported())
        }
    }
}
