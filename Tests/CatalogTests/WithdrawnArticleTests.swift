import Catalog
import Testing

/// Tests common articles for which a whole file has only rows of shops.
@Suite struct WithdrawnArticleTests {
    private static let header = "id,ean,name,price,currency,valid_from,scope,listed\n"
    private static let others = (1...8).map { "\($0),C\($0),Product \($0),1.0\($0),EUR,,,\n" }
        .joined()
    private static let all =
        header + others + """
            9,C9,Bun,0.50,EUR,,,
            9,,,0.40,EUR,2026-12-01T00:00:00Z,,
            9,,,0.60,EUR,,harbour,
            9,,,0.70,EUR,,airport,
            3,,,,,,alps,no

            """

    private let chain: ShopCatalog

    init() throws {
        chain = try ShopCatalog(Self.all)
    }

    /// Imports a whole file with the other articles and these rows.
    @discardableResult
    private func become(
        _ rows: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        try chain.take(Self.header + Self.others + rows, isWhole: true, change)
    }

    private func expectRoundTrip() throws {
        let text = try chain.whole.exported()
        let other = try ShopCatalog(text)
        #expect(try other.whole.exported() == text)
        try chain.take(text, isWhole: true) { $0.changeLimit = ChangeLimit("0%") }
        #expect(try chain.whole.exported() == text)
    }

    @Test func itBecomesTheShopsOwn() throws {
        try become("9,,,,,,harbour,\n")
        let bun = try #require(try chain.product("9", of: "harbour"))
        #expect(bun == Product(id: "9", codes: ["C9"], name: "Bun"))
        for shop in ["airport", "alps"] {
            #expect(try chain.product("9", of: shop) == nil)
        }
        #expect(try chain.whole.product(id: "9")?.price == nil)
        try expectRoundTrip()
        // It is no longer common, so no other shop may change it.
        #expect(try chain.faults("id,name\n9,Roll\n", for: "alps").count == 1)
    }

    @Test func theShopKeepsItsPrices() throws {
        try become("9,,,0.60,EUR,,harbour,\n9,,,0.30,EUR,2026-12-01T00:00:00Z,harbour,\n")
        #expect(try chain.prices("harbour")["9"] == "0.30")
        #expect(try chain.product("9", of: "harbour")?.price?.amount == "0.60")
        try expectRoundTrip()
    }

    @Test func aShopThatDoesNotListItDoesNotHaveIt() throws {
        try become("9,,,,,,alps,no\n3,,,,,,alps,no\n")
        #expect(try chain.product("9", of: "alps") == nil)
        #expect(try chain.whole.product(id: "9") != nil)
        try expectRoundTrip()
    }

    @Test func itCountsAsTakenAway() throws {
        let summary = try become("9,,,0.60,EUR,,harbour,\n9,,,0.70,EUR,,airport,\n3,,,,,,alps,no\n")
        #expect(summary.changes.sentence == "1 gone")
        #expect(summary.changes.examples == ["\"9\": goes"])
        #expect(summary.removed == 1)
        let rows = (1...8).map { "\($0),,,1.00,EUR,,harbour,\n" }.joined()
        let error = #expect(throws: ExcessiveChange.self) {
            try chain.take(Self.header + rows, isWhole: true) { $0.lossLimit = .standard }
        }
        #expect(error?.changes.counts[.removed] == 11)
    }

    @Test func anArticleThatAllLackedUnlessListedBecomesTheShopsOwnToo() throws {
        try become("30,C30,Sledge,39.00,EUR,,,no\n30,,,,,,alps,yes\n")
        try become("30,,,,,,alps,yes\n")
        #expect(
            try chain.product("30", of: "alps")
                == Product(id: "30", codes: ["C30"], name: "Sledge"))
        try expectRoundTrip()
    }

    @Test func itIsWhatTheFirstRowOfItSays() throws {
        try become("9,C10,Roll,0.60,EUR,,harbour,\n9,C10,Roll,0.70,EUR,,airport,\n")
        let roll = try #require(try chain.product("9", of: "airport"))
        #expect((roll.codes, roll.name) == (["C10"], "Roll"))
        // Importing the same rows again changes nothing.
        let again = try become("9,C10,Roll,0.60,EUR,,harbour,\n9,C10,Roll,0.70,EUR,,airport,\n")
        #expect(again.changes.count == 0)
        try expectRoundTrip()
    }

    @Test func aCommonRowBehindTheShopsKeepsItCommon() throws {
        let before = try chain.whole.exported()
        let rows = Self.all.split(separator: "\n").dropFirst().reversed().joined(separator: "\n")
        try chain.take(Self.header + rows + "\n", isWhole: true)
        #expect(try chain.whole.exported() == before)
    }
}
