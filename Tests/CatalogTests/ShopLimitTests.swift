import Catalog
import Testing

/// What counts as a change of a shop: what it had, held against what it has behind the last row.
@Suite struct ShopLimitTests {
    /// Imports files, the last one where nothing may change.
    private func change(
        _ files: [(csv: String, shop: String?)], last: (csv: String, shop: String?),
        whole wholeFiles: Set<Int> = []
    ) throws -> ImportChanges {
        let chain = try ShopCatalog()
        for (index, file) in files.enumerated() {
            try chain.take(file.csv, for: file.shop, isWhole: wholeFiles.contains(index))
        }
        return try chain.take(last.csv, for: last.shop) { $0.isTrial = true }.changes
    }

    @Test(arguments: [
        ("id,price,valid_from\n1,2.00,\n1,0.50,2030-01-01T00:00:00Z\n", "aa"),
        ("id,price,valid_from\n1,0.50,2020-01-01T00:00:00Z\n", "aa"),
        (
            """
            id,price,scope,valid_from
            1,,aa,
            1,0.50,aa,2030-01-01T00:00:00Z

            """, nil
        ),
    ])
    func anArticleThatAShopDidNotHaveIsNoChange(csv: String, shop: String?) throws {
        let changes = try change([("id,name,price,listed\n1,A,1.00,no\n", nil)], last: (csv, shop))
        #expect(changes.sentence == "none")
    }

    @Test func norIsOneThatItAloneDoesNotList() throws {
        let changes = try change(
            [("id,name,price,scope,listed\n1,A,1.00,,yes\n1,,,aa,no\n", nil)],
            last: ("id,price,scope,valid_from\n1,,aa,\n1,0.50,aa,2030-01-01T00:00:00Z\n", nil))
        #expect(changes.sentence == "none")
    }

    @Test func norIsTheNameOfAnArticleThatItHasTakenOut() throws {
        let changes = try change(
            [("id,name,scope\n1,A,aa\n", nil), ("id,name,listed\n1,A,no\n", "aa")],
            last: ("id,name,listed\n1,B,no\n", "aa"))
        #expect(changes.sentence == "none")
    }

    @Test func aPriceForATimeListsNothingThatItsRowDoesNotList() throws {
        let chain = try ShopCatalog("id,name,price,listed\n1,A,1.00,no\n")
        let csv = "id,price,scope,listed,valid_from\n1,0.50,aa,no,2020-01-01T00:00:00Z\n"
        try chain.take(csv)
        #expect(try chain.products(of: "aa").isEmpty)
        try chain.take(csv.replacing(",no,", with: ",yes,"))
        // What a row with a price for a time leaves open, stays.
        #expect(try chain.products(of: "aa").isEmpty)
    }

    @Test func pricesThatFollowOneAnotherForEverAreExported() throws {
        let chain = try ShopCatalog(
            """
            id,price,valid_from,valid_until,scope
            1,1.00,,,
            1,0.50,2020-01-01T00:00:00Z,,
            1,0.50,,2021-01-01T00:00:00Z,aa

            """)
        let other = try ShopCatalog()
        try other.take(try chain.exported(of: "aa"), for: "aa")
        for day: Int64 in [1, 30] { #expect(try other.prices("aa", day: day) == ["1": "0.50"]) }
    }
}
