import Catalog
import Testing

/// Tests articles that only the rows of shops have named.
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

    private func bun() throws -> Product? { try chain.product("9", of: "harbour") }

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
        #expect(try chain.product("9", of: "alps") == nil)
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
        // Another shop has it now, so harbour may no longer change it.
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
        #expect(try chain.product("9", of: "alps")?.name == "Cake")
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

    @Test func whatIsWrittenAsItIsBecomesCommon() throws {
        let price = try Price(reading: "0.45 EUR")
        try chain.whole.add(Product(id: "9", codes: ["C9"], name: "Bun", price: price))
        #expect(try chain.prices("alps")["9"] == "0.45")
        #expect(try chain.prices("harbour")["9"] == "0.50")
        try expectRoundTrip()
    }

    /// The articles belong to all shops, to some or to one, and have prices for a time of each kind.
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
        try chain.expectRoundTrip(of: ["alps", "harbour"])
    }
}
