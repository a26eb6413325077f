import Catalog
import Testing

/// Tests the limits on changes if shops have offers of their own.
@Suite struct ScopeLimitTests {
    private static let prices = (1...10).map { "\($0),Product \($0),1.0\($0 % 10)\n" }

    private let chain: ShopCatalog

    init() throws {
        chain = try ShopCatalog("id,name,price\n" + Self.prices.joined())
    }

    private func expectRefused(
        _ csv: String, for scope: String? = nil, because: String
    ) throws {
        let before = try chain.whole.exported()
        let error = #expect(throws: ExcessiveChange.self) {
            try chain.take(csv, for: scope) { $0.lossLimit = .standard }
        }
        #expect(error?.changes.sentence == because)
        #expect(try chain.whole.exported() == before)
    }

    @Test(arguments: ["Product", "Other"])
    func aProductThatGoesIsGoneWhateverElseChanges(name: String) throws {
        let rows = (1...10).map { "\($0),\(name) \($0),no\n" }.joined()
        try expectRefused("id,name,listed\n" + rows, because: "10 gone")
    }

    @Test func aPriceThatGoesWithThoseForATimeIsLost() throws {
        let dated = (1...10).map { "\($0),,0.50,2026-12-01T00:00:00Z\n" }.joined()
        try chain.take("id,name,price,valid_from\n" + dated)
        let rows = (1...10).map { "\($0),Other \($0),,\n" }.joined()
        try expectRefused(
            "id,name,price,valid_from\n" + rows, because: "10 without their price")
    }

    @Test func theOffersOfAShopThatGoAreGone() throws {
        let rows = (1...10).map { "\($0),2.00,2026-12-01T00:00:00Z\n\($0),3.00,\n" }.joined()
        try chain.take("id,price,valid_from\n" + rows, for: "a")
        let gone = (1...10).map { "\($0),4.00,,no\n" }.joined()
        try expectRefused("id,price,valid_from,listed\n" + gone, for: "a", because: "10 gone")
        try expectRefused(
            "id,price,valid_from,listed,scope\n" + gone.replacing("no\n", with: "no,a\n"),
            because: "10 gone")
    }

    @Test func anExampleSaysTheWorst() throws {
        let error = #expect(throws: ExcessiveChange.self) {
            try chain.take("id,name,price,listed\n1,One,9.00,no\n2,Two,,\n3,Three,1.03,no\n") {
                $0.lossLimit = ChangeLimit("0%")
            }
        }
        #expect(
            error?.changes.examples == [
                "\"1\": goes", "\"2\": price 1.02 EUR becomes none", "\"3\": goes",
            ])
    }

    @Test func eachRowIsCountedOnce() throws {
        try chain.take("id,name,price\n1,,\n20,Bun,2.00\n21,Cake,2.00\n", for: "a")
        let own = try chain.take(
            "id,name,price\n20,Roll,3.00\n21,Pie,2.00\n1,,5.00\n2,,5.00\n", for: "a")
        #expect([own.added, own.updated, own.unchanged, own.further] == [1, 3, 0, 0])
        #expect(own.changes.count == 4)
        let mixed = try chain.take(
            "id,name,price,scope\n20,Bun,3.00,a\n20,Bun,1.00,\n1,Product 1,1.01,\n21,Pie,2.00,a\n")
        #expect([mixed.added, mixed.updated, mixed.unchanged, mixed.further] == [0, 1, 3, 0])
        let new = try chain.take("id,name,scope\n30,Fish,a\n30,Fish,\n30,Fish,b\n")
        #expect(new.rows == 3)
    }
}

/// Tests what counts as a change for a shop: what it has after the last row is compared with what it had.
@Suite struct ShopLimitTests {
    /// Imports files, the last one on trial, and returns the changes that it would make.
    private func change(
        _ files: [(csv: String, shop: String?)], last: (csv: String, shop: String?),
        whole wholeFiles: Set<Int> = []
    ) throws -> ChangeSummary {
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
        // A row with a price for a time does not change whether a known article is listed.
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
