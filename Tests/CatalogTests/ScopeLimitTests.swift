import Catalog
import Testing

/// What keeps an import from taking away too much, where shops have something of their own.
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
